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
from server.exports.guide import Block, Piece, blocks_of, in_braille, sentences
from server.wording.words import scheme_of, typed
from speech.audio.flac import decode_flac
from speech.complaint import Complaint

ROLES = ("player", "opponent", "assistant", "arbiter", "organiser")
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
    with pytest.raises(Complaint, match="nothing to say"):
        blocks_of("![picture](a.png)\n")


def test_a_block_is_said_in_sentences_and_the_words_of_the_laws_stay_whole() -> None:
    said = sentences(Block("text", (Piece("Say "), Piece("Turm. Dame", german=True), Piece(" now. Then! – "))))
    assert said == (
        (Piece("Say "), Piece("Turm. Dame", german=True), Piece(" now.")),
        (Piece("Then!"),),
    )


def test_braille_pages_have_a_head_a_number_and_forty_cells() -> None:
    long = Block("item", (Piece(" ".join(["abcde"] * 200)),))
    text = in_braille((Block("heading", (Piece("title"),)), long), lambda words: words_in_cells(words))
    pages = brf.read_pages(text)
    assert len(pages) == 2 and all(len(page) <= brf.HEIGHT for page in pages)
    assert all(len(line) <= brf.WIDTH for page in pages for line in page)
    assert [page[0].rstrip("⠀")[0] for page in pages] == ["⠞", "⠞"]
    assert pages[0][2].startswith("⠁") and pages[0][3].startswith("⠀⠀⠁"), "an item goes on indented"


def words_in_cells(words: str) -> str:
    return "".join("⠀" if one == " " else "⠁" if one in "abcde" else "⠞" for one in words)


@pytest.mark.parametrize("name", [*ROLES, "player.de"])
def test_a_guide_is_one_page_and_becomes_braille(repo: Path, tmp_path: Path, name: str) -> None:
    page = repo / "docs" / "guides" / f"{name}.md"
    text = page.read_text("utf-8")
    assert len(text.splitlines()) <= 66 and len(text.split()) <= 600, "one printed page"
    made = tmp_path / "guide.brf"
    language = "de" if name.endswith(".de") else "en"
    done = CliRunner().invoke(group, ["say", "--file", str(page), "--language", language, "--out", str(made)])
    assert (done.exit_code, done.output) == (0, ""), "every letter can be written"
    pages = brf.read_pages(made.read_text("ascii"))
    assert len(pages) > 3 and all(len(one) <= brf.HEIGHT for one in pages)
    assert all(len(line) <= brf.WIDTH for one in pages for line in one)


def test_the_players_guide_is_one_sound_without_clipping(repo: Path, tmp_path: Path) -> None:
    """As long as somebody reads it: two to four words a second, with pauses; the German words too."""
    page = repo / "docs" / "guides" / "player.md"
    arguments = ["say", "--file", str(page), "--language", "en"]
    for name in ("player.wav", "player.flac"):
        done = subprocess.run(
            [sys.executable, "-P", "-c", "from server.cli import main; main()", *arguments, "--out", name],
            cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(repo)}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")
    with wave.open(str(tmp_path / "player.wav")) as sound:
        rate, samples = sound.getframerate(), np.frombuffer(sound.readframes(sound.getnframes()), "<i2")
    words = len(page.read_text("utf-8").split())
    assert 2 < words / (len(samples) / rate) < 4
    peak = int(np.abs(samples.astype(np.int32)).max())
    assert 5_000 < peak < 32_767, "no clipping"
    assert len(decode_flac((tmp_path / "player.flac").read_bytes()).array) == pytest.approx(len(samples), rel=0.02)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--out", "a.wav"], "a text to say, a page with --file, or --instruction"),
        (["Turm", "--file", "a.md", "--out", "a.wav"], "a text to say, a page with --file, or --instruction"),
        (["--file", "a.md", "--out", "a.wav"], "There is no file a.md"),
        (["Turm", "--out", "a.brf"], "Braille is made of a page"),
    ],
)
def test_what_cannot_be_read_aloud_is_one_sentence(arguments: list[str], sentence: str) -> None:
    done = CliRunner().invoke(group, ["say", *arguments])
    assert isinstance(done.exception, Complaint) and sentence in str(done.exception)


@pytest.mark.parametrize(("name", "language"), [("player", "en"), ("player.de", "de")])
def test_what_the_players_guide_says_can_be_said_is_a_command(repo: Path, name: str, language: str) -> None:
    text = (repo / "docs" / "guides" / f"{name}.md").read_text("utf-8")
    rows = [one.text.split(":")[0] for one in blocks_of(text) if one.kind == "item" and ":" in one.text]
    _, *table = [row for row in rows if f"| {row} |" in text]
    said = [word for row in table for word in row.split(", ")]
    assert len(said) >= 7
    for word in [*said, *re.findall(r'"([^"]+)"', text)]:
        assert typed(word, scheme_of("d21", language)).kind == "command", word
