"""The scheme in force: in whose language each word is (D.2.1). Pure.

A scheme holds for one listener and one arbiter's choice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import msgspec

from speech.words.language import Language
from speech.words.messages import Messages
from speech.words.said import Token
from speech.words.voice_profile import VoiceProfile

_LETTERS = re.compile(r"[^\W\d_]+")

# The first part of a word id -> the class of words that a scheme gives a language to.
CLASSES: dict[str, str] = {
    "file": "files",
    "letter": "letters",
    "nato": "nato",
    "spelling": "spelling",
    "rank": "ranks",
    "digit": "ranks",
    "piece": "pieces",
    "castle": "castling",
    "word": "connecting",
    "cmd": "commands",
}


class SchemeWord(msgspec.Struct, frozen=True):
    """Word as the scheme has it.

    `text`: for display. `recorded`: as the record has it, in the Laws' spelling where readers are shown umlauts.
    `voice_language`: whose voice says it. `voice_text`: the word as that language writes it.
    `spoken`: every form a speaker may use, `text` first. `spellings`: engine -> the spelling that it says right.
    """

    text: str
    recorded: str
    voice_language: str
    voice_text: str
    origin: str
    spoken: tuple[str, ...]
    spellings: Mapping[str, str]


class Scheme(msgspec.Struct, frozen=True):
    """Words of a table for one listener.

    `language` is the listener's; `name` is the arbiter's scheme. `file_names` says which ids name the files in
    announcements: "file" (Anna), "letter" (a) or "nato" (Alfa); `also_heard`, which others a player may use, besides
    these "spelling" (Anton). Every id of `speech.words.language.WORD_IDS` is present; asking for any other id is a
    fault (KeyError).
    """

    name: str
    language: str
    file_names: str
    also_heard: tuple[str, ...]
    words: Mapping[str, SchemeWord]
    listener: Language
    # What the program says to this listener, in the listener's language.
    messages: Messages
    # Every way to write a word, in normal form -> word id (see `speech.words.spelling`), and the longest in words.
    written_forms: Mapping[str, str]
    longest_form: int
    # The words of D.2.1 that the listener is shown in another spelling or script than the record has: as written there
    # -> shown, whatever the scheme, for a record keeps the words of both players. A record kept in German says
    # "Springer"; its Armenian reader sees "\u0577\u057a\u0572\u056b\u0576\u0563\u0568".
    spelt_otherwise: Mapping[str, str]
    # What is known of the voice of this listener, who speaks too; None for any voice.
    voice: VoiceProfile | None = None

    def text(self, word: str) -> str:
        """Return the word for display, in the listener's spelling."""
        return self.words[word].text

    def as_recorded(self, words: Iterable[str]) -> str:
        """Return words as one line of the record, in the Laws' spelling ("Koenig Eva fuenf")."""
        return " ".join(self.words[word].recorded for word in words)

    def as_spelt(self, text: str) -> str:
        """Return a line of the record in the listener's spelling ("König Eva fünf"), all else as it is written."""
        other = self.spelt_otherwise
        return _LETTERS.sub(lambda found: other.get(found[0], found[0]), text) if other else text

    def voice_language(self, word: str) -> str:
        """Return the tag of the language whose voice says the word."""
        return self.words[word].voice_language

    def forms_spoken(self, word: str) -> tuple[str, ...]:
        """Return every form a speaker may use (and a typist may type), the displayed text first."""
        return self.words[word].spoken

    def spelling(self, word: str, engine: str) -> str:
        """Return the spelling for `engine` ("espeak") with which its voice says the word right.

        The voice is that of `voice_language`.
        """
        entry = self.words[word]
        return entry.spellings.get(engine, entry.voice_text)

    def token(self, word: str) -> Token:
        """Return the word as something to be spoken."""
        return Token(id=word, text=self.text(word), voice_language=self.voice_language(word))

    def tokens(self, words: Iterable[str]) -> tuple[Token, ...]:
        """Return the words as something to be spoken, in order."""
        return tuple(self.token(word) for word in words)

    def square(self, square: str) -> tuple[str, str]:
        """Return the two word ids of a square: "e4" -> ("file.e", "rank.4").

        The first is the letter where the scheme has letters.
        """
        return f"{self.file_names}.{square[0]}", f"rank.{square[1]}"

    def phrase(self, name: str, **values: object) -> str:
        """Return a sentence said at the table, in the listener's language, its places filled in."""
        return self.messages.text(f"say.{name}", **values)
