"""The table as the arbiter is shown it: edition, event, boards, adaptations, checklist.

See 12.1, L134; D.1, L175.
"""

from __future__ import annotations

import msgspec

from server.game.decide.adaptations import adaptation_value, open_questions, recorded_value
from server.game.decide.set_up.stations import assistant_missing
from server.game.decide.set_up.table import checks, quickplay_holds
from server.game.laws.event_options import Guideline
from server.game.state.state import GameState
from server.game.values.words import Boards, Seat


class AdaptationShown(msgspec.Struct, frozen=True, kw_only=True):
    """One adaptation as it counts (D.1). `question`: the arbiter must still answer it. `text`: by language."""

    name: str
    article: str
    value: str
    recorded: bool
    question: bool
    must_answer: bool
    values: tuple[str, ...]
    text: tuple[tuple[str, str], ...]


class CheckShown(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to look at before the game; `ok` None: not looked at yet."""

    item: str
    seat: Seat | None
    article: str
    text: tuple[tuple[str, str], ...]
    ok: bool | None = None
    note: str = ""


class TableShown(msgspec.Struct, frozen=True, kw_only=True):
    """The rules in force and the set-up, for the arbiter (12.1).

    `needs`, `hearing_impaired`: White's and Black's (12.2.6, D.2.11). `assistant_needed`: by D.2.11.
    `sound_needs_consent`: before consent no player's sound is kept (D.2.7). `guidelines`: which of I to III the
    regulations have; `quickplay`: whether III holds with this time control.
    """

    rule_set: str
    title: str
    rated: bool
    supervision: str
    overrides: tuple[str, ...]
    boards: Boards
    needs: tuple[str, str]
    adaptations: tuple[AdaptationShown, ...]
    checklist: tuple[CheckShown, ...]
    assistant_needed: bool = False
    sound_needs_consent: bool = False
    guidelines: tuple[Guideline, ...] = ()
    quickplay: bool = False
    unsupervised: bool = False
    hearing_impaired: tuple[bool, bool] = (False, False)


def table_shown(state: GameState) -> TableShown:
    """Return the table as it was set up and adapted so far. It is for the arbiter only."""
    questions = open_questions(state)
    return TableShown(
        rule_set=state.table.rule_set,
        title=state.table.rules.title,
        rated=state.table.rated,
        supervision=state.table.regulations.supervision.value,
        overrides=tuple(name for name, _ in state.table.regulations.overrides),
        boards=state.table.boards,
        needs=(state.table.white.needs, state.table.black.needs),
        adaptations=tuple(
            AdaptationShown(
                name=one.name,
                article=one.article,
                value=adaptation_value(state, one.name),
                recorded=recorded_value(state, one.name) is not None,
                question=one.name in questions,
                must_answer=one.must_answer,
                values=one.values,
                text=one.text,
            )
            for one in state.table.known_adaptations
        ),
        checklist=tuple(
            CheckShown(
                item=item.name,
                seat=seat,
                article=item.article,
                text=item.text,
                ok=tick.ok if tick is not None else None,
                note=tick.note if tick is not None else "",
            )
            for item, seat, tick in checks(state)
        ),
        assistant_needed=assistant_missing(state),
        sound_needs_consent=state.table.regulations.sound_needs_consent,
        guidelines=state.table.regulations.guidelines,
        quickplay=quickplay_holds(state),
        unsupervised=state.table.regulations.unsupervised,
        hearing_impaired=(state.table.white.hearing_impaired, state.table.black.hearing_impaired),
    )
