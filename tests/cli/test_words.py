"""`anna-eins words`: a corrected page is taken back, or each line that cannot be used is named."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from server.cli import main
from server.exports.correction import texts_of
from server.exports.proof import proof_of
from speech.words.catalogue import PARTS, load_messages
from speech.words.loading import load_language

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


def test_an_unchanged_page_marks_everything_as_reviewed(check: Check, config: Path) -> None:
    before = files_of(config)
    status, out, err = check(proof_of("de"), "--by", "Kim")
    assert (status, err) == (0, "")
    count = len(texts_of("de"))
    assert out == f"Changed: 0. Reviewed: {count} of {count}. Now write the files anew: anna-eins words render --all\n"
    assert texts_of("de", config) == texts_of("de")
    for part in ("messages", "pages", "laws", "proof"):
        reviews = {one.review for one in load_messages("de", config, part=part).entries.values()}
        assert reviews == {"reviewed"}
    assert {word.review for word in load_language("de", config).words.values()} == {"reviewed"}
    messages = before["languages/de/words/messages.toml"].replace(
        'review = "source"', 'review = "reviewed"  # by Kim', 1
    )
    assert files_of(config)["languages/de/words/messages.toml"] == messages, "comments and order stay"
    changed = {path for path, text in files_of(config).items() if text != before[path]}
    assert changed == {f"languages/de/words/{part}.toml" for part in PARTS} | {"languages/de/language.toml"}
    again = files_of(config)
    assert check(proof_of("de"))[0] == 0
    assert files_of(config) == again, "the second time nothing is left to mark"


def test_corrections_are_shown_and_written_where_they_stood(check: Check, config: Path) -> None:
    page = proof_of("de")
    for before, after in (
        ("### messages.say.ask_from\nEnglish: From which square?\n\nDeutsch: Von welchem Feld?",) * 2,
        ("Deutsch: „{word}“ ist nicht bekannt.", 'Deutsch: Das Wort "{word}" ist nicht bekannt.'),
        ("Deutsch [one]: eine Stunde", "Deutsch [one]: 1 Stunde"),
        ("Deutsch [spoken]: zwo", "Deutsch [spoken]: zwo / zweie"),
        ("### rules.penalties.warning\nEnglish: a warning\n\nDeutsch: Verwarnung",) * 2,
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
    assert texts_of("de", config)["rules.penalties.warning"] == {"": "eine Verwarnung"}
    lines = files_of(config)["languages/de/words/messages.toml"].splitlines()
    assert 'hour = { one = "1 Stunde", other = "{count} Stunden" }' in lines
    assert lines[lines.index("[say]") - 1] == "# Said into an ear, and shown."


def test_a_part_is_marked_sentence_by_sentence(check: Check, config: Path) -> None:
    block = "### messages.say.ask_from\nEnglish: From which square?\n\nDeutsch: Von welchem Feld?\n"
    page = f"<!-- anna-eins words: de -->\n\n{block}"
    status, _, err = check(page)
    assert status == 2
    missing = len(texts_of("de")) - 1
    assert err.startswith(f"de.md: sentences missing: {missing}, the first is messages.say.ask_repeat; put them back")
    status, out, err = check(page, "--partial")
    assert (status, err) == (0, "") and "Reviewed: 1 of" in out
    entries = load_messages("de", config).entries
    assert (entries["say.ask_from"].review, entries["say.ask_repeat"].review) == ("reviewed", "source")


WRONG: dict[str, tuple[str, str, str]] = {
    "a lost place": (
        "Deutsch: {who} ruft den Schiedsrichter (6.11.2)",
        "Deutsch: Weiß ruft den Schiedsrichter (6.11.2)",
        "key detail.calls: it must have {who}.",
    ),
    "braces that do not match": (
        "Deutsch: {who} ruft den Schiedsrichter (6.11.2)",
        "Deutsch: {who ruft den Schiedsrichter (6.11.2)",
        "key detail.calls: the braces do not match (",
    ),
    "a plural without its number": (
        "### messages.unit.hour",
        "### messages.unit.hour",
        "key unit.hour.other: it stands for several numbers and must have {count}.",
    ),
    "an unknown key": (
        "### messages.say.ask_repeat",
        "### messages.say.ask_again",
        "there is no sentence messages.say.ask_again; write its key as it was, or take the block out.",
    ),
    "English that is changed": (
        "English: Please repeat.",
        "English: Please say it again.",
        "the English of messages.say.ask_repeat is not that of today; leave it as it was, or render the file anew.",
    ),
    "an unknown plural form": (
        "Deutsch [one]: eine Stunde",
        "Deutsch [few]: eine Stunde",
        "messages.unit.hour has no form [few]; take this line out.",
    ),
    "a word without a text": ("Deutsch: Remisangebot", "Deutsch:", "a text of language.words.cmd.draw_offer is empty."),
    "a remark": (
        "Deutsch: Bitte wiederholen.",
        "Das stimmt so nicht.",
        'it begins with none of "Deutsch:", "English:", "Beispiel:"; write each text on one line, after its name.',
    ),
}


@pytest.mark.parametrize(("before", "after", "told"), WRONG.values(), ids=list(WRONG))
def test_what_cannot_be_used_is_named_with_its_line_and_nothing_is_written(
    check: Check, config: Path, before: str, after: str, told: str
) -> None:
    files = files_of(config)
    page = proof_of("de")
    if before == after:
        page = page.replace("Deutsch [other]: {count} Stunden", "Deutsch [other]: viele Stunden", 1)
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
        assert err.endswith("does not begin as `anna-eins words render` writes it; put its first line back.\n")
    assert check("<!-- anna-eins words: de -->\n", "--partial")[1].startswith("Changed: 0. Reviewed: 0 of")
    assert files_of(config) == files


def test_a_file_that_cannot_be_read(capsys: pytest.CaptureFixture[str], tmp_path: Path, config: Path) -> None:
    assert words(capsys, "check", str(tmp_path / "none.md"))[2].endswith(
        "none.md cannot be read (No such file or directory).\n"
    )
    (tmp_path / "old.md").write_bytes("<!-- anna-eins words: de -->\nfür".encode("latin-1"))
    assert words(capsys, "check", str(tmp_path / "old.md"))[2].endswith("is not in UTF-8; save it as UTF-8 text.\n")
    (tmp_path / "de.md").write_text(proof_of("de"), encoding="utf-8")
    assert words(capsys, "check", str(tmp_path / "de.md"), "--config", str(tmp_path))[2].endswith("it has no words.\n")


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
    status, out, err = check(proof_of("de"))
    assert (status, out) == (2, "")
    assert err == f"The configuration in {config} cannot be written; give a copy of it with --config DIR.\n"
    assert files_of(config) == files


def test_pages_are_printed_or_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert words(capsys, "render", "he") == (0, proof_of("he"), "")
    assert words(capsys, "render", "he", "--out", str(tmp_path / "page.md")) == (0, "", "")
    assert (tmp_path / "page.md").read_text("utf-8") == proof_of("he")
    assert words(capsys, "render", "--all", "--out", str(tmp_path))[0] == 0
    assert {path.name for path in tmp_path.glob("??.md")} == {
        f"{tag}.md" for tag in ("ar", "de", "en", "he", "hu", "hy")
    }
    assert words(capsys, "render")[2] == "Name one language, or give --all.\n"
    assert words(capsys, "render", "fr")[2].startswith('There are no words in "fr"; choose one of')
    assert words(capsys, "render", "--all", "--out", str(tmp_path / "none"))[2].startswith("There is no folder")
