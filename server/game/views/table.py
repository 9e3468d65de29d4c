"""This file shows the arbiter the table: edition, event, boards, adaptations, checklist.

See 12.1, L134; D.1, L175.
"""

from __future__ import annotations

from server.game.decide.adaptations import adapted, open_questions, recorded
from server.game.decide.set_up.stations import assistant_missing
from server.game.decide.set_up.table import checks, quickplay_holds
from server.game.state.state import GameState
from server.game.views.messages import AdaptationShown, CheckShown, TableShown


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
                value=adapted(state, one.name),
                recorded=recorded(state, one.name) is not None,
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
