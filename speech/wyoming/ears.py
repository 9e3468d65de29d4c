"""The recognisers of this machine, offered to others: sound comes in pieces, a transcript goes out.

Any Wyoming client may ask. One of ours names an engine, and the digest of the words that it listens for; then it gets
all that this engine heard. docs/elsewhere.md has the form of both.
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Annotated, Any

import msgspec

from speech.announcements.understand import UNKNOWN
from speech.complaint import Complaint
from speech.hearing.hearing import Hearing, HearingUtterance, Verdict
from speech.models.whisper import names_in_model, whisper_folder
from speech.recognisers.pool import cores
from speech.recognisers.recogniser import (
    LONGEST_UTTERANCE_BYTES,
    LONGEST_UTTERANCE_S,
    SAMPLE_RATE,
    Hypotheses,
    Utterance,
)
from speech.recognisers.vocabulary import digest_of_vocabulary, vocabulary_of
from speech.words.config_file import language_tags, of_language, place_of_config
from speech.words.loading import load_scheme
from speech.words.scheme import Scheme
from speech.wyoming.peer import OURS, ServerInfo
from speech.wyoming.service import Send
from speech.wyoming.wire import WyomingEvent

FORM = {"rate": SAMPLE_RATE, "width": 2, "channels": 1}
"""The only form of sound that is heard."""
_Text = Annotated[str, msgspec.Meta(max_length=300)]


class EarRequest(msgspec.Struct, frozen=True):
    """Request of a client of ours, beside the sound.

    `engine`: one of the recognisers; "" for the verdict of all. `scheme`: as in `anna-eins hear --scheme`.
    `vocabulary`: the digest of the words that are listened for (`digest_of_vocabulary`); "" where the client has none.
    """

    engine: _Text = ""
    scheme: _Text = "d21"
    vocabulary: _Text = ""


@cache
def model_fingerprint() -> str:
    """Return a digest of the recognisers as they are here: their code, words and engines, and which model of Whisper.

    Two machines hear alike where it is the same: what one of them is fitted to then holds for the other.
    """
    found = hashlib.sha256(f"{version('vosk')} {version('ctranslate2')}".encode())
    folder = whisper_folder()
    model = [] if folder is None else [(name, (folder / name).stat().st_size) for name in names_in_model(folder)]
    found.update(repr(model).encode())
    heard = [place_of_config(of_language(tag, one)) for tag in language_tags() for one in ("pronunciations", "hearing")]
    heard = [one for one in heard if one.is_dir()]
    for root in (files("speech") / "recognisers", files("config") / "whisper", *heard):
        for name, file in sorted(_files(root, "")):
            found.update(f"{name}\0{len(file)}\0".encode() + file)
    return found.hexdigest()


def _files(folder: Traversable, before: str) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for one in folder.iterdir():
        name = f"{before}/{one.name}"
        if one.is_dir():
            found += _files(one, name)
        elif name.endswith((".py", ".toml", ".json")):
            found.append((name, one.read_bytes().replace(b"\r\n", b"\n")))
    return found


def info_of_ears(program: str) -> dict[str, Any]:
    """Return the answer to `describe`; `program`: the version of the program."""
    from_us = {"attribution": {"name": "Anna Eins", "url": ""}, "installed": True, "version": program}
    model = {"name": "d21", "description": "Chess announcements", "languages": list(language_tags()), **from_us}
    ears = {"name": "anna-eins", "description": "Spoken chess moves", "models": [model], **from_us}
    return {"asr": [{**ears, "supports_transcript_streaming": False, "requires_external_vad": True}]}


def about_ears(hearing: Hearing, program: str) -> ServerInfo:
    """Return the description for our own clients."""
    return ServerInfo(program, model_fingerprint(), hearing.engines, cores())


class EarsConversation:
    """Utterances of one client, one after the other."""

    def __init__(self, hearing: Hearing) -> None:
        self._hearing = hearing
        self._asked = EarRequest()
        self._scheme: Scheme | None = None
        self._utterance: Utterance | HearingUtterance | None = None
        self._bytes = 0

    async def take(self, event: WyomingEvent, send: Send) -> None:
        """Take an event; see `Conversation`."""
        match event.type:
            case "transcribe":
                self._ask(event.data)
            case "audio-start":
                _check_form(event.data)
                await self.close()
                self._open()
            case "audio-chunk":
                _check_form(event.data)
                self._feed(event.payload)
            case "audio-stop":
                if self._utterance is None:
                    raise Complaint("No sound came; send audio-start first.")
                utterance, self._utterance = self._utterance, None
                scheme = self._scheme_of()
                found = await utterance.finish()
                told = _verdict(found, scheme) if isinstance(found, Verdict) else _hypotheses(found, scheme)
                await send(WyomingEvent("transcript", told))

    async def close(self) -> None:
        """Drop an utterance that was not finished."""
        utterance, self._utterance = self._utterance, None
        if utterance is not None:
            await utterance.abandon()

    def _ask(self, data: dict[str, Any]) -> None:
        language = data.get("language") or "de"
        if language not in language_tags():
            raise Complaint(f"The ears here know: {', '.join(language_tags())}.")
        try:
            self._asked = msgspec.convert(data.get(OURS) or {}, EarRequest)
        except msgspec.ValidationError:
            raise Complaint("What is asked of the ears is not of the form that docs/elsewhere.md describes.") from None
        self._scheme = load_scheme(self._asked.scheme, str(language))
        if self._asked.vocabulary not in ("", _digest(self._asked.scheme, str(language))):
            raise Complaint("The words here are others: the two machines have different versions of the program.")

    def _scheme_of(self) -> Scheme:
        if self._scheme is None:
            self._scheme = load_scheme(self._asked.scheme, "de")
        return self._scheme

    def _open(self) -> None:
        self._bytes = 0
        if not self._asked.engine:
            self._utterance = self._hearing.open_utterance(self._scheme_of())
            return
        engine = self._hearing.engine(self._asked.engine)
        if engine is None:
            raise Complaint(f"The recognisers here are: {', '.join(self._hearing.engines)}.")
        self._utterance = engine.open_utterance(vocabulary_of(self._scheme_of()))

    def _feed(self, pcm: bytes) -> None:
        if self._utterance is None:
            raise Complaint("Sound came before audio-start.")
        self._bytes += len(pcm)
        if self._bytes > LONGEST_UTTERANCE_BYTES:
            raise Complaint(f"An utterance may have {LONGEST_UTTERANCE_S} s.")
        self._utterance.feed(pcm)


@cache
def _digest(scheme: str, language: str) -> str:
    return digest_of_vocabulary(vocabulary_of(load_scheme(scheme, language)))


def _check_form(data: dict[str, Any]) -> None:
    if any(data.get(name) != value for name, value in FORM.items()):
        raise Complaint("The sound must be mono, 16 bit, 16 kHz.")


def _text(words: tuple[str, ...], scheme: Scheme) -> str:
    return " ".join(scheme.text(word) for word in words if word != UNKNOWN)


def _verdict(found: Verdict, scheme: Scheme) -> dict[str, Any]:
    """Return the transcript of all ears together; no text where it was not an utterance for us."""
    alternatives = [
        {"text": _text(one.ids, scheme), "score": one.score, "words": msgspec.to_builtins(one.words)}
        for one in found.hypotheses
    ]
    ours = {
        "verdict": found.verdict,
        "confidence": found.confidence,
        "kind": found.heard.kind,
        "alternatives": alternatives,
        "hypotheses": msgspec.to_builtins(found.found),
    }
    text = "" if found.verdict == "reject" else _text(found.words, scheme)
    return {"text": text, "language": scheme.language, OURS: ours}


def _hypotheses(found: Hypotheses, scheme: Scheme) -> dict[str, Any]:
    """Return the transcript of one engine, with all that it heard."""
    text = _text(found.ranked[0].ids, scheme) if found.ranked else ""
    return {"text": text, "language": scheme.language, OURS: {"hypotheses": [msgspec.to_builtins(found)]}}
