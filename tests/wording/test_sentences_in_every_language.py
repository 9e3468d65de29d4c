"""What a person may read is a phrase of the catalogue, so that each reads it in their own language.

The rule is who reads it. A player, an arbiter, an organiser, a volunteer or a native reader of the words: it is a
`Phrase`, and stands in all languages in the catalogue. English may stay what only a developer reads (a fault in code,
what is wrong with files that come with the program, training), what only another program reads (a line between two
machines), and the lines of the log, which a developer is sent.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from speech.complaint import Complaint, Phrase, told_by
from speech.words.catalogue import load_messages, phrase_in, places_of
from speech.words.config_file import language_tags

ROOMS = ("server", "speech", "braille")
TOLD = frozenset(
    {
        *("Complaint", "Lacking", "AccessDenied", "ChildFailed", "JournalFailed", "NoAnswer"),
        *("click.echo", "click.prompt", "click.confirm", "shown", "source.complain"),
    }
)
"""What is called to tell a person something; `source.complain` is of a file that people write."""
CALLED = re.compile(rf"\b(?:{'|'.join(sorted(name.rpartition('.')[2] for name in TOLD))})\(")
"""Only a file in which one of them is called is taken apart."""
IN_THE_CATALOGUE = ("Phrase", "told", "tell", "wrong", "not_written", "text", "say", "in_own_words", "translated")
"""Calls whose texts are keys of the catalogue and values for its places."""
FOR_DEVELOPERS = {
    "speech/training": "the workbench",
    "speech/recognisers/own/kaldi/fst.py": "a damaged file of the program's own model",
    "speech/recognisers/own/inventory.py": "a damaged file of the program's own model",
    "speech/recognisers/own/child.py": "a request from our own program",
    "speech/recognisers/whisper/child.py": "a request from our own program",
    "speech/recognisers/whisper/settings.py": "files that come with the program",
    "speech/recognisers/vosk/child.py": "a request from our own program",
    "speech/enrolment/adapt_child.py": "a request from our own program",
    "speech/process.py": "how a child process ended; it names our module",
    "speech/recognisers/live_wire.py": "how a child process ended",
    "speech/voices/pyttsx3_child.py": "a request from our own program",
    "speech/voices/system_voice.py": "a request from our own program",
    "speech/audio/flac.py": "a request from our own program",
    "server/demo/performance.py": "what the demonstration finds broken in the program",
    "server/exports/samples.py": "a sample that the words lack",
    "server/web/pages.py": "the parts of our own pages",
    "server/web/api/spectators.py": "caught where it is raised",
    "server/table/intake.py": "a page offers only what there is",
    "speech/words/catalogue.py": "files of words that come with the program",
    "speech/words/loading.py": "files of words that come with the program",
    "speech/enrolment/prompts.py": "files that come with the program",
    "speech/hearing": "files that come with the program",
    "speech/speakers": "files that come with the program",
    "speech/models": "files that come with the program",
    "speech/audio/vad.py": "files that come with the program",
    "speech/recognisers/checked_words.py": "files that come with the program",
    "server/wording/laws.py": "files that come with the program",
    "server/wording/pages.py": "files that come with the program",
    "server/wording/rules.py": "files that come with the program",
    "server/desk/settling.py": "files that come with the program",
    "braille/loading.py": "profiles that come with the program",
}
"""File or room -> why only a developer reads what stays English there."""
FOR_PROGRAMS = {
    "speech/audio/frames.py": "a line of sound between a station and the server",
    "speech/wyoming": "a line between two machines",
    "server/boards/drivers/bridge.py": "a program that brings a board of its own",
    "server/web/api/boards.py": "a program that brings a board of its own",
}
"""File or room -> which program reads what stays English there."""


def name_of(call: ast.Call) -> str:
    """The name that is called, behind that of a module or variable where it stands in one."""
    if isinstance(call.func, ast.Attribute):
        return f"{call.func.value.id if isinstance(call.func.value, ast.Name) else ''}.{call.func.attr}"
    return call.func.id if isinstance(call.func, ast.Name) else ""


def sentences(node: ast.AST) -> Iterator[str]:
    """Yield the English sentences in a call, but not what is put into a phrase."""
    if isinstance(node, ast.Call) and name_of(node).rpartition(".")[2] in IN_THE_CATALOGUE:
        return
    if isinstance(node, ast.JoinedStr):
        parts = [one.value for one in node.values if isinstance(one, ast.Constant)]
        yield from _prose(" x ".join(map(str, parts)))
    elif isinstance(node, ast.Constant):
        yield from _prose(node.value if isinstance(node.value, str) else "")
    for below in ast.iter_child_nodes(node):
        yield from sentences(below)


def _prose(text: str) -> Iterator[str]:
    if sum(word.strip(".,:;()'\"").isalpha() for word in text.split()) > 2:
        yield text


def told_in(source: str) -> Iterator[tuple[int, str]]:
    """Yield each English sentence that a file tells a person, with its line."""
    if not CALLED.search(source):
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and name_of(node) in TOLD:
            given = [*node.args, *(one.value for one in node.keywords)]
            yield from ((node.lineno, text) for one in given for text in sentences(one))


def left_in_english(repo: Path) -> dict[str, list[tuple[int, str]]]:
    found = {}
    for room in ROOMS:
        for file in sorted((repo / room).rglob("*.py")):
            if told := list(told_in(file.read_text("utf-8"))):
                found[file.relative_to(repo).as_posix()] = told
    return found


def test_what_a_person_is_told_is_a_phrase(repo: Path) -> None:
    left = left_in_english(repo)
    known = FOR_DEVELOPERS | FOR_PROGRAMS
    assert {file: told for file, told in left.items() if not file.startswith(tuple(known))} == {}
    assert all(any(file.startswith(one) for file in left) for one in known), "this room tells nothing in English"


@pytest.mark.parametrize(
    "source",
    [
        'raise Complaint("There is no such file.")',
        'raise Complaint(f"{file} is no file.")',
        'raise Complaint("No such file." if wrong else other)',
        'click.echo(f"Written: {number} files are there.")',
        'raise source.complain(path, f"choose one of {names}")',
    ],
)
def test_an_english_sentence_is_found(source: str) -> None:
    assert list(told_in(source))


def test_a_phrase_is_no_english_sentence() -> None:
    assert not list(told_in('raise Complaint(Phrase("files.unread", place="a b c d", why=Phrase("x.y")))'))


def test_every_phrase_stands_in_the_words_with_its_places_and_no_word_is_left_over(repo: Path) -> None:
    """A key that is put together ("model.no_{head}s") is looked for by its parts."""
    words = {part: load_messages("en", part=part).entries for part in ("complaints", "messages")}
    used, put_together = set(), set()
    for room in ROOMS:
        for file in (repo / room).rglob("*.py"):
            source = file.read_text("utf-8")
            for node in ast.walk(ast.parse(source)) if "Phrase(" in source else ():
                if not (isinstance(node, ast.Call) and name_of(node) == "Phrase" and node.args):
                    continue
                key, places = node.args[0], {one.arg for one in node.keywords if one.arg is not None}
                if isinstance(key, ast.JoinedStr):
                    put_together.add(str(getattr(key.values[0], "value", "")))
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    named = key.value if "." in key.value else f"complaint.{key.value}"
                    message = words["complaints" if "." in key.value else "messages"][named]
                    if all(one.arg is not None for one in node.keywords):
                        assert places == set().union(*map(places_of, message.forms.values())), (file.name, key.value)
                    used.add(key.value)
    left = {key for key in words["complaints"].keys() - used if not key.startswith(tuple(put_together - {""}))}
    assert not left


@pytest.mark.parametrize("language", language_tags())
def test_a_phrase_within_a_phrase_loses_its_full_stop(language: str) -> None:
    inner = Complaint(Phrase("record.closed"))
    told = phrase_in(Phrase("record.not_taken_up", why=told_by(inner)), language)
    assert told.endswith((".", "։")) and not told.endswith(("..", "։։", ".։")) and str(told).count("{") == 0
