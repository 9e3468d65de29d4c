"""The proof of one language is put together here: chapters, the English beside each text, and examples.

See `speech/words/proof.py` for how it is written and read back, `correction.py` for what becomes of it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping

from server.exports.samples import examples_of, sentences_heard
from server.exports.words.correction import english_of, reviewed_in, texts_of
from speech.words.catalogue import MEASURE, PARTS, load_messages
from speech.words.loading import load_language
from speech.words.messages import Messages
from speech.words.proof import ENGLISH, Labels, Pair, Proof, ProofItem, Subject, seconds_of, written
from speech.words.spoken_forms import (
    SPOKEN_PARTS,
    WORD,
    load_doubts,
    load_spoken_forms,
    with_vowels,
    without_signs,
)

_OF_PLAYERS = (
    "about_to_castle",
    "accept_draw",
    "again",
    "again_key",
    "as_echo",
    "as_understood",
    "ask_",
    "board_caption",
    "board_hint",
    "board_of",
    "call_arbiter",
    "capitals",
    "castling",
    "cell",
    "check_",
    "choose_key",
    "claim",
    "clock_all",
    "clock_bonus",
    "clock_minutes",
    "clock_preset",
    "clock_seconds",
    "code",
    "connected",
    "connecting",
    "consent",
    "countdown",
    "cue",
    "decline_draw",
    "done",
    "draw_",
    "duties",
    "duty",
    "ear",
    "empty",
    "entry",
    "executed",
    "field",
    "flag_down",
    "flag_first",
    "functions",
    "headset",
    "join",
    "label",
    "large_clock",
    "last_message",
    "legend",
    "letter",
    "level",
    "lifted",
    "lost",
    "mark_text",
    "medical",
    "microphone",
    "mode.",
    "moves_made",
    "no_duties",
    "no_microphone",
    "no_taken",
    "not_understood",
    "nothing_yet",
    "offer",
    "own_",
    "opponent",
    "players_time",
    "piece",
    "placed",
    "places_title",
    "preroll",
    "press",
    "promote",
    "rehearsal",
    "resign",
    "runs",
    "score_of",
    "seat",
    "send",
    "session_shown",
    "set_own_clock",
    "settings",
    "silence",
    "speaking",
    "stands",
    "step_key",
    "sure",
    "talk",
    "title",
    "vibrate",
    "voice",
    "wait_",
    "what_",
    "write",
    "written",
)
PLAYERS = tuple(f"pages.page.{name}" for name in _OF_PLAYERS)
"""How the keys of the shared pages begin that stand before a player."""
# Chapter -> how its keys begin; a key is in the first chapter that fits. The order is that of what matters: what is
# said to a player and by one costs a game where it is wrong, the command line costs nobody one.
SUBJECTS: Mapping[str, tuple[str, ...]] = {
    "said": (
        *("messages.say.", "messages.unit.", "messages.clock.", "messages.ear.", "messages.rehearsal.", "language."),
        *("pages.page.ask.", "messages.refusal."),
    ),
    "heard": (),
    "player": ("player.", "cards.", "handout.", "training.", "messages.train.", "messages.exercise.", *PLAYERS),
    "laws": ("laws.",),
    "arbiter": ("pages.page.alert.", "messages.detail.", "messages.alert_ear.", "messages.desk.", "rules."),
    "pages": ("pages.", "tables.", "desk.", "hall.", "review."),
    "print": ("report.", "envelope.", "approval."),
    "recording": ("recording.",),
    "complaints": ("messages.complaint.", "complaints."),
    "terminal": ("commands.",),
    "proof": ("proof.",),
}
MAY_WAIT = ("complaints", "terminal", "proof")
"""The chapters that no native reader need read: only who runs the program ever sees them."""
HEARD = "heard"
SAID = "voice"
"""The form of an example that shows a text as its voice is given it."""
COMMAND = "`anna-eins words check {}.md --by NAME`"
FIRST_NUMBERS, SHOWN = 121, 3
"""Up to which number each plural form of a language is met, and how many of them are shown."""


def labels_of(language: str) -> Labels:
    """Return how the lines of a language's proof begin."""
    name = load_language(language).native_name
    own = ENGLISH if language == MEASURE else name[0].upper() + name[1:]
    example = load_messages(language, part="proof").text("proof.example")
    return Labels(own, example, _numbers_in(language), _numbers_in(MEASURE))


def _numbers_in(language: str) -> dict[str, str]:
    """Return plural form -> the first numbers that it stands for."""
    category = load_messages(language, part="proof").category
    found: dict[str, list[int]] = {}
    for number in range(FIRST_NUMBERS):
        found.setdefault(category(number), []).append(number)
    return {
        form: ", ".join(map(str, numbers[:SHOWN])) + (" .." if len(numbers) > SHOWN else "")
        for form, numbers in found.items()
    }


def chapters_of(language: str) -> dict[str, list[ProofItem]]:
    """Return every text of a language by chapter. Raises Complaint where there is no such language."""
    texts, reviewed = texts_of(language), reviewed_in(language)
    english = english_of(texts)
    chapters: dict[str, list[ProofItem]] = {name: [] for name in SUBJECTS}
    for key, forms in texts.items():
        examples = examples_of(key, language) if key.split(".")[0] in PARTS else []
        shown = [*examples, *_said(key, forms, language)]
        chapters[chapter_with(key)].append(ProofItem(key, english[key], forms, shown, key in reviewed))
    return chapters


def chapter_with(key: str) -> str:
    """Return the chapter in which a text stands."""
    return next(name for name, heads in SUBJECTS.items() if key.startswith(heads))


def minutes_of(items: Iterable[ProofItem]) -> int:
    """Return how many minutes a reader needs for texts: at least one where there is any."""
    seconds = sum(seconds_of(item.own) for item in items)
    return math.ceil(seconds / 60)


def proof_of(language: str, chapter: str = "") -> str:
    """Return the proof of a language or of one chapter, as Markdown. Raises Complaint: no such language."""
    labels, words = labels_of(language), load_messages(language, part="proof")
    chapters = {name: items for name, items in chapters_of(language).items() if not chapter or name == chapter}
    subjects = []
    for name, items in chapters.items():
        title = words.text(f"subject.{name}")
        if name in MAY_WAIT:
            title = words.text("proof.chapter_may_wait", title=title)
        elif name != HEARD:
            title = words.text("proof.chapter", title=title, number=len(items), minutes=minutes_of(items))
        subjects.append(Subject(title, items, _pairs(language) if name == HEARD else ()))
    title = words.text("proof.title", language=load_language(language).native_name)
    introduction = _introduction(words, labels, language, len(reviewed_in(language)), len(texts_of(language)))
    return written(Proof(language, labels, title, introduction, subjects, chapter))


def _pairs(language: str) -> list[Pair]:
    """Return whole sentences as they are heard, each once."""
    both = zip(sentences_heard(MEASURE), sentences_heard(language), strict=True)
    return list(dict.fromkeys(Pair(one, own) for one, own in both if own))


def _said(key: str, forms: Mapping[str, str], language: str) -> list[tuple[str, str]]:
    """Return how a text is said, where its script leaves vowels out; behind a word in doubt its other ways."""
    known = load_spoken_forms(language)
    if known is None or key.split(".")[0] not in SPOKEN_PARTS:
        return []
    doubts = load_doubts(language)

    def asked(word: re.Match[str]) -> str:
        others = doubts.get(without_signs(word[0]), ())[1:]
        return f"{word[0]} ({' / '.join(others)}?)" if others else word[0]

    said = (with_vowels(text, known) for text in forms.values())
    return [(SAID, WORD.sub(asked, text)) for text in said if WORD.search(text)]


def _introduction(words: Messages, labels: Labels, language: str, reviewed: int, of: int) -> list[str]:
    return [
        words.text("proof.state", reviewed=reviewed, of=of),
        words.text("proof.change", own=labels.own),
        words.text("proof.leave", place="`{time}`"),
        words.text("proof.forms", spoken="`[spoken]`"),
        words.text("proof.tick", box="`[ ]`", ticked="`[x]`", remark="`>`"),
        words.text("proof.part", option="`--chapter`"),
        words.text("proof.back", command=COMMAND.format(language)),
    ]
