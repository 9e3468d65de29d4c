"""The arbiter's commands for a reconstruction on a further board (8.5.3, 8.6)."""

from __future__ import annotations

from typing import Annotated

import msgspec

from server.game.acts.base import Body, Text, Uci


class BeginReconstruction(Body, frozen=True, kw_only=True):
    """The arbiter puts down boards, times and moves and has the game reconstructed; the clocks stand (8.5.3)."""

    reason: Text = ""


class ReconstructMove(Body, frozen=True, kw_only=True):
    """The next move on the board of the reconstruction, from the start position on."""

    uci: Uci


class UndoReconstruction(Body, frozen=True, kw_only=True):
    """The last move on the board of the reconstruction is taken back."""


class EndReconstruction(Body, frozen=True, kw_only=True):
    """The reconstruction ends: `completed_plies` sets both move counters.

    None: the scores cannot show who overstepped, so the next move is the first of the next period (8.6).
    """

    completed_plies: Annotated[int, msgspec.Meta(ge=0, le=1200)] | None
    evidence: Text = ""


ReconstructionBody = BeginReconstruction | ReconstructMove | UndoReconstruction | EndReconstruction
