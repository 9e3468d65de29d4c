"""The page on which a native reads the words of a language in a browser: one file, with all that it needs in it.

It speaks to nobody: its policy allows its own script and its own style by their hashes, and sounds of the server that
it came from. What its reader does comes back by `saved.py`.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from html import escape
from importlib import resources
from string import Template

from server.exports.words.glossary import Term, glossary_of, terms_in
from server.exports.words.proof import HEARD, MAY_WAIT, NOW_AND_THEN, PLAYERS, SAID, chapters_of, labels_of, minutes_of
from speech.words.catalogue import load_messages
from speech.words.loading import load_language
from speech.words.proof import SPOKEN, ProofItem

SOUND = "/sound"
"""Where the server of the page gives a sound."""


def _say(*names: str) -> tuple[str, ...]:
    return tuple(f"messages.say.{name}" for name in names)


# Where a text stands: the name of the scene -> how its keys begin; a key is in the first scene that fits.
SCENES: Mapping[str, tuple[str, ...]] = {
    "link": _say("connection_lost", "microphone_lost", "devices_lost", "line_back", "sound_lost"),
    "unclear": _say("ask_", "unknown_word", "typed_means", "offer_apart", "said_like_this", "no_such_move", "nothing_"),
    "board": _say("set_board", "square_of", "stands_so", "board_said_set", "empty_square", "white_men", "black_men"),
    "pairing": _say("pairing_", "next_game"),
    "ruling": _say("given_", "taken_own", "taken_opponent", "increment_now", "clock_", "ruling_", "claim_", "rule_"),
    "game": _say("shown_", "session", "guidelines_", "review_", "game_cancelled"),
    "draw": (
        *_say("verify_claim"),
        *(f"pages.page.{name}" for name in ("accept_draw", "claim", "decline_draw", "draw_", "offer")),
    ),
    "said": ("messages.say.",),
    "refusal": ("messages.refusal.",),
    "time": ("messages.unit.", "messages.clock.", "messages.ear."),
    "rehearsal": ("messages.rehearsal.",),
    "german": ("language.transliteration.",),
    "word": ("language.",),
    "question": ("pages.page.ask.",),
    "law": ("laws.",),
    "alert": ("pages.page.alert.", "messages.detail.", "messages.alert_ear."),
    "checklist": ("rules.",),
    "desk": ("messages.desk.", "desk."),
    "card": ("cards.", "handout."),
    "training": ("training.", "messages.train.", "messages.exercise."),
    "guide": ("guide.",),
    "player": ("player.", *PLAYERS, *NOW_AND_THEN),
    "tables": ("tables.",),
    "spectators": ("hall.", "review."),
    "paper": ("report.", "envelope.", "approval."),
    "recording": ("recording.",),
    "arbiter": ("pages.",),
}
# What a voice says of a key, the German words in another script apart: those are said by a German voice.
_HEARD = ("messages.", "laws.", "training.", "language.words.", "pages.page.ask.")


def page_of(language: str, *, sound: bool) -> str:
    """Return the page of a language; with `sound` where its server gives sounds. Raises Complaint: no such language."""
    tongue, words = load_language(language), load_messages(language, part="proof")
    told = {key: message.forms["other"] for key, message in words.entries.items()}
    title = words.text("proof.title", language=tongue.native_name)
    labels, terms = labels_of(language), glossary_of(language)
    chapters = [
        {
            "name": name,
            "title": told[f"subject.{name}"],
            "minutes": minutes_of(items),
            "entries": [_entry(item, terms) for item in items],
        }
        for name, items in chapters_of(language).items()
        if name not in (HEARD, *MAY_WAIT)
    ]
    data = {
        "tag": language,
        "direction": tongue.direction,
        "words": {key: text for key, text in told.items() if key.startswith("page.")},
        "scenes": {name: told[f"scene.{name}"] for name in SCENES},
        "numbers": labels.numbers,
        "english_numbers": labels.english_numbers,
        "glossary": [(term.english, term.own, term.instead_of) for term in terms],
        "chapters": chapters,
        "sound": SOUND if sound else "",
    }
    style, script = _part("page.css"), _part("page.js")
    shown = {key.removeprefix("page."): escape(text) for key, text in told.items() if key.startswith("page.")}
    return Template(_part("page.html")).substitute(
        shown,
        tag=language,
        direction=tongue.direction,
        policy=policy_of(style, script, sound=sound),
        title=escape(title),
        own_name=escape(labels.own),
        example=escape(labels.example),
        # "</script>" would end the data early.
        data=json.dumps(data, ensure_ascii=False).replace("<", "\\u003c"),
        style=style,
        script=script,
    )


def policy_of(style: str, script: str, *, sound: bool) -> str:
    """Return the content policy of the page: its own parts, by their hash, and with `sound` sounds of its server."""
    media = " media-src 'self';" if sound else ""
    return (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)};{media}"
        " base-uri 'none'; form-action 'none'"
    )


def heard_of(item: ProofItem) -> list[str]:
    """Return the texts for the voice: the examples with values filled in, or the text itself."""
    if not item.key.startswith(_HEARD):
        return []
    examples = [text for form, text in item.examples if form != SAID]
    return examples or [text for form, text in item.own.items() if form != SPOKEN and text]


def scene_of(key: str) -> str:
    """Return the name of the scene in which a text stands."""
    return next(name for name, heads in SCENES.items() if key.startswith(heads))


def _entry(item: ProofItem, terms: Sequence[Term]) -> dict[str, object]:
    return {
        "key": item.key,
        "english": item.english,
        "own": item.own,
        "examples": [one for one in item.examples if one[0] != SAID],
        "heard": heard_of(item),
        "scene": scene_of(item.key),
        "reviewed": item.reviewed,
        "terms": terms_in(item, terms),
    }


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _part(name: str) -> str:
    return (resources.files(__package__) / name).read_text(encoding="utf-8")
