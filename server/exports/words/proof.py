"""The proof of one language is put together here: chapters, the English beside each text, and examples.

See `speech/words/proof.py` for how it is written and read back, `correction.py` for what becomes of it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from functools import cache

from server.exports.samples import examples_of, sentences_heard
from server.exports.words.correction import english_of, reviewed_in, texts_to_correct
from server.exports.words.guides import GUIDE
from speech.words.catalogue import MEASURE, PARTS, load_messages
from speech.words.loading import load_language
from speech.words.messages import Messages
from speech.words.proof import ENGLISH, Labels, Pair, Proof, ProofItem, Subject, proof_markdown, seconds_of
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
    "castling",
    "cell",
    "choose_key",
    "claim",
    "code",
    "connected",
    "connecting",
    "consent",
    "decline_draw",
    "done",
    "draw_",
    "duties",
    "duty",
    "empty",
    "entry",
    "executed",
    "field",
    "flag_down",
    "flag_first",
    "functions",
    "join",
    "label",
    "large_clock",
    "last_message",
    "legend",
    "letter",
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
    "press",
    "promote",
    "resign",
    "runs",
    "score_of",
    "seat",
    "send",
    "session_shown",
    "silence",
    "speaking",
    "stands",
    "step_key",
    "sure",
    "talk",
    "title",
    "wait_",
    "what_",
    "write",
    "written",
)
PLAYERS = tuple(f"pages.page.{name}" for name in _OF_PLAYERS)
"""How the keys of the shared pages begin that stand before a player."""
_NOW_AND_THEN = (
    *(
        "capitals",
        "check_",
        "clock_",
        "countdown",
        "cue",
        "ear",
        "headset",
        "level",
        "own_clock",
        "own_voice",
        "preroll",
    ),
    *("rehearsal", "set_own_clock", "settings", "vibrate", "voice"),
)
NOW_AND_THEN = tuple(f"pages.page.{name}" for name in _NOW_AND_THEN)
"""How the keys begin that a player meets before the game, or when something is set."""
_ASKED_BY_ARBITERS = (
    *("already_open", "amount_needed", "alert_settled", "assistant_needed", "chess960_", "clocks_must_stand"),
    *("desk_open", "display_only_shows", "fixed_before_the_game", "guidelines_before_start", "has_an_assistant"),
    *("illegal_move_stands", "mend_first", "move_under_way", "moves_", "never_repaired", "no_claim", "no_desk"),
    *(
        "no_next_period",
        "no_position",
        "no_seal_key",
        "no_seat",
        "no_sheet_to_show",
        "no_station_name",
        "no_stored_times",
    ),
    *("no_such_adaptation", "no_such_check", "no_such_move", "no_such_ply", "no_such_touch", "no_such_value"),
    *("no_time_control", "no_time_for_assistant", "no_typed_times", "nobody_", "not_adjourned", "not_checked_there"),
    *("not_completed_yet", "not_decided", "not_for_stations", "not_his_duty", "not_opened", "not_over"),
    *("not_reconstructing", "nothing_to_complete", "nothing_to_undo", "observer_", "only_on_his_move"),
    *(
        "only_quickplay_postponed",
        "opened_already",
        "our_clock_leads",
        "pairing_",
        "position_not_known",
        "question_open",
    ),
    *("reason_needed", "reconstructing", "relay_", "replier_", "resumption_begun", "review_after_the_game"),
    *("ruled_already", "same_press_key", "sealed_not_legal", "session_runs", "set_up_", "settings_locked"),
    *("station_taken", "times_stand", "too_many_points", "training_is_unrated", "training_not_shown", "turn_differs"),
    *("two_boards_for_others", "two_duties_only", "two_hands_exempt", "whose", "wrong_seal_code"),
)
# Chapter -> how its keys begin; of those that fit a key, the longest says in which chapter it is. The order is that of
# what matters: what is said to a player and by one costs a game where it is wrong, the command line costs nobody one.
SUBJECTS: Mapping[str, tuple[str, ...]] = {
    "said": (
        *("messages.say.", "messages.unit.", "messages.clock.", "messages.ear.", "messages.rehearsal.", "language."),
        *("pages.page.ask.", "messages.refusal."),
    ),
    "heard": (),
    "player": ("player.", "cards.", "guide.player.", *PLAYERS),
    "laws": ("laws.",),
    "arbiter": ("pages.page.alert.", "messages.detail.", "messages.alert_ear.", "messages.desk.", "rules."),
    "pages": (
        *("pages.", "tables.", "desk.", "hall.", "review.", "cards.page."),
        *("guide.arbiter.", "guide.assistant.", "guide.organiser."),
        *(f"messages.refusal.{name}" for name in _ASKED_BY_ARBITERS),
    ),
    "rare": (
        *("handout.", "guide.opponent.", "training.", "messages.train.", "messages.exercise."),
        *NOW_AND_THEN,
    ),
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
    texts, reviewed = texts_to_correct(language), reviewed_in(language)
    english = english_of(texts)
    chapters: dict[str, list[ProofItem]] = {name: [] for name in SUBJECTS}
    for key, forms in texts.items():
        examples = examples_of(key, language) if key.split(".")[0] in PARTS else []
        shown = [*examples, *_ways_to_say(key, forms, language)]
        chapters[chapter_with(key)].append(ProofItem(key, english[key], forms, shown, key in reviewed))
    return chapters


@cache
def chapter_with(key: str) -> str:
    """Return the chapter in which a text stands."""
    fits = [(len(head), name) for name, heads in SUBJECTS.items() for head in heads if key.startswith(head)]
    return max(fits)[1]


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
    introduction = _introduction(words, labels, language, len(reviewed_in(language)), len(texts_to_correct(language)))
    return proof_markdown(Proof(language, labels, title, introduction, subjects, chapter))


def _pairs(language: str) -> list[Pair]:
    """Return whole sentences as they are heard, each once."""
    both = zip(sentences_heard(MEASURE), sentences_heard(language), strict=True)
    return list(dict.fromkeys(Pair(one, own) for one, own in both if own))


def _ways_to_say(key: str, forms: Mapping[str, str], language: str) -> list[tuple[str, str]]:
    """Return how a text is said, where its script leaves vowels out; behind a word in doubt its other ways."""
    known = load_spoken_forms(language)
    if known is None or key.split(".")[0] not in (*SPOKEN_PARTS, GUIDE):
        return []
    doubts = load_doubts(language)

    def ask_how(word: re.Match[str]) -> str:
        others = doubts.get(without_signs(word[0]), ())[1:]
        return f"{word[0]} ({' / '.join(others)}?)" if others else word[0]

    said = (with_vowels(text, known) for text in forms.values())
    return [(SAID, WORD.sub(ask_how, text)) for text in said if WORD.search(text)]


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
