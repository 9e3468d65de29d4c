"""The words of D.2.1 as the arbiter decides them at this table: said, shown and typed (L175, L184-L187, L010)."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from server.game import acts as cmd
from server.game.values.words import Duty, Mode, Role, Seat, Station
from server.game.views import messages as msg
from server.wording.words import scheme_of
from speech.complaint import Complaint
from speech.words.config_file import language_tags
from speech.words.scheme_changes import SchemeChanges
from tests.table.open_hall import played


@pytest.mark.law("L175", "L184", "L185", "L187")
async def test_the_words_follow_the_record(tmp_path: Path) -> None:
    async with played(tmp_path, mode=Mode.RELAY) as game:
        ear = game.attach("white")
        await game.done("arbiter", cmd.RecordAdaptation(name="rank_language", value="en"))
        await game.done("arbiter", cmd.RecordAdaptation(name="piece_and_castling_words", value="hu"))
        await game.type("white", "huszár Felix three", "announce")
        assert [one.text for one in ear.of(msg.Understood)] == ["huszár Felix three"]
        await game.press("white")
        await game.done("arbiter", cmd.RecordAdaptation(name="file_names", value="nato"))
        await game.done("black", cmd.EnterMove(uci="g8f6"))
        assert ear.of(msg.Relayed)[-1].text == "huszár Foxtrot six"
        await game.done("arbiter", cmd.RecordAdaptation(name="rank_language", value="de"))
        await game.press("black")
        await game.done("white", cmd.Ask(what="last"))
        assert ear.of(msg.AnswerGiven)[-1].text == "huszár Foxtrot sechs"


@pytest.mark.law("L175")
async def test_words_of_no_known_language_are_refused(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        outcome = await game.do("arbiter", cmd.RecordAdaptation(name="rank_language", value="elvish"))
        assert not outcome.outcome.ok and outcome.outcome.article == "D.1"


def test_most_mixtures_of_languages_can_be_told_apart() -> None:
    """A mixture whose words coincide is refused with a sentence; every one of two languages as offered here works."""
    tags = language_tags()
    for ranks, pieces in itertools.product(tags, tags):
        changes = SchemeChanges(ranks=ranks, pieces=pieces, castling=pieces, file_names="letter")
        assert scheme_of("d21", "de", changes).name.startswith("d21+file_names=letter")
    with pytest.raises(Complaint):
        scheme_of("d21", "de", SchemeChanges(ranks="elvish"))


@pytest.mark.law("L010")
async def test_the_set_up_is_read_square_by_square_in_the_words_of_the_scheme(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        await game.table.admit(Station("helper", Role.ASSISTANT, Seat.WHITE, (Duty.EXECUTE,)))
        helper = game.attach("helper")
        await game.done("helper", cmd.Ask(what="set_up"))
        (answer,) = helper.of(msg.AnswerGiven)
        white, black = answer.text.splitlines()
        assert white.startswith("Weiß: Turm Anna eins, Springer Bella eins, Läufer Cesar eins")
        assert white.count(",") == black.count(",") == 15 and black.endswith("Turm Hector acht.")


@pytest.mark.law("L175")
async def test_g9_the_position_is_read_into_the_players_ear(tmp_path: Path) -> None:
    async with played(tmp_path, fen="4k3/8/8/8/8/8/P7/4K2R w K - 0 1") as game:
        ear = game.attach("white")
        await game.done("arbiter", cmd.RecordAdaptation(name="position_readout", value="on"))
        await game.done("white", cmd.Ask(what="position"))
        await game.told()
        text = ear.of(msg.AnswerGiven)[-1].text
        assert text.splitlines()[0] == "Weiß: König Eva eins, Turm Hector eins, Bauer Anna zwei."
        heard = [one.text for one in ear.sounds]
        assert heard[-3:] == ["Weiß: König Eva eins, Turm Hector eins.", "Bauer Anna zwei.", "Schwarz: König Eva acht."]
