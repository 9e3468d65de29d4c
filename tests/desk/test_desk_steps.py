"""The steps of a reconciliation in words: into the arbiter's ear, and square by square into a tactile player's."""

from __future__ import annotations

import msgspec
import pytest

from server.game import acts as ev
from server.game.values.words import Seat
from server.game.views import messages as msg
from server.wording.aloud.spoken import spoken_message
from server.wording.room import to_arbiter
from server.wording.words import scheme_of
from speech.words.config_file import language_tags

PLACEMENT = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"
SQUARES = (ev.SquareToSet(square="e5", should_be="p"), ev.SquareToSet(square="e6", should_be=None))
DECIDED = ev.DeskDecided(
    at=1, kind="adjust", verdict="same_record", ply=2, placement=PLACEMENT, turn=Seat.WHITE, reason="", white=SQUARES
)


def heard(event: ev.AnyEvent, language: str) -> str | None:
    said = to_arbiter(msg.Recorded(event=event), scheme_of("d21", language))
    return said[0] if said is not None else None


@pytest.mark.law("L197")
def test_the_arbiter_hears_what_was_decided_and_what_comes_next() -> None:
    assert heard(DECIDED, "en") == (
        "Decided: the clocks stay as they are. White sets up: Eva fünf: Black pawn, Eva sechs: empty. "
        "Black's board is correct."
    )
    said = to_arbiter(msg.Recorded(event=DECIDED), scheme_of("d21", "en"))
    assert said is not None and {part.voice_language for part in said[1]} == {"en", "de"}, (
        "squares in D.2.1's own voice"
    )
    assert "Prüfen Sie es Feld für Feld" in (heard(ev.BoardSaidSet(at=2, seat=Seat.WHITE), "de") or "")
    assert heard(ev.BoardConfirmed(at=3, board=Seat.BLACK), "de") == "Das Brett von Schwarz ist bestätigt."
    assert "Start the clocks" in (heard(ev.DeskClosed(at=4, reason="confirmed"), "en") or "")
    assert heard(ev.CellTyped(at=5, seat=Seat.WHITE, ply=1, text="e4", language=""), "en") is None


@pytest.mark.parametrize("language", sorted(language_tags()))
def test_every_step_has_words_of_its_own_in_every_language(language: str) -> None:
    back = ev.DeskDecided(
        at=1, kind="back", verdict="differ", ply=1, placement=PLACEMENT, turn=Seat.BLACK, reason="", black=SQUARES
    )
    steps: list[ev.AnyEvent] = [
        ev.BoardRead(at=1, board=Seat.WHITE, placement=PLACEMENT),
        DECIDED,
        msgspec.structs.replace(DECIDED, times="typed", white_ms=1, black_ms=2),
        back,
        ev.BoardSaidSet(at=1, seat=Seat.BLACK),
        ev.BoardConfirmed(at=1, board=Seat.BLACK),
        ev.DeskClosed(at=1, reason="confirmed"),
        ev.DeskClosed(at=1, reason="closed"),
    ]
    told = [heard(event, language) for event in steps]
    assert all(told) and len(set(told)) == len(told)
    if language != "en":
        assert all(here != there for here, there in zip(told, [heard(event, "en") for event in steps], strict=True))


def test_a_player_hears_one_square_at_a_time_and_how_to_go_on() -> None:
    scheme = scheme_of("d21", "de")
    said = spoken_message(msg.SquareToSetNow(square="e6", number=2, of=2), scheme, read_back=False)
    assert said is not None and said[0] == "Feld 2 von 2: Eva sechs: leer. Sagen Sie ja, wenn es aufgestellt ist."
    done = spoken_message(msg.SquareToSetNow(square=None), scheme, read_back=False)
    assert done is not None and done[0] == "Danke. Der Schiedsrichter prüft nun Ihr Brett."
