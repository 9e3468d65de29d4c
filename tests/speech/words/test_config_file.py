"""One reader for every file of `config`: its complaints name the file and the whole key path, in plain words."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest

from speech.complaint import Complaint
from speech.words.config_file import Source, Text, named_source, read_settings, read_source, source_of


class Man(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One man of a game that does not exist."""

    name: Text
    worth: Annotated[int, msgspec.Meta(ge=0)] = 0
    side: Literal["white", "black"] = "white"
    also: tuple[str, ...] = ()


Men = dict[str, dict[str, Man]]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[a."b.c"]\nname = 5', 'key a."b.c".name: expected text, got a whole number'),
        ('[a.b]\nname = "x"\n[a.c]\nname = " "', "key a.c.name: this text is empty"),
        ('[a.b]\nname = "x"\n[d.e]\n', "key d.e.name: this entry is missing"),
        ('[a.b]\nname = "x"\n[a.c]\nnam = "y"', "key a.c.nam: this entry is unknown; check its spelling"),
        ('[a.b]\nname = "x"\nside = "red"', 'key a.b.side: it cannot be "red"'),
        ('[a.b]\nname = "x"\nworth = -1', "key a.b.worth: expected a whole number at least 0"),
        ('[a.b]\nname = "x"\nalso = ["y", 5]', "key a.b.also[2]: expected text, got a whole number"),
        ('[a.b]\nname = "x"\nside = "a.b - at `$.c`"', 'key a.b.side: it cannot be "a.b - at $.c"'),
        ("a = 3", "key a: expected a table, got a whole number"),
    ],
)
def test_a_value_of_another_shape_is_named_with_its_whole_key_path(text: str, told: str) -> None:
    with pytest.raises(Complaint) as wrong:
        source_of(text.encode(), "config/men.toml").in_shape(Men)
    assert str(wrong.value) == f"config/men.toml, {told}."


@pytest.mark.parametrize(
    ("kind", "value", "told"),
    [
        (dict[Literal["a"], Any], {"a": 1, "b": 2}, 'x.b: it cannot be "b"'),
        (tuple[int, int], [1], "x: expected a list of length 2, got 1"),
        (str | tuple[str, ...], 4, "x: expected text or a list, got a whole number"),
    ],
)
def test_a_part_of_a_file_is_named_below_its_path(kind: Any, value: Any, told: str) -> None:
    with pytest.raises(Complaint) as wrong:
        Source("men.toml", {}).in_shape(kind, "x", value)
    assert str(wrong.value) == f"men.toml, key {told}."


def test_the_complaint_leaves_the_table_as_it_was() -> None:
    source = source_of(b"[a.b]\nname = 'x'\n[a.c]\nname = 1", "men.toml")
    with pytest.raises(Complaint):
        source.in_shape(Men)
    assert source.table == {"a": {"b": {"name": "x"}, "c": {"name": 1}}}


def test_a_file_that_is_missing_or_no_toml(tmp_path: Path) -> None:
    with pytest.raises(Complaint, match=r"^config/men\.toml is missing"):
        read_settings("men.toml", Men, tmp_path)
    for text in (b"[a", b"a = '\xff'", b"a = " + b"[" * 5_000):
        (tmp_path / "men.toml").write_bytes(text)
        with pytest.raises(Complaint, match=r"^config/men\.toml is not valid TOML"):
            read_source("men.toml", tmp_path)
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "a.toml").write_text("b = 1")
    assert named_source("games", "a", "game", tmp_path).table == {"b": 1}
    with pytest.raises(Complaint, match=r'^There is no game "../men"; choose one of: a\.$'):
        named_source("games", "../men", "game", tmp_path)


def test_a_file_that_is_nested_too_deep_is_no_toml() -> None:
    for text in ("a = " + "[" * 100_000, "a = " + "{a = " * 100_000):
        with pytest.raises(Complaint, match="is not valid TOML"):
            source_of(text.encode(), "settings.toml")


def test_exactly_these_keys() -> None:
    source = Source("men.toml", {"king": 1, "quen": 2})
    source.exactly({"king": 1}, "", ("king", "queen"), every=False)
    with pytest.raises(Complaint, match=r"key men\.quen: this entry is unknown"):
        source.exactly(source.table, "men", ("king", "queen"))
    with pytest.raises(Complaint, match=r"key men\.queen: this entry is missing"):
        source.exactly({"king": 1}, "men", ("king", "queen"))
