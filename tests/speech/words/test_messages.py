"""The message catalogue: complete in every language, plural forms by CLDR, moves and results isolated."""

from __future__ import annotations

import ast
import re
import shutil
import unicodedata
from importlib.resources import files
from pathlib import Path

import pytest

from server.wording.refusals import in_language, sentence
from speech.complaint import Complaint
from speech.words.catalogue import PARTS, check_messages, load_messages, texts_in
from speech.words.config_file import language_tags
from speech.words.loading import load_language, load_scheme, parts_listed
from speech.words.messages import isolate_text, without_isolation
from tests.game.core_table import REFUSALS

NUMBERS = (0, 1, 2, 3, 5, 10, 11, 59, 99, 100, 101, 102, 103, 111, 1000)


@pytest.fixture
def config_copy(tmp_path: Path) -> Path:
    """A copy of the installed words that a test may break."""
    shutil.copytree(str(files("config") / "languages"), tmp_path / "languages")
    return tmp_path


def test_every_language_has_messages() -> None:
    check_messages()


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("tag", language_tags())
def test_every_sentence_names_its_origin_and_its_state_of_review(tag: str, part: str) -> None:
    messages = load_messages(tag, part=part)
    assert len(messages.entries) >= 12
    states = {message.review for message in messages.entries.values()}
    assert states <= ({"source"} if tag in ("en", "de") else {"needs native review", "reviewed"})


@pytest.mark.parametrize("tag", language_tags())
@pytest.mark.parametrize("unit", ["hour", "minute", "second"])
def test_a_unit_has_a_form_for_every_number(tag: str, unit: str) -> None:
    messages = load_messages(tag)
    for number in NUMBERS:
        said = messages.text(f"unit.{unit}", count=number)
        assert said and "{" not in said
        # Without its number only what stands for one number alone, so that no two numbers are said alike.
        assert [other for other in NUMBERS if messages.text(f"unit.{unit}", count=other) == said] == [number]


@pytest.mark.parametrize(
    ("tag", "number", "said"),
    [
        ("de", 1, "eine Stunde"),
        ("de", 0, "0 Stunden"),
        ("hu", 2, "2 óra"),
        ("hy", 0, "0 ժամ"),
        ("he", 1, "שעה"),
        ("he", 2, "שעתיים"),
        ("he", 3, "3 שעות"),
        ("ar", 0, "0 ساعة"),
        ("ar", 1, "ساعة"),
        ("ar", 2, "ساعتان"),
        ("ar", 3, "3 ساعات"),
        ("ar", 10, "10 ساعات"),
        ("ar", 11, "11 ساعة"),
        ("ar", 100, "100 ساعة"),
        ("ar", 103, "103 ساعات"),
    ],
)
def test_hours_at_the_boundaries(tag: str, number: int, said: str) -> None:
    assert load_messages(tag).text("unit.hour", count=number) == said


@pytest.mark.parametrize("tag", ["ar", "he"])
@pytest.mark.parametrize("token", ["1-0", "½-½", "Nf3", "0-0-0", "1:30:05", "9.1.2"])
def test_what_is_put_into_a_sentence_from_the_right_keeps_its_own_direction(tag: str, token: str) -> None:
    said = load_messages(tag).text("say.time_own", time=token)
    assert f"\u2068{token}\u2069" in said
    assert without_isolation(said) == said.replace("\u2068", "").replace("\u2069", "")
    assert token in without_isolation(said)


def test_a_sentence_from_the_left_isolates_only_what_runs_from_the_right() -> None:
    english = load_messages("en")
    assert english.text("say.time_own", time="1-0") == "Your time: 1-0."
    assert english.text("say.time_own", time="فيلكس 3") == "Your time: \u2068فيلكس 3\u2069."
    assert isolate_text(isolate_text("1-0")) == isolate_text("1-0")


@pytest.mark.parametrize("tag", language_tags())
def test_a_list_has_the_comma_of_its_script(tag: str) -> None:
    assert parts_listed(["1", "2", "3"], tag) == ("1، 2، 3" if tag == "ar" else "1, 2, 3")


def test_no_sentence_brings_marks_of_its_own() -> None:
    for tag in language_tags():
        for part in PARTS:
            for key, message in load_messages(tag, part=part).entries.items():
                for text in message.forms.values():
                    assert not any(unicodedata.category(letter) == "Cf" for letter in text), (tag, part, key)


def asked_for(repo: Path) -> set[str]:
    """Every key that the code asks for by name: `.phrase("x")` is "say.x", `messages.text("x.y")` is "x.y"."""
    found = set()
    for folder in ("speech", "server"):
        for path in (repo / folder).rglob("*.py"):
            code = path.read_text(encoding="utf-8")
            for node in ast.walk(ast.parse(code)) if ".phrase(" in code or ".text(" in code else ():
                if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
                    continue
                keys = [one.value for one in ast.walk(node.args[0]) if isinstance(one, ast.Constant)]
                if node.func.attr == "phrase":
                    found |= {f"say.{key}" for key in keys if isinstance(key, str) and key.startswith("ask_")}
                    if isinstance(node.args[0], ast.Constant):
                        found |= {f"say.{node.args[0].value}"}
                elif node.func.attr == "text" and ast.unparse(node.func.value).endswith("messages"):
                    found |= {key for key in keys if isinstance(key, str) and re.fullmatch(r"[a-z]+\.\w+", key)}
    return found


def test_every_sentence_that_the_code_asks_for_is_there(repo: Path) -> None:
    asked = asked_for(repo)
    assert len(asked) > 8
    assert asked <= set(load_messages("en").entries)


@pytest.mark.parametrize(
    ("file", "pattern", "replacement", "names"),
    [
        ("hu", r"^ask_from = .*$", "", ("say.ask_from", "missing")),
        ("hu", r"^ask_from = ", "ask_form = ", ("say.ask_from", "missing")),
        ("hu", r"^ask_from = .*$", "\\g<0>\nask_form = 'x'", ("say.ask_form", "spelling")),
        ("hu", r"^ask_from = .*$", "ask_from = 5", ("say.ask_from", "text")),
        ("hu", r"^ask_from = .*$", "ask_from = ' '", ("say.ask_from", "empty")),
        ("hu", r"^ask_from = .*$", "ask_from = { text = 'x', more = 1 }", ("say.ask_from.more",)),
        ("hu", r"^ask_from = .*$", "ask_from = { text = 'x', one = 'y' }", ("say.ask_from", "both")),
        ("hu", r"^ask_from = .*$", "ask_from = { one = 'x{count}', other = 'y{count}' }", ("say.ask_from",)),
        ("hu", r"\{time\}", "{zeit}", ("say.time_own", "{time}")),
        ("hu", r"\{time\}", "{time", ("say.time_own", "braces")),
        ("hu", r"\{time\}", "{time!r}", ("say.time_own", "braces")),
        ("hu", r"\{time\}", "{0}", ("say.time_own", "{time}")),
        ("hu", r"^hour = .*$", "hour = 'óra'", ("unit.hour", "one, other")),
        ("hu", r"^hour = .*$", "hour = { other = '{count}' }", ("unit.hour.one", "missing")),
        ("ar", r"few = \"[^\"]*\", ", "", ("unit.hour.few", "missing")),
        ("he", r"two = \"[^\"]*\", ", "", ("unit.hour.two", "missing")),
        ("he", r"two = ", "few = ", ("unit.hour", "two")),
        ("hy", r"one = \"\{count\} ", 'one = "', ("unit.hour.one", "{count}")),
        ("de", r"other = \"\{count\} ", 'other = "{number} {count} ', ("unit.hour.other", "{count}")),
        ("ar", r"من أي مربع", "\u200fمن أي مربع", ("say.ask_from", "mark")),
        ("ar", r"من أي مربع", "مـن أي مربع", ("say.ask_from", "stretching")),
        ("hu", r"Melyik mez", "Melyik me\u0301z", ("say.ask_from", "NFC")),
        ("hu", r'^origin = "proposal"', 'origin = "rumour"', ("origin",)),
        ("hu", r"^review = .*$", "", ("review", "missing")),
        ("hu", r"^\[say\]$", "[say", ("TOML",)),
        ("hu", r"^\[say\]$", "say = 5\n[said]", ("say",)),
    ],
)
def test_a_broken_file_is_refused_with_its_name_and_the_key(
    config_copy: Path, file: str, pattern: str, replacement: str, names: tuple[str, ...]
) -> None:
    path = config_copy / "languages" / file / "words" / "messages.toml"
    text, changes = re.subn(pattern, replacement, path.read_text("utf-8"), count=1, flags=re.MULTILINE)
    assert changes == 1
    path.write_text(text, "utf-8")
    with pytest.raises(Complaint) as complaint:
        check_messages(config_copy, ["messages"])
    for name in (f"{file}/words/messages.toml", *names):
        assert name in str(complaint.value), str(complaint.value)
    assert "\n" not in str(complaint.value)


@pytest.mark.parametrize(
    ("file", "pattern", "replacement", "names"),
    [
        ("hu/pages", r"^skip = .*$", "", ("page.skip", "missing")),
        ("hu/pages", r'^"seat.white" = ', '"seat.whyte" = ', ('page."seat.white"', "missing")),
        ("hu/pages", r'^"letter.king" = .*$', '"letter.king" = ""', ('page."letter.king"', "empty")),
        ("ar/pages", r"few = \"[^\"]*\", ", "", ("page.hour.few", "missing")),
        ("hu/pages", r"^hour = .*$", "hour = 'óra'", ("page.hour", "one, other")),
        ("hu/report", r"^(title = .*)\{0\}", r"\1{1}", ("word.title", "{0}")),
        ("hu/report", r"^rated = .*$", "", ("entry.rated", "missing")),
        ("en/report", r"^rated = ", "rate = ", ("ar/words/report.toml", "en/words/report.toml", "entry.rate")),
        ("hu/laws", r'^"9.1" = ', '"9.11" = ', ('articles."9.1"', "missing")),
        ("hu/handout", r"^7 = .*$", "", ("line.7", "missing")),
        ("hu/envelope", r"\{table\}", "", ("label.title", "{table}")),
        ("hu/envelope", r"\{table\}", "{table", ("label.title", "braces")),
        ("hu/envelope", r"^title = .*$", "title = 3", ("label.title", "text")),
        ("hu/envelope", r"^review = .*$", "", ("review", "missing")),
    ],
)
def test_every_part_of_the_catalogue_is_checked(
    config_copy: Path, file: str, pattern: str, replacement: str, names: tuple[str, ...]
) -> None:
    tag, part = file.split("/")
    path = config_copy / "languages" / tag / "words" / f"{part}.toml"
    text, changes = re.subn(pattern, replacement, path.read_text("utf-8"), count=1, flags=re.MULTILINE)
    assert changes == 1
    path.write_text(text, "utf-8")
    with pytest.raises(Complaint) as complaint:
        check_messages(config_copy, [part])
    for name in (*names, *([] if tag == "en" else [f"{tag}/words/{part}.toml"])):
        assert name in str(complaint.value), str(complaint.value)


def test_a_part_that_is_missing_is_named(config_copy: Path) -> None:
    check_messages(config_copy)
    (config_copy / "languages" / "hy" / "words" / "handout.toml").unlink()
    with pytest.raises(Complaint, match=r"config/languages/hy/words/handout\.toml is missing"):
        check_messages(config_copy)


def test_one_text_alone_is_empty() -> None:
    found = [one for part in PARTS for tag in language_tags() for one in texts_in(part, tag).items()]
    assert {key for key, text in found if not text} == {"page.letter.pawn"}


def test_a_language_that_cldr_does_not_know_is_refused(config_copy: Path) -> None:
    shutil.copytree(config_copy / "languages" / "de", config_copy / "languages" / "xx")
    with pytest.raises(Complaint, match=r"languages/xx/words/messages\.toml.*CLDR"):
        check_messages(config_copy)
    with pytest.raises(Complaint, match="hu"):
        load_messages("fr", config_copy)


@pytest.mark.parametrize("tag", language_tags())
def test_a_scheme_says_its_listeners_sentences(tag: str) -> None:
    assert load_scheme("d21", tag).phrase("ask_from") == load_messages(tag).text("say.ask_from")


@pytest.mark.parametrize("tag", language_tags())
def test_a_refusal_is_in_the_readers_language_with_its_article(tag: str) -> None:
    assert len(REFUSALS) > 100
    for code in REFUSALS:
        told = sentence(code, "D.2.7", tag)
        article = "\u2068D.2.7\u2069" if tag in ("ar", "he") else "D.2.7"
        assert told.endswith(f" ({article})"), told
        if tag != "en":
            assert told.split(" (")[0] != sentence(code, "", "en"), (code, "not translated")
    assert sentence("no such code", "1.2", tag).startswith("no such code")
    assert in_language("game_over", "", tag, "x") == sentence("game_over", "", tag)


def test_a_language_without_sentences_gets_what_the_table_said() -> None:
    assert in_language("game_over", "", "fr", "as it was") == "as it was"
    assert sentence("game_over", "", "fr") == sentence("game_over", "", "en")


NAMES = (
    r"\{\w+\}|machine_announces|TRF|\bQR\b|PGN|FEN|JSON|Content-Type: application/json|\bms\b"
    r"|Anna vier, Hector acht, Cesar drei|\bG\d+\b|\bD\.\d|\bI{1,3}(\.\d)?\b"
)


@pytest.mark.parametrize("tag", ["ar", "he", "hy"])
def test_a_language_is_written_in_its_own_script(tag: str) -> None:
    """Latin letters only where a name of ours or of a format, an article or a place stands."""
    script = load_language(tag).script
    names = {"Latn": "LATIN", "Arab": "ARABIC", "Hebr": "HEBREW", "Armn": "ARMENIAN"}
    for key, message in load_messages(tag).entries.items():
        for text in message.forms.values():
            bare = re.sub(NAMES, "", text)
            for letter in filter(str.isalpha, bare):
                assert unicodedata.name(letter).startswith(names[script]), (key, letter)


def test_a_language_that_lacks_plural_forms_is_told_all_of_them_at_once(config_copy: Path) -> None:
    """French has `many`, which English has not: who copies English is told each sentence, in every file."""
    english, french = config_copy / "languages" / "en", config_copy / "languages" / "fr"
    shutil.copytree(english, french)
    with pytest.raises(Complaint) as complaint:
        load_messages("fr", config_copy, part="pages")
    said = str(complaint.value)
    lacking = [
        (part, key)
        for part in PARTS
        for key, message in load_messages("en", part=part).entries.items()
        if message.plural and "many" not in message.forms
    ]
    assert len(lacking) > 10 and {"messages", "pages"} <= {part for part, _ in lacking}
    assert said.count(".many") == len(lacking) and "languages/fr/words/pages.toml" in said
    assert all(f"{part}.toml: " in said for part, _ in lacking)
