"""The pages read only what the server sends: their scripts are checked against types made from its own messages."""

from __future__ import annotations

import os
import re
import shutil
import typing
from pathlib import Path

import msgspec
import pytest

from server.game.acts import StationAct
from server.game.views.messages import AnyMessage
from server.protocol import Incoming, Outgoing
from server.web.pages import NO_LANGUAGES, REMARK, TYPE, languages_known, load_files
from tests.web.message_types import TYPES, page
from tests.web.page_types import complaints
from tests.web.test_words_of_the_pages import static

HANDLES = """
import { Station } from "/static/core/station.js";
import { $ } from "/static/core/element.js";

const station = new Station({
  message(message) {
    if (message.type === "ended") $("last").textContent = message.FIELD;
  },
});
$("ELEMENT").addEventListener("click", () => station.do({ do: "DO", result: $("result").value || "1-0" }));
"""


def test_the_types_are_what_the_server_says() -> None:
    assert page() == TYPES.read_text("utf-8"), "python -m tests.web.message_types writes the types anew"


def test_everything_that_goes_over_a_line_has_a_type() -> None:
    text = TYPES.read_text("utf-8")
    for kind in (*typing.get_args(Incoming), *typing.get_args(Outgoing), *typing.get_args(AnyMessage)):
        config = kind.__struct_config__
        assert f'  interface {kind.__name__} {{ {config.tag_field}: "{config.tag}"' in text


def test_every_button_of_the_pages_gives_a_command_that_there_is() -> None:
    pages = [file.body.decode() for path, file in load_files().items() if not path.startswith("/static/")]
    bodies = {body for text in pages for body in re.findall(r"data-do='([^']+)'", text)}
    assert len(bodies) > 10
    for body in bodies:
        decoded = msgspec.json.decode(body, type=StationAct)
        assert msgspec.json.decode(body).keys() <= {"do", *type(decoded).__struct_fields__}, body


@pytest.mark.needs("tsc")
def test_a_page_that_reads_what_is_not_there_is_found(repo: Path, tmp_path: Path) -> None:
    """Five pages at once, for `tsc` is slow: the first is in order, each of the others has one fault."""
    pages = {
        "right": ("reason", "who", "approve_result", None),
        "field": ("outcome", "who", "approve_result", "Property 'outcome' does not exist"),
        "element": ("reason", "whom", "approve_result", "possibly 'null'"),
        "command": ("reason", "who", "approve", "'\"approve\"' is not assignable"),
        "argument": ("reason", "who", "resign", "'result' does not exist in type 'Resign'"),
    }
    folder = tmp_path / "static"
    shutil.copytree(static(repo), folder, ignore=shutil.ignore_patterns("arbiter", "entry"))
    for name, (field, element, do, _) in pages.items():
        text = HANDLES.replace("FIELD", field).replace("ELEMENT", element).replace('"DO"', f'"{do}"')
        (folder / f"{name}.js").write_text(text, "utf-8")
    found = re.split(r"\n(?! )", complaints(folder).strip())
    for name, (_, _, _, wrong) in pages.items():
        of_it = [one for one in found if f"{name}.js(" in one]
        assert (of_it == []) if wrong is None else (len(of_it) == 1 and wrong in of_it[0]), found
    assert len(found) == len(pages) - 1


@pytest.mark.parametrize(
    ("does", "said"),
    [
        ("echo 'out of memory' >&2; exit 134", "out of memory\n"),
        ("kill -9 $$", "tsc ended with status -9 and said nothing\n"),
        ("echo wrong; exit 2", "wrong\n"),
        ("exit 0", ""),
    ],
)
def test_a_tsc_that_breaks_off_finds_nothing_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, does: str, said: str
) -> None:
    stand_in = tmp_path / "tsc"
    stand_in.write_text(f"#!/bin/sh\n{does}\n", "utf-8")
    stand_in.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert complaints() == said


def test_types_for_tsc_are_not_sent_and_nothing_else_is_left_out(repo: Path) -> None:
    told = 0
    for path, file in load_files().items():
        if not path.endswith(".js"):
            continue
        source = (static(repo) / path.removeprefix("/static/")).read_bytes()
        assert b"/**" not in file.body, "a type in a form that the server does not know: one line, /** @... */"
        assert file.body.count(b"\n") == source.count(b"\n")
        comments = TYPE.findall(source)
        assert all(re.match(rb"/\*\* @(type|param|typedef|template|extends|returns|this) ", one) for one in comments)
        told += len(comments)
        remarks = REMARK.findall(TYPE.sub(b"", source))
        known = source.count(NO_LANGUAGES) * (len(languages_known()) - len(NO_LANGUAGES))
        assert len(file.body) == len(source) - sum(map(len, [*comments, *remarks])) + known
        assert not any(line.lstrip().startswith(b"//") for line in file.body.splitlines())
    assert told > 100
