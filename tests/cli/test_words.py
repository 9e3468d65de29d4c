"""`anna-eins words`: a corrected page is taken back, or each line that cannot be used is named."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from datetime import date, datetime, timedelta
from functools import cache
from pathlib import Path

import pytest

from server.cli import main
from server.exports.guide import blocks_of
from server.exports.words import proof
from server.exports.words.correction import english_of, reviewed_in, texts_to_correct
from server.exports.words.guides import passages_by_key
from server.exports.words.page import page_of
from speech.words.catalogue import load_messages
from speech.words.loading import load_language

proof_of = cache(proof.proof_of)
Said = tuple[int, str, str]
Check = Callable[..., Said]


@pytest.fixture
def config(repo: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(repo / "config", tmp_path / "config", ignore=shutil.ignore_patterns("__pycache__")))


@pytest.fixture
def check(config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Check:
    """Give a page to `words check`: the status, what it said, and what it complained of."""

    def run(page: str, *options: str) -> Said:
        file = tmp_path / "de.md"
        file.write_text(page, encoding="utf-8")
        return words(capsys, "check", str(file), "--config", str(config), *options)

    return run


def words(capsys: pytest.CaptureFixture[str], *arguments: str) -> Said:
    capsys.readouterr()
    with pytest.raises(SystemExit) as end:
        main(["words", *arguments])
    said = capsys.readouterr()
    assert isinstance(end.value.code, int)
    return end.value.code, said.out, said.err


def files_of(config: Path) -> dict[str, str]:
    return {str(path.relative_to(config)): path.read_text("utf-8") for path in config.rglob("*.toml")}


def line_of(page: str, line: str) -> int:
    return page.splitlines().index(line) + 1


def ticked(page: str, *keys: str) -> str:
    for key in keys:
        assert f"### [ ] {key}\n" in page
        page = page.replace(f"### [ ] {key}\n", f"### [x] {key}\n", 1)
    return page


def only(page: str, line: str) -> str:
    """The page of those texts alone whose block has this line."""
    head, *blocks = re.split(r"^(?=### )", page, flags=re.MULTILINE)
    found = [block for block in blocks if line in block.splitlines()]
    assert found, line
    return "".join((head.splitlines(keepends=True)[0], "\n", *found))


def test_an_untouched_page_marks_nothing_as_reviewed(check: Check, config: Path) -> None:
    before = files_of(config)
    status, out, err = check(proof_of("de"), "--by", "Kim")
    assert (status, err) == (0, "")
    assert (
        out == f"Changed: 0. Reviewed: 0 of {len(texts_to_correct('de'))}. "
        "Now write the files again: anna-eins words render --all\n"
    )
    assert files_of(config) == before


def test_what_is_ticked_is_marked_by_whom_and_when_and_nothing_else_is(check: Check, config: Path) -> None:
    before = files_of(config)
    keys = "messages.say.ask_from", "messages.unit.hour", "language.words.rank.2", "rules.penalties.warning"
    page = ticked(proof_of("de"), *keys)
    assert check(page)[::2] == (2, "de.md does not say who ticked its texts; name the reader with --by.\n")
    assert files_of(config) == before
    status, out, err = check(page, "--by", "Kim")
    assert (status, err) == (0, "") and f"Changed: 0. Reviewed: 4 of {len(texts_to_correct('de'))}." in out
    assert reviewed_in("de", config) == set(keys)
    assert texts_to_correct("de", config) == texts_to_correct("de")
    today = datetime.now().astimezone().date()
    day = re.compile(r'by = "Kim", on = "(\d{4}-\d\d-\d\d)" \}')
    changed = {path: text for path, text in files_of(config).items() if text != before[path]}
    assert set(changed) == {f"languages/de/{name}.toml" for name in ("language", "words/messages", "words/rules")}
    for path, text in changed.items():
        old, new = before[path].split("\n"), text.split("\n")
        lines = [line for was, line in zip(old, new, strict=True) if was != line]
        assert 1 <= len(lines) <= 2, "all other lines, and the comments, stay"
        for line in lines:
            assert (found := day.search(line)) and today - date.fromisoformat(found[1]) <= timedelta(days=1)
    again = proof_of("de").replace("### [ ] messages.say.ask_from", "### messages.say.ask_from")
    assert check(again)[0] == 0 and reviewed_in("de", config) == set(keys), "no tick takes another away"


def test_corrections_are_shown_and_written_where_they_stood(check: Check, config: Path) -> None:
    page = proof_of("de")
    for before, after in (
        ("### [ ] messages.say.ask_from\nEnglish: From which square?\n\nDeutsch: Von welchem Feld?",) * 2,
        ("Deutsch: „{word}“ ist nicht bekannt.", 'Deutsch: Das Wort "{word}" ist nicht bekannt.'),
        ("Deutsch [one: 1]: eine Stunde", "Deutsch [one: 1]: 1 Stunde"),
        ("Deutsch [spoken]: zwo", "Deutsch [spoken]: zwo / zweie"),
        ("### [ ] rules.penalties.warning\nEnglish: a warning\n\nDeutsch: Verwarnung",) * 2,
    ):
        assert before in page, before
        changed = {"Von welchem Feld?": "Von welchem Feld aus?", "Deutsch: Verwarnung": "Deutsch: eine Verwarnung"}
        for old, new in changed.items():
            after = after.replace(old, new)
        page = page.replace(before, after, 1)
    status, out, err = check(page)
    assert (status, err) == (0, "")
    assert "messages.say.ask_from\n  - Von welchem Feld?\n  + Von welchem Feld aus?\n" in out
    assert "messages.unit.hour [one]\n  - eine Stunde\n  + 1 Stunde\n" in out
    assert "Changed: 5." in out
    entries = load_messages("de", config).entries
    assert entries["say.ask_from"].forms["other"] == "Von welchem Feld aus?"
    assert entries["say.unknown_word"].forms["other"].startswith('Das Wort "{word}" ist')
    assert entries["unit.hour"].forms == {"one": "1 Stunde", "other": "{count} Stunden"}
    assert load_language("de", config).words["rank.2"].spoken == ("zwo", "zweie")
    assert texts_to_correct("de", config)["rules.penalties.warning"] == {"": "eine Verwarnung"}
    lines = files_of(config)["languages/de/words/messages.toml"].splitlines()
    assert 'hour = { one = "1 Stunde", other = "{count} Stunden", review = "needs native review" }' in lines
    assert lines[lines.index("[say]") - 1] == "# Said into an ear, and shown."


def test_a_part_or_a_chapter_comes_back_alone(check: Check, config: Path) -> None:
    block = "### [x] messages.say.ask_from\nEnglish: From which square?\n\nDeutsch: Von welchem Feld?\n"
    page = f"<!-- anna-eins words: de -->\n\n{block}"
    status, _, err = check(page, "--by", "Kim")
    assert status == 2
    missing = len(texts_to_correct("de")) - 1
    assert err.startswith(f"de.md: sentences missing: {missing}, the first is messages.say.ask_repeat; put them back")
    status, out, err = check(page, "--partial", "--by", "Kim")
    assert (status, err) == (0, "") and "Reviewed: 1 of" in out
    entries = load_messages("de", config).entries
    assert (entries["say.ask_from"].review, entries["say.ask_repeat"].review) == ("reviewed", "source")
    laws = proof_of("de", "laws")
    assert check(laws)[0] == 0
    lost = laws.split("### [ ] ")
    assert "sentences missing: 1, the first is laws." in check("### [ ] ".join(lost[:-1]))[2]


def test_a_remark_is_told_and_kept_behind_the_text_and_its_comment(check: Check, config: Path) -> None:
    file = config / "languages/de/words/messages.toml"
    line = next(line for line in file.read_text("utf-8").splitlines() if line.startswith("ask_from = "))
    wrapped = line.replace('= "', '= """\\\n  ', 1).replace('?"', '?\\\n  """  # as in D.2.1', 1)
    file.write_text(file.read_text("utf-8").replace(line, wrapped, 1), encoding="utf-8")
    page = proof_of("de").replace("Deutsch: Von welchem Feld?\n", "Deutsch: Von welchem Feld?\n> Besser: Woher?\n", 1)
    status, out, err = check(page, "--by", "Kim")
    assert (status, err) == (0, "") and "messages.say.ask_from: Besser: Woher?\nChanged: 0. Reviewed: 0 of" in out
    assert f"{wrapped}  # Kim: Besser: Woher?\n" in file.read_text("utf-8")
    assert check(page, "--by", "Kim")[0] == 0
    assert file.read_text("utf-8").count("Besser: Woher?") == 1, "the second time it is there"


def test_a_guide_is_corrected_passage_by_passage_and_says_who_read_it(check: Check, config: Path) -> None:
    file = config / "languages/de/guides/player.md"
    before = file.read_text("utf-8")
    title, row, *_ = (passages_by_key("de")[f"guide.player.{number}"].text for number in (1, 20))
    page = ticked(proof_of("de"), "guide.player.1", "guide.player.3")
    lost = page.replace(f"Deutsch: {row}\n", f"Deutsch: {row.replace('|', '')}\n", 1)
    assert lost != page and check(lost, "--by", "Kim")[0] == 2 and "guide.player.20" in check(lost, "--by", "Kim")[2]
    page = page.replace(f"Deutsch: {row}\n", f"Deutsch: Neu {row}\n> kürzer\n", 1)
    status, out, err = check(page, "--by", "Kim")
    assert (status, err) == (0, "") and "Changed: 1. Reviewed: 2 of" in out
    assert reviewed_in("de", config) == {"guide.player.1", "guide.player.3"}
    texts = texts_to_correct("de", config)
    assert {key for key, forms in texts_to_correct("de").items() if forms != texts[key]} == {"guide.player.20"}
    after = file.read_text("utf-8")
    assert f"# {title} <!-- reviewed: Kim, " in after and f"| Neu {row} <!-- Kim: kürzer --> |\n" in after
    assert blocks_of(after)[0].text == blocks_of(before)[0].text, "no page shows who read it"
    assert [one.kind for one in blocks_of(after)] == [one.kind for one in blocks_of(before)]
    again = proof_of("de").replace(f"Deutsch: {row}\n", f"Deutsch: Neu {row}\n", 1)
    assert check(again)[0] == 0 and file.read_text("utf-8") == after, "what is there already is not written twice"


HOUR = {"one": "eine Stunde", "other": "{count} Stunden"}
MINUTE = {"one": "eine Minute", "other": "{count} Minuten"}
LONG_AGO = {"one": "eine Sekunde", "other": "{count} Sekündchen"}


def entry(key: str, verdict: str, was: dict[str, str], **done: object) -> str:
    english = english_of({key: was})[key]
    day = {"on": f"2026-11-{28 if verdict == 'right' else 29}"}
    saved = {"key": key, "verdict": verdict, **day, "english": english, "was": was, "text": was, "comment": "", **done}
    return json.dumps(saved, ensure_ascii=False)


ENTRIES = [
    entry("messages.say.ask_from", "right", {"": "Von welchem Feld?"}),
    entry(
        "messages.say.ask_repeat",
        "wrong",
        {"": "Bitte wiederholen."},
        text={"": "Noch einmal, bitte."},
        comment="kürzer",
    ),
    entry("messages.unit.hour", "unsure", HOUR, text={**HOUR, "one": "1 Stunde"}, comment="eine?"),
    entry("messages.unit.minute", "wrong", MINUTE),
    entry("messages.unit.second", "right", LONG_AGO),
    entry("messages.unit.and", "", {"": "{first} {then}"}),
]
SAVED = '{"anna-eins words": "de", "by": "Kim", "entries": [\n' + ",\n".join(ENTRIES) + "\n]}\n"
"""What the page saves of a reader who finds one right, corrects one, doubts one, rejects one, and read one long ago."""


def test_a_file_of_the_page_comes_back_with_ticks_and_comments(check: Check, config: Path) -> None:
    saved = "".join(line for line in SAVED.splitlines(keepends=True) if "say.yes" not in line).replace(
        "},\n]}", "}\n]}"
    )
    status, out, err = check(saved)
    assert (status, err) == (0, "")
    assert out.splitlines()[:-1] == [
        "messages.say.ask_repeat",
        "  - Bitte wiederholen.",
        "  + Noch einmal, bitte.",
        "messages.say.ask_repeat: Wrong. kürzer",
        "messages.unit.hour: Unsure. eine? [1 Stunde]",
        "messages.unit.minute: Wrong.",
        "messages.unit.second has changed since it was read, so it was passed over.",
    ]
    assert "Changed: 1. Reviewed: 2 of" in out
    assert reviewed_in("de", config) == {"messages.say.ask_from", "messages.say.ask_repeat"}
    assert texts_to_correct("de", config)["messages.unit.hour"] == texts_to_correct("de")["messages.unit.hour"]
    lines = files_of(config)["languages/de/words/messages.toml"].splitlines()
    mark = 'review = "reviewed", by = "Kim", on = "2026-11-{}" }}'
    assert f'ask_from = {{ text = "Von welchem Feld?", {mark.format(28)}' in lines
    assert f'ask_repeat = {{ text = "Noch einmal, bitte.", {mark.format(29)}  # Kim: wrong: kürzer' in lines
    assert any(line.startswith("minute = ") and line.endswith("# Kim: wrong") for line in lines)


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (
            '"text": {"one": "eine Minute", "other": "{count} Minuten"}',
            '"text": {"one": "eine Minute", "other": "viele Minuten"}',
            "de.md, line 5, key unit.minute.other: it stands for several numbers and must contain {count}.",
        ),
        (
            '"text": {"one": "eine Minute", "other": "{count} Minuten"}',
            '"text": {"one": "eine Minute"}',
            "de.md, line 5: messages.unit.minute [other] has lost its text; put the line back.",
        ),
        ("messages.unit.and", "messages.unit.und", "de.md, line 7: there is no sentence messages.unit.und"),
        ('"by": "Kim"', '"by": ""', "de.md does not say who ticked its texts; name the reader with --by."),
        ('"verdict": "right"', '"verdict": "maybe"', "de.md is not a file that the page of the words has saved"),
        (SAVED[-80:], "", "de.md is not a file that the page of the words has saved"),
        ('"anna-eins words": "de"', '"anna-eins words": "fr"', 'There are no words in "fr"; choose one of'),
    ],
)  # fmt: skip
def test_what_is_lost_in_a_file_of_the_page_is_named(
    check: Check, config: Path, before: str, after: str, told: str
) -> None:
    files = files_of(config)
    assert before in SAVED
    status, _, err = check(SAVED.replace(before, after, 1))
    assert status == 2 and files_of(config) == files
    assert any(line.startswith(told) for line in err.splitlines()), err


WRONG: dict[str, tuple[str, str, str]] = {
    "a lost place": (
        "Deutsch: {who} ruft den Schiedsrichter (6.11.2)",
        "Deutsch: Weiß ruft den Schiedsrichter (6.11.2)",
        "key detail.calls: it must contain {who}.",
    ),
    "braces that do not match": (
        "Deutsch: {who} ruft den Schiedsrichter (6.11.2)",
        "Deutsch: {who ruft den Schiedsrichter (6.11.2)",
        "key detail.calls: the braces do not match (",
    ),
    "a plural without its number": (
        "### [ ] messages.unit.hour",
        "### [ ] messages.unit.hour",
        "key unit.hour.other: it stands for several numbers and must contain {count}.",
    ),
    "an unknown key": (
        "### [ ] messages.say.ask_repeat",
        "### [ ] messages.say.ask_again",
        "there is no sentence messages.say.ask_again; restore its key as it was, or remove the block.",
    ),
    "English that is changed": (
        "English: Please repeat.",
        "English: Please say it again.",
        "the English of messages.say.ask_repeat has changed since this file was written; "
        "leave it as it was, or render the file again.",
    ),
    "an unknown plural form": (
        "Deutsch [one: 1]: eine Stunde",
        "Deutsch [few]: eine Stunde",
        "messages.unit.hour has no form [few]; remove this line.",
    ),
    "a word without a text": ("Deutsch: Remisangebot", "Deutsch:", "a text of language.words.cmd.draw_offer is empty."),
    "a remark": (
        "Deutsch: Bitte wiederholen.",
        "Das stimmt so nicht.",
        'it begins with none of "Deutsch:", "English:", "Beispiel:"; write each text behind its name',
    ),
}


@pytest.mark.parametrize(("before", "after", "told"), WRONG.values(), ids=list(WRONG))
def test_what_cannot_be_used_is_named_with_its_line_and_nothing_is_written(
    check: Check, config: Path, before: str, after: str, told: str
) -> None:
    files = files_of(config)
    page = only(proof_of("de"), before)
    if before == after:
        page = page.replace(
            "Deutsch [other: 0, 2, 3 ..]: {count} Stunden", "Deutsch [other: 0, 2, 3 ..]: viele Stunden", 1
        )
    page = page.replace(f"{before}\n", f"{after}\n", 1)
    status, out, err = check(page, "--partial")
    assert (status, out) == (2, "")
    assert any(line.startswith(f"de.md, line {line_of(page, after)}") and told in line for line in err.splitlines()), (
        err
    )
    assert files_of(config) == files


def test_every_wrong_line_is_named_at_once_in_their_order(check: Check) -> None:
    page = proof_of("de").replace("{who}", "Kim").replace("Deutsch: Bitte wiederholen.\n", "")
    _, _, err = check(page)
    lines = err.splitlines()
    assert len(lines) > 80 and any(
        "messages.say.ask_repeat has lost its text; put the line back." in one for one in lines
    )
    numbers = [int(one.split("line ")[1].replace(",", ":").split(":")[0]) for one in lines]
    assert numbers == sorted(numbers)


def test_what_the_program_could_not_load_is_not_written(check: Check, config: Path) -> None:
    """A word that would be heard as two different commands is found by the scheme that reads it."""
    files = files_of(config)
    page = proof_of("de").replace("Deutsch: Stopp\n", "Deutsch: Hilfe\n", 1)
    status, _, err = check(page)
    assert status == 2 and "Hilfe" in err.replace("hilfe", "Hilfe") and len(err.splitlines()) == 1
    assert files_of(config) == files


def test_a_dry_run_writes_nothing(check: Check, config: Path) -> None:
    files = files_of(config)
    status, out, _ = check(
        proof_of("de").replace("Deutsch: Bitte wiederholen.", "Deutsch: Noch einmal, bitte.", 1), "--dry-run"
    )
    assert status == 0 and out.endswith("Nothing was written.\n") and "  + Noch einmal, bitte.\n" in out
    assert files_of(config) == files


def test_a_page_of_another_language_and_what_is_no_page(check: Check, config: Path) -> None:
    files = files_of(config)
    hungarian = proof_of("hu").replace("words: hu", "words: de", 1)
    status, _, err = check(hungarian)
    assert status == 2 and 'it begins with none of "Deutsch:", "English:", "Beispiel:"' in err
    assert check(proof_of("de").replace("words: de", "words: fr", 1)) == (
        2, "", 'There are no words in "fr"; choose one of: ar, de, en, he, hu, hy.\n'
    )  # fmt: skip
    for garbage in ("", "# Anna Eins\n\nDeutsch: ja\n", "\x00\x01"):
        status, _, err = check(garbage)
        assert status == 2
        told = "does not begin with the line that `anna-eins words render` writes; put that first line back.\n"
        assert err.endswith(told)
    assert check("<!-- anna-eins words: de -->\n", "--partial")[1].startswith("Changed: 0. Reviewed: 0 of")
    assert files_of(config) == files


def test_a_file_that_cannot_be_read(capsys: pytest.CaptureFixture[str], tmp_path: Path, config: Path) -> None:
    assert words(capsys, "check", str(tmp_path / "none.md"))[2].endswith(
        "none.md cannot be read (No such file or directory).\n"
    )
    (tmp_path / "old.md").write_bytes("<!-- anna-eins words: de -->\nfür".encode("latin-1"))
    assert words(capsys, "check", str(tmp_path / "old.md"))[2].endswith("is not UTF-8; save it as UTF-8 text.\n")
    (tmp_path / "de.md").write_text(proof_of("de"), encoding="utf-8")
    assert words(capsys, "check", str(tmp_path / "de.md"), "--config", str(tmp_path))[2].endswith(
        "it contains no words.\n"
    )


def test_configuration_that_cannot_be_written_is_named_before_anything_is(
    check: Check, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root may write anywhere, so the refusal of the system is played: of one file, and no other is written."""
    files, opened = files_of(config), Path.open

    def refused(path: Path, mode: str = "r", *more: object, **options: object) -> object:
        if mode == "r+b" and path.name == "language.toml":
            raise PermissionError(13, "Permission denied")
        return opened(path, mode, *more, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", refused)
    page = ticked(proof_of("de"), "messages.say.ask_from", "language.words.rank.2")
    status, out, err = check(page, "--by", "Kim")
    assert (status, out) == (2, "")
    assert err == f"The configuration in {config} cannot be written to; name a copy of it with --config DIR.\n"
    assert files_of(config) == files


def test_pages_are_printed_or_written(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.cli.words.proof_of", proof_of)
    assert words(capsys, "render", "he") == (0, proof_of("he"), "")
    assert words(capsys, "render", "he", "--out", str(tmp_path / "page.md")) == (0, "", "")
    assert (tmp_path / "page.md").read_text("utf-8") == proof_of("he")
    assert words(capsys, "render", "he", "--page", str(tmp_path / "page.html")) == (0, "", "")
    assert (tmp_path / "page.html").read_text("utf-8") == page_of("he", sound=False)
    assert "delay (clock; of displays): Aufschub" in words(capsys, "glossary", "de")[1]
    assert words(capsys, "serve", "fr")[2].startswith('There are no words in "fr"; choose one of')
    monkeypatch.chdir(tmp_path)
    assert words(capsys, "render", "--all")[2].startswith("There is no folder")
    (tmp_path / "docs").mkdir()  # as in a fresh clone, which holds no such pages
    assert words(capsys, "render", "--all")[0] == 0
    assert {path.name for path in (tmp_path / "docs" / "words").iterdir()} == {
        f"{tag}.md" for tag in ("ar", "de", "en", "he", "hu", "hy")
    }
    assert words(capsys, "render")[2] == "Name one language, or give --all.\n"
    assert words(capsys, "render", "fr")[2].startswith('There are no words in "fr"; choose one of')
    assert words(capsys, "render", "--all", "--out", str(tmp_path / "none"))[2].startswith("There is no folder")
