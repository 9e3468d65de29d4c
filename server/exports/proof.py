"""The proof of one language is put together here: chapters, the English beside each text, and examples.

See `speech/words/proof.py` for how it is written and read back, `server/exports/correction.py` for what becomes of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from server.exports.correction import english_of, reviewed_in, texts_of
from server.exports.samples import examples_of, sentences_heard
from speech.words.catalogue import MEASURE, PARTS, load_messages
from speech.words.loading import load_language
from speech.words.messages import Messages
from speech.words.proof import ENGLISH, Labels, Pair, Proof, ProofItem, Subject, written
from speech.words.spoken_forms import (
    SPOKEN_PARTS,
    WORD,
    load_doubts,
    load_spoken_forms,
    with_vowels,
    without_signs,
)

# Chapter -> how its keys begin; a key is in the first chapter that fits. What is said and told comes before the pages.
SUBJECTS: Mapping[str, tuple[str, ...]] = {
    "alerts": ("pages.page.alert.", "messages.detail.", "messages.alert_ear."),
    "refusals": ("messages.refusal.",),
    "said": (
        *("messages.say.", "messages.unit.", "messages.clock.", "messages.ear.", "messages.rehearsal."),
        *("messages.desk.", "messages.train.", "messages.exercise.", "pages.page.ask."),
    ),
    "heard": (),
    "complaints": ("messages.complaint.", "complaints."),
    "commands": ("language.",),
    "rules": ("rules.",),
    "laws": ("laws.",),
    "pages": ("pages.", "tables.", "desk.", "hall.", "review.", "training.", "player."),
    "print": ("report.", "handout.", "cards.", "envelope.", "approval."),
    "recording": ("recording.",),
    "terminal": ("commands.",),
    "proof": ("proof.",),
}
HEARD = "heard"
SAID = "voice"
"""The form of an example that shows a text as its voice is given it."""
COMMAND = "`anna-eins words check {}.md`"


def labels_of(language: str) -> Labels:
    """Return how the lines of a language's proof begin."""
    name = load_language(language).native_name
    own = ENGLISH if language == MEASURE else name[0].upper() + name[1:]
    return Labels(own, load_messages(language, part="proof").text("proof.example"))


def proof_of(language: str) -> str:
    """Return the proof of a language, as Markdown. Raises Complaint where there is no such language."""
    texts, labels, words = texts_of(language), labels_of(language), load_messages(language, part="proof")
    english = english_of(texts)
    chapters: dict[str, list[ProofItem]] = {name: [] for name in SUBJECTS}
    for key, forms in texts.items():
        name = next(name for name, heads in SUBJECTS.items() if key.startswith(heads))
        examples = examples_of(key, language) if key.split(".")[0] in PARTS else []
        chapters[name].append(ProofItem(key, english[key], forms, [*examples, *_said(key, forms, language)]))
    pairs = [
        Pair(one, own) for one, own in zip(sentences_heard(MEASURE), sentences_heard(language), strict=True) if own
    ]
    subjects = [
        Subject(words.text(f"subject.{name}"), items, list(dict.fromkeys(pairs)) if name == HEARD else ())
        for name, items in chapters.items()
    ]
    title = words.text("proof.title", language=load_language(language).native_name)
    introduction = _introduction(words, labels, language, len(reviewed_in(language)), len(texts))
    return written(Proof(language, labels, title, introduction, subjects))


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
        words.text("proof.part", option="`--partial`"),
        words.text("proof.back", command=COMMAND.format(language)),
    ]
