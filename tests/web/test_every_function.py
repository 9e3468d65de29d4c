"""docs/every-function.md is true: it is what the sources say, and no command of the player is missing from it."""

from __future__ import annotations

import pytest

from server.game import acts
from server.game import acts as cmd
from server.game.values.words import Role
from server.voice.intents import body_of_command
from speech.words.language import COMMANDS
from tests.web.every_function import (
    BY_VOICE_NEVER,
    OF_A_CLAIM,
    OF_HIS_EAR,
    OTHERWISE,
    PAGE,
    SPOKEN,
    TO_THE_ARBITER,
    WITHOUT_A_WORD,
    page,
    rows,
)


def tag_of(kind: type) -> str:
    return str(kind.__struct_config__.tag)  # type: ignore[attr-defined]


def test_the_page_of_docs_is_what_the_sources_say() -> None:
    assert page() == PAGE.read_text("utf-8"), "python -m tests.web.every_function writes the page anew"


@pytest.mark.law("L192", "L200")
def test_every_command_of_the_player_has_its_ways_and_no_other_is_named() -> None:
    player = {
        tag_of(kind) for kind in acts.acts() if Role.PLAYER in kind.rights.by and Role.DISPLAY not in kind.rights.by
    }
    reached = {row.does for row in rows()} & player
    assert player - reached - OTHERWISE.keys() == set(), "a row of functions.js, or how a tactile player gives it"
    assert OTHERWISE.keys() <= player


@pytest.mark.law("L049")
def test_every_function_has_a_word_or_its_reason() -> None:
    names = {row.name for row in rows()}
    named = [SPOKEN.keys(), OF_HIS_EAR.keys(), OF_A_CLAIM.keys(), BY_VOICE_NEVER, TO_THE_ARBITER, WITHOUT_A_WORD]
    assert sum(map(len, named)) == len(set().union(*named)), "one of them"
    training = {row.name for row in rows() if row.group == "training"}
    assert set().union(*named) == names - training
    assert {*SPOKEN.values(), *OF_HIS_EAR.values()} <= set(COMMANDS)
    assert set(OF_A_CLAIM.values()) <= set(SPOKEN.values())
    by_voice = {*SPOKEN.values(), *OF_HIS_EAR.values()}
    assert set(COMMANDS) - by_voice == {"correction", "slower", "faster", "draw"}, (
        "said, and no row: D.2.8; the settings; asked"
    )
    assert all(not isinstance(body_of_command(word), cmd.Press) for word in by_voice)
