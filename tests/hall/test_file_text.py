"""The bytes of a file become the names that its writer meant, or a person is asked which is right."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from server.cli import group
from server.hall.foreign_files.file_text import CodePageUnclear, code_pages, file_text
from speech.complaint import Complaint
from tests.hall.test_pairing_files import boards

NAMES = {
    "HUN": (["Erdős, Őrs", "Fűzfa, Tünde", "Szabó, Ödön"], ["cp1250", "iso8859_2", "cp852"]),
    "POL": (["Święty, Łukasz", "Żółć, Zażółcia"], ["cp1250", "iso8859_2", "cp852"]),
    "CZE": (["Žižka, Jiří", "Dvořák, Věra"], ["cp1250", "iso8859_2", "cp852"]),
    "GER": (["Müller, Änne", "Weiß, Jörg", "Ömer, Übel"], ["cp1252", "cp850", "cp437", "iso8859_15"]),
    "ESP": (["Peña, Íñigo", "Muñoz, Álvaro"], ["cp1252", "cp850"]),
    "TUR": (["Şahin, Işıl", "Yılmaz, Çağrı"], ["cp1254", "iso8859_9", "cp857"]),
    "LAT": (["Bērziņš, Jānis", "Kļava, Ģirts"], ["cp1257", "iso8859_13"]),
    "RUS": (["Иванов, Пётр", "Смирнова, Анна"], ["cp1251", "koi8_r", "iso8859_5", "cp866"]),
    "GRE": (["Παπαδόπουλος, Γιώργος"], ["cp1253", "iso8859_7", "cp737"]),
    "ISR": (["כהן, דוד", "לוי, שרה"], ["cp1255", "iso8859_8", "cp862"]),
    "EGY": (["محمد, علي", "يوسف, خالد"], ["cp1256", "iso8859_6"]),
}
CASES = [(federation, page) for federation, (_, pages) in NAMES.items() for page in pages]


def lines(names: list[str], federation: str = "   ") -> str:
    """Players of a TRF, paired one with another; each code page has the columns of characters."""
    rows = []
    for rank, name in enumerate(names, 1):
        other, colour = (rank + 1, "w") if rank % 2 else (rank - 1, "b")
        cell = f"{other:04} {colour}  " if max(rank, other) <= len(names) else "0000 - U"
        rows.append(f"001 {rank:4}      {name:33} {federation}{'':40}{cell}")
    return "\r\n".join(rows)


@pytest.mark.parametrize(("federation", "page"), CASES)
def test_names_are_read_in_every_code_page_of_their_federation(federation: str, page: str) -> None:
    text = lines(NAMES[federation][0], federation)
    assert file_text(text.encode(page)).text == text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_unicode_in_every_form_is_read(encoding: str) -> None:
    text = lines(["Erdős, Őrs", "Иванов, Пётр"])
    assert file_text(text.encode(encoding)).text == text


def test_the_letters_alone_tell_where_one_language_has_them_all() -> None:
    found = file_text(lines(["Erdős, Őrs", "Fűzfa, Tünde"]).encode("cp1250"))
    assert (found.encoding, found.sample) == ("cp1250", "Erdős") and "Fűzfa" in found.text


def test_the_federation_of_the_tournament_tells_where_no_player_has_one() -> None:
    raw = f"012 Abierto\r\n032 ESP\r\n{lines(['Peña, Ana'])}".encode("cp1252")
    assert "Peña" in file_text(raw).text


def test_where_two_pages_fit_a_person_is_asked_by_a_name() -> None:
    raw = lines(["Peña, Ana"]).encode("cp1252")
    with pytest.raises(CodePageUnclear) as asked:
        file_text(raw)
    assert asked.value.choices == (("cp1252", "Peña"), ("cp1250", "Peńa"))
    assert "Peña" in file_text(raw, "cp1252").text and "Peńa" in file_text(raw, "cp1250").text


@pytest.mark.parametrize("raw", [b"\0\1\2\3", b"MZ\x90\x00\x03", b"\xff\xfe\x00\xd8", b"\x89PNG\r\n\x1a\n\x00"])
def test_what_is_no_text_is_one_sentence(raw: bytes) -> None:
    with pytest.raises(Complaint, match="not a text file"):
        file_text(raw)


def test_a_mark_of_windows_ends_no_line() -> None:
    text = file_text(lines(["Adler… A", "Busch, Bruno"]).encode("cp1252")).text
    assert boards(text) == [("Adler… A", "Busch, Bruno")]


def test_every_page_is_one_that_python_knows() -> None:
    known = code_pages()
    assert all("a".encode(page) == b"a" for page in known.all)
    assert {one for names in known.federations.values() for one in names} <= known.letters.keys()


def test_import_asks_for_the_page_and_takes_it(tmp_path: Path) -> None:
    file = tmp_path / "round.trf"
    file.write_bytes(lines(["Peña, Ana", "Muñoz, Luis"]).encode("cp1252"))
    look = ["import", str(file), "--look", "--data", str(tmp_path / "data")]
    asked = CliRunner().invoke(group, look)
    assert "Peña (cp1252), Peńa (cp1250)" in str(asked.exception) and "--encoding" in str(asked.exception)
    assert "Peńa, Ana – Muńoz, Luis" in CliRunner().invoke(group, [*look, "--encoding", "cp1250"]).output
    file.write_bytes(lines(["Peña, Ana", "Muñoz, Luis"], "ESP").encode("cp1252"))
    assert "cp1252, for example Peña" in CliRunner().invoke(group, look).output
