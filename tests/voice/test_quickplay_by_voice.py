"""A quickplay finish by voice and by typing, in six languages: the word of the claim, then yes or no (III.4-III.6)."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.game import acts as cmd
from server.game.laws.event_options import EventOptions
from server.game.values.words import Role, Seat, SeatKind, Station
from server.game.views import messages as msg
from server.wording.pages import page_words
from server.wording.words import scheme_of
from speech.words.config_file import language_tags
from tests.table.open_hall import WrittenVoice, played

QUICK = EventOptions(guidelines=("III",))
ALONE = EventOptions(guidelines=("III",), unsupervised=True)


def word(tag: str, name: str) -> str:
    return scheme_of("d21", tag).listener.words[f"cmd.{name}"].text


@pytest.mark.law("L232", "L235", "L236")
@pytest.mark.parametrize("tag", language_tags())
async def test_request_and_claim_are_spoken(tmp_path: Path, tag: str) -> None:
    async with played(tmp_path, voice=WrittenVoice(), control="1800", regulations=QUICK, language=tag) as game:
        phrases, scheme = game.ears["white"], scheme_of("d21", tag)
        assert phrases.of(msg.GuidelinesShown) == [msg.GuidelinesShown(quickplay=True)]
        await game.told()
        await game.pass_time(1_700_000)
        await game.speak("white", word(tag, "claim_draw"))
        await game.speak("white", word(tag, "yes"))
        await game.told()
        assert game.table.state.draws.claim is not None and game.table.state.time.clock.running is None
        heard = " ".join(one.text for one in phrases.sounds)
        assert scheme.phrase("guidelines_on") in heard, "told into White's ear (III.2.1)"
        assert page_words(tag)["ask.claim_increment"] in heard
        await game.speak("white", word(tag, "yes"))
        assert game.table.state.draws.claim.kind == "increment"
        await game.done("arbiter", cmd.RuleClaim(ruling="wrong"))
        await game.done("arbiter", cmd.Resume())
        await game.speak("white", word(tag, "claim_draw"))
        await game.speak("white", word(tag, "yes"))
        await game.speak("white", word(tag, "no"))
        await game.speak("white", word(tag, "yes"))
        claim = game.table.state.draws.claim
        assert claim is not None and (claim.kind, claim.ground) == ("quickplay", "no_effort")


@pytest.mark.law("L240")
@pytest.mark.parametrize("tag", language_tags())
async def test_without_an_arbiter_claim_and_answer_are_typed(tmp_path: Path, tag: str) -> None:
    """As in the page's field and at a braille display."""
    stations = (
        *(Station(seat.value, Role.PLAYER, seat) for seat in Seat),
        Station("arbiter", Role.ARBITER),
    )
    async with played(
        tmp_path, control="1800", regulations=ALONE, language=tag, black=SeatKind.TACTILE, stations=stations
    ) as game:
        await game.pass_time(1_700_000)
        await game.type("white", word(tag, "claim_draw"))
        await game.type("white", word(tag, "yes"))
        await game.type("white", word(tag, "yes"))
        (shown,) = game.ears["black"].of(msg.ClaimShown)
        assert not shown.own and shown.ground == "cannot_win"
        await game.type("black", word("de", "no"))
        concluded = game.table.state.draws.concluded
        assert concluded is not None and concluded.agrees is False
