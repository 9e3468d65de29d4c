"""On what a player keeps his score, and what the edition says of it (8.1.1, 8.1.6, D.2.7, D.2.10.3; L086, L194)."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

import msgspec

from server.game.laws.rule_set import RuleSet
from server.game.values.words import SeatKind

CERTIFIED = False
"""Whether this program is a FIDE-certified electronic scoresheet (8.1.1.2). It is not."""


class Scoresheet(StrEnum):
    """What a player's score is written on."""

    PAPER = "paper"
    DICTATED = "dictated"  # D.2.7: a sound recording; here also its cells
    BRAILLE = "braille"  # D.2.7: Braille or another special way, which the program does not see
    LONGHAND = "longhand"  # by an assistant (8.1.6, D.2.10.3)
    STATION = "station"  # typed into this program by the player


KEPT_HERE = (Scoresheet.DICTATED, Scoresheet.STATION)
"""The scores of which this program sees every cell: only about these can it say that an entry is missing."""


class SheetFinding(msgspec.Struct, frozen=True):
    """What the edition says: `allowed`, or `arbiter` where it is his or the event's to allow; with the article."""

    says: Literal["allowed", "arbiter"]
    article: str


def usual_sheet(kind: SeatKind) -> Scoresheet:
    """What is assumed until the arbiter records another: dictation at the tactile board, else paper."""
    return Scoresheet.DICTATED if kind is SeatKind.TACTILE else Scoresheet.PAPER


def sheet_finding(rules: RuleSet, kind: SeatKind, sheet: Scoresheet) -> SheetFinding:
    """What the edition says of a kind of scoresheet for a kind of player.

    From 2023 a score is kept on paper or on a certified electronic scoresheet; older texts say "on the scoresheet
    prescribed for the competition". A visually disabled player may use Braille or a recording in every edition.
    """
    disabled = kind is not SeatKind.SIGHTED
    match sheet:
        case Scoresheet.DICTATED | Scoresheet.BRAILLE:
            return SheetFinding("allowed" if disabled else "arbiter", "D.2.7" if disabled else "8.1.1")
        case Scoresheet.LONGHAND:
            return SheetFinding("arbiter", "D.2.10.3" if disabled else "8.1.6")
    if rules.options.scoresheet != "paper_or_certified_electronic":
        return SheetFinding("allowed" if sheet is Scoresheet.PAPER else "arbiter", "8.1.1")
    if sheet is Scoresheet.PAPER:
        return SheetFinding("allowed", "8.1.1.1")
    return SheetFinding("allowed" if CERTIFIED else "arbiter", "8.1.1.2")
