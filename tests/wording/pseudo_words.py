"""All that a language of `ANNA_EINS_LANGUAGES` says without a page, as a program: what of it is English, as JSON.

The ear and its lines of braille, commands that are typed, the guides and the handout, and the help of each command.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from html import unescape

import click

from server.cli import group
from server.cli.terminal.click_words import teach_click
from server.cli.terminal.language import own_language
from server.cli.terminal.words import ROOT, in_users_language
from server.exports.guide import ROLES, guide_braille, guide_page
from server.exports.handout import handout_page
from server.exports.samples import messages_said
from server.game.views import messages as msg
from server.wording.pieces import lines_of, pieces_of
from server.wording.words import meaning_typed, scheme_of
from speech.announcements.phrases import commands_of_phrase
from speech.words.config_file import language_tags
from speech.words.loading import load_language, load_phrasebook
from speech.words.messages import without_isolation
from tests.cli.test_help import commands
from tests.wording.pseudo_language import KEPT_WORDS, WAYS, english_in

GERMANS = "de"
SAMPLES = re.compile("Bela|First door on the left")
"""What persons wrote in the samples: a name, and where a board stands."""
GERMAN = re.compile(r'<(em|td) lang="de".*?</\1>', re.DOTALL)
TAG = re.compile(r"<(style|code|script).*?</\1>|<[^>]*>", re.DOTALL)
OF_A_COMMAND = re.compile(r"anna-eins .*|--?[a-z0-9-]+|\[[^\]]*\]|\S*[0-9/]\S*|[\w-]*\.(?:md|svg)\b|\b[A-Z]{2,}\b")


def in_the_ear(tag: str) -> Iterator[tuple[str, str]]:
    for name in ("d21", "national"):
        scheme = scheme_of(name, tag)
        for message in messages_said(scheme):
            kind = type(message).__name__
            if isinstance(message, msg.LawRead):  # an article in the words of an arbiter
                continue
            yield from ((f"ear {kind}", text) for text, _ in pieces_of(message, scheme))
            yield f"cells {kind}", " ".join(lines_of(message, scheme))


def on_paper(tag: str) -> Iterator[tuple[str, str]]:
    for role in ROLES:
        yield f"guide {role}", unescape(TAG.sub(" ", GERMAN.sub(" ", guide_page(role, tag))))
        assert guide_braille(role, tag)
    yield "handout", unescape(TAG.sub(" ", GERMAN.sub(" ", handout_page(tag))))


def in_the_terminal() -> Iterator[tuple[str, str]]:
    teach_click()
    called_so = "|".join({name for called, _ in commands(group) for name in called.split()})
    names = re.compile(rf"\b(?:{called_so})\b(?!\.\w)")
    for called, command in commands(in_users_language(group, ROOT)):
        with click.Context(command, info_name=f"{ROOT} {called}") as context:
            yield f"help {called}", names.sub(" ", OF_A_COMMAND.sub(" ", command.get_help(context)))


def found(tag: str) -> dict[str, list[str]]:
    german = {word for one in load_language(GERMANS).words.values() for word in english_in(one.text)}
    met: dict[str, list[str]] = {}
    for place, text in (*in_the_ear(tag), *on_paper(tag), *in_the_terminal()):
        if left := set(english_in(SAMPLES.sub(" ", without_isolation(text)))) - german - KEPT_WORDS:
            met[place] = sorted({*met.get(place, ()), *left})
    return met


def not_understood(tag: str) -> list[str]:
    """The command words that do not mean their own command where they are typed; and an announcement likewise."""
    scheme, book = scheme_of("national", tag), load_phrasebook(tag)
    words = {id: scheme.text(id) for id in scheme.words}
    wrong = [
        f"{id}: {text}"
        for id, text in words.items()
        if id.startswith("cmd.") and meaning_typed(text, scheme).command != id.removeprefix("cmd.")
    ]
    if commands_of_phrase(" ".join(WAYS[tag](one) for one in ("how", "much", "time", "left")), book) != ("time",):
        wrong.append("time, in other words")
    move = " ".join(words[id] for id in ("piece.knight", "file.f", "rank.3"))
    heard = meaning_typed(move, scheme)
    if heard.said is None or heard.said.to_square != "f3":
        wrong.append(move)
    return wrong


if __name__ == "__main__":
    tag = sys.argv[1]
    said = {"tags": language_tags(), "own": own_language(), "met": found(tag), "not_understood": not_understood(tag)}
    print(json.dumps(said))
