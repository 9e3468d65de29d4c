"""A page of prose becomes blocks, sound and braille; each guide for a reader is one page and can be read aloud."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import wave
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from braille import brf
from server.cli import group
from server.exports.guide import Block, TextRun, blocks_of, guide_braille, guide_text, in_braille, sentences
from server.wording.words import meaning_typed, scheme_of
from speech.audio.flac import decode_flac
from speech.complaint import Complaint
from speech.words.config_file import language_tags

GUIDES = [
    *((role, tag) for role in ("player", "opponent") for tag in language_tags()),
    *((role, tag) for role in ("assistant", "arbiter", "organiser") for tag in ("de", "en")),
]
QUOTES = ('""', "„“", "„”", "«»", "״״")
"""How each language quotes what is said."""
PAGE = """# A game

Say *Springer Felix drei*. Then
press `F8`!

1. first, **now**
2. second

| you say | you hear |
|---|---|
| time | your own time |
"""


def test_a_page_becomes_headings_paragraphs_items_and_rows() -> None:
    found = blocks_of(PAGE)
    assert [(one.kind, one.text) for one in found] == [
        ("heading", "A game"),
        ("text", "Say Springer Felix drei. Then press F8!"),
        ("item", "1. first, now"),
        ("item", "2. second"),
        ("item", "you say: you hear"),
        ("item", "time: your own time"),
    ]
    assert [piece.text for piece in found[1].pieces if piece.german] == ["Springer Felix drei"]
    with pytest.raises(Complaint, match="nothing to speak"):
        blocks_of("![picture](a.png)\n")


def test_a_block_is_said_in_sentences_and_the_words_of_the_laws_stay_whole() -> None:
    said = sentences(Block("text", (TextRun("Say "), TextRun("Turm. Dame", german=True), TextRun(" now. Then! – "))))
    assert said == (
        (TextRun("Say "), TextRun("Turm. Dame", german=True), TextRun(" now.")),
        (TextRun("Then!"),),
    )


def test_braille_pages_have_a_head_a_number_and_forty_cells() -> None:
    long = Block("item", (TextRun(" ".join(["abcde"] * 200)),))
    text = in_braille((Block("heading", (TextRun("title"),)), long), lambda words: words_in_cells(words))
    pages = brf.read_pages(text)
    assert len(pages) == 2 and all(len(page) <= brf.HEIGHT for page in pages)
    assert all(len(line) <= brf.WIDTH for page in pages for line in page)
    assert [page[0].rstrip("⠀")[0] for page in pages] == ["⠞", "⠞"]
    assert pages[0][2].startswith("⠁") and pages[0][3].startswith("⠀⠀⠁"), "an item goes on indented"


def words_in_cells(words: str) -> str:
    return "".join("⠀" if one == " " else "⠁" if one in "abcde" else "⠞" for one in words)


@pytest.mark.parametrize(("role", "language"), GUIDES)
def test_a_guide_is_one_page_and_becomes_braille(tmp_path: Path, role: str, language: str) -> None:
    text = guide_text(role, language)
    assert len(text.splitlines()) <= 66 and len(text.split()) <= 600, "one printed page"
    made = tmp_path / "guide.brf"
    done = CliRunner().invoke(group, ["say", "--guide", role, "--language", language, "--out", str(made)])
    assert (done.exit_code, done.output) == (0, ""), "every letter can be written"
    pages = brf.read_pages(made.read_text("ascii"))
    assert len(pages) >= 3 and all(len(one) <= brf.HEIGHT for one in pages)
    assert all(len(line) <= brf.WIDTH for one in pages for line in one)
    assert guide_braille(role, language) == made.read_bytes().decode("ascii"), "the server hands out the same"


@pytest.mark.parametrize(("role", "language"), [one for one in GUIDES if one[1] != "en"])
def test_a_translated_guide_has_the_same_parts_and_says_that_no_native_has_read_it(role: str, language: str) -> None:
    english, translated = (blocks_of(guide_text(role, tag)) for tag in ("en", language))
    assert translated[1].kind == "text" and translated[1].text.startswith("(")
    assert [one.kind for one in translated if one.kind != "text"] == [one.kind for one in english if one.kind != "text"]


def test_a_guide_that_is_not_there_is_one_sentence_with_the_choice() -> None:
    with pytest.raises(Complaint, match=r'no guide for the arbiter in "hu"; choose one of: de, en\.'):
        guide_text("arbiter", "hu")
    with pytest.raises(Complaint, match=r'no guide for "\.\./words"; choose one of: player, '):
        guide_text("../words", "en")


def test_the_players_guide_is_one_sound_without_clipping(repo: Path, tmp_path: Path) -> None:
    """As long as somebody reads it: two to four words a second, with pauses; the German words too."""
    arguments = ["say", "--guide", "player", "--language", "en"]
    for name in ("player.wav", "player.flac"):
        done = subprocess.run(
            [sys.executable, "-P", "-c", "from server.cli import main; main()", *arguments, "--out", name],
            cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(repo)}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")
    with wave.open(str(tmp_path / "player.wav")) as sound:
        rate, samples = sound.getframerate(), np.frombuffer(sound.readframes(sound.getnframes()), "<i2")
    words = len(guide_text("player", "en").split())
    assert 2 < words / (len(samples) / rate) < 4
    peak = int(np.abs(samples.astype(np.int32)).max())
    assert 5_000 < peak < 32_767, "no clipping"
    assert len(decode_flac((tmp_path / "player.flac").read_bytes()).array) == pytest.approx(len(samples), rel=0.02)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--out", "a.wav"], "Give one of these: a text to say, a page"),
        (["Turm", "--file", "a.md", "--out", "a.wav"], "Give one of these: a text to say, a page"),
        (["Turm", "--guide", "player", "--out", "a.wav"], "Give one of these: a text to say, a page"),
        (["--file", "a.md", "--out", "a.wav"], "There is no file a.md"),
        (["Turm", "--out", "a.brf"], "Only a page can be put into braille"),
    ],
)
def test_what_cannot_be_read_aloud_is_one_sentence(arguments: list[str], sentence: str) -> None:
    done = CliRunner().invoke(group, ["say", *arguments])
    assert isinstance(done.exception, Complaint) and sentence in str(done.exception)


@pytest.mark.parametrize("language", language_tags())
def test_what_the_players_guide_says_can_be_said_is_a_command(language: str) -> None:
    text = guide_text("player", language)
    rows = [one.text.split(":")[0] for one in blocks_of(text) if one.kind == "item" and ":" in one.text]
    _, *table = [row for row in rows if f"| {row} |" in text]
    said = [word for row in table for word in re.split("[,،] ", row)]
    quoted = [one for quotes in QUOTES for one in re.findall("{0}([^{0}{1}]+){1}".format(*quotes), text)]
    assert len(said) >= 7 and len(quoted) >= 6
    for word in [*said, *quoted]:
        assert meaning_typed(word, scheme_of("d21", language)).kind == "command", word
