"""The Laws on scoresheets.

Their cells, their kinds, who must write and who may look. A cell may hold moves, clock times, offers,
claims and results; no other notes (8.1.4, L089). A cell is judged by its form alone, in any script, and never by
whether the move is right or even whole: a slip of the pen is the player's own. The words of an announcement are not
known here; the edge of the program knows them (`WriteScore.words`).

Then: what a player writes the score on, and what the edition says of it (8.1.1, 8.1.6, D.2.7, D.2.10.3; L086, L194);
who need not keep score, and who must bring it up to date (8.4, 8.5; L094-L096); asking to see the scoresheet in rapid
and blitz: five times, only when having the move (A.4.3, B.2.3; L149, L160).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from enum import StrEnum
from typing import Literal

import msgspec

from server.game.laws.event_options import Supervision
from server.game.laws.rule_set import RuleSet
from server.game.laws.supervision import TimeClass
from server.game.values.words import Seat, SeatKind

LONGEST = 64
OFFER = "(=)"

_SIGNS = "x×:хХ-"
_LATIN = r"(?:gy|[A-Za-z♔-♟])?[a-hA-H]?[1-8]?"
_OTHER = r"[^\W\d_A-Za-z]{0,3}[a-hA-H]?[1-8]?"
_END = r"(?:[=/(]{0,2}[^\W\d_]{1,2}\)?)?"
_SUFFIX = r"(?:e\.?p\.?)?[+#†‡!?=x×:]*(?:\(=\))?"
_MOVE = re.compile(
    rf"(?:{_LATIN}|{_OTHER})(?P<sign>[{_SIGNS}])?(?:{_LATIN}|{_OTHER}){_END}{_SUFFIX}",
)
_RANK = re.compile("[1-8]")
_CASTLING = re.compile(rf"[0OoОо](?:-?[0OoОо]){{1,2}}{_SUFFIX}")
# Two files (`ed`), or a piece and a file where the rank was left out (`Nc`): incomplete, but no note.
_PAIR = re.compile(rf"(?:[a-h]|[A-Z])[a-h](?:[=/(]?[A-Z]\)?)?{_SUFFIX}")
_MARK = re.compile(
    r"\(=\)|\((?:\+|#|!|\?)\)|[=+#†‡!?]+|e\.?p\.?|-+|_+|\.{2,}|…+"
    r"|1-0|0-1|½-½|½:½|1/2-1/2|0-0|1:0|0:1|0[.,]5-0[.,]5|\*",
)
_TIME = re.compile(r"[(\[]?(?:\d{1,3}[:.]\d{2}(?:[:.]\d{2})?|\d{1,3}['′])[)\]]?")
# The article of a claim, as players note it: 9.2, 9.2.1, III.4.
_CLAIM = re.compile(r"(?:9\.[23](?:\.\d)?|III\.[45])")
_BRAILLE = re.compile("[\u2800-\u28ff]{1,24}")


def plain(text: str) -> str:
    """Return the text in one form: composed, with ASCII digits and dashes.

    Vowel signs, tatweel and direction marks are left out.
    """
    kept = []
    for letter in unicodedata.normalize("NFC", text):
        category = unicodedata.category(letter)
        if category in ("Cf", "Mn") or letter in "\u0640\u05f3":
            continue
        if category == "Nd":
            letter = str(unicodedata.digit(letter))
        elif category == "Pd" or letter == "\u2212":
            letter = "-"
        kept.append(letter)
    return "".join(kept)


def _is_move(token: str) -> bool:
    if _CASTLING.fullmatch(token):
        return True
    found = _MOVE.fullmatch(token)
    if found is None or not any(letter.isalnum() for letter in token):
        return False
    return found["sign"] is not None or bool(_RANK.search(token) or _PAIR.fullmatch(token))


def _is_mark(token: str) -> bool:
    return any(form.fullmatch(token) for form in (_MARK, _TIME, _CLAIM))


def without_marks(text: str) -> str:
    """Return a cell without its marks.

    Offers, clock times, claims, check signs that stand alone.

    >>> without_marks("Springer Felix drei (=) 0:45")
    'Springer Felix drei'
    """
    return " ".join(token for token in text.split() if not _is_mark(plain(token)))


Mark = Literal["offer", "check", "mate", "en_passant", "short", "long", "time", "claim", "text"]
"""The kind of a part of a cell: a sign that has words of its own, or text as it is written."""

_SAID: tuple[tuple[re.Pattern[str], Mark], ...] = (
    (re.compile(r"\(=\)|="), "offer"),
    (re.compile(r"\+|†"), "check"),
    (re.compile(r"#|\+\+|‡"), "mate"),
    (re.compile(r"\(?e\.?p\.?\)?"), "en_passant"),
    (re.compile(r"[0OoОо]-?[0OoОо]"), "short"),
    (re.compile(r"[0OoОо]-?[0OoОо]-?[0OoОо]"), "long"),
    (_TIME, "time"),
    (_CLAIM, "claim"),
)
_PARTS = re.compile(r"(?P<move>.*?)(?P<ep>e\.?p\.?)?(?P<sign>\+\+|[+#†‡])?[!?]*(?P<offer>\(=\)|=)?")


def parts_of_cell(text: str) -> Iterator[tuple[Mark, str]]:
    """Yield the parts of a cell in their order: text as it stands, and each sign that has words of its own.

    A lone "0-0" is castling, since a result of both lost is no half-move.

    >>> list(parts_of_cell("Nf3+ (=)"))
    [('text', 'Nf3'), ('check', '+'), ('offer', '(=)')]
    """
    for token in text.split():
        written = plain(token)
        alone = next((mark for form, mark in _SAID if form.fullmatch(written)), None)
        if alone is not None:
            yield alone, written
            continue
        if not any(letter.isalnum() for letter in written):
            yield "text", token
            continue
        found = _PARTS.fullmatch(token)
        assert found is not None  # every part of it may be missing
        for part in (found["move"], found["ep"], found["sign"], found["offer"]):
            if part:
                yield next((mark for form, mark in _SAID if form.fullmatch(plain(part))), "text"), part


def time_of_cell(text: str) -> int:
    """Return a clock time of a cell in ms: hours and minutes, and seconds where there are three numbers.

    >>> time_of_cell("(0:45)"), time_of_cell("1:02:30"), time_of_cell("45'")
    (2700000, 3750000, 2700000)
    """
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    hours, minutes, seconds = (0, *numbers, 0) if len(numbers) == 1 else (*numbers, 0)[:3]
    return ((hours * 60 + minutes) * 60 + seconds) * 1000


def is_cell(text: str) -> bool:
    """Return whether this text may stand in a scoresheet, by its form; an empty text clears a cell.

    >>> is_cell("Nf3 (=)"), is_cell("gxRQ"), is_cell("my knight is weak")
    (True, True, False)
    """
    if len(text) > LONGEST:
        return False
    tokens = plain(text).split()
    moves = [token for token in tokens if not _is_mark(token)]
    return all(_is_move(token) or _BRAILLE.fullmatch(token) for token in moves) and len(moves) <= 3


def marks_offer(text: str) -> bool:
    """Return whether a cell holds the mark of a draw offer (8.1.5): (=), or = at its end."""
    return OFFER in text or text.rstrip().endswith("=")


CERTIFIED = False
"""A FIDE-certified electronic scoresheet (8.1.1.2) is what this program is not; the arbiter may allow it."""


class Scoresheet(StrEnum):
    """Material that a player's score is written on."""

    PAPER = "paper"
    DICTATED = "dictated"  # D.2.7: a sound recording; here also its cells
    BRAILLE = "braille"  # D.2.7: Braille or another special way, which the program does not see
    LONGHAND = "longhand"  # by an assistant (8.1.6, D.2.10.3)
    STATION = "station"  # typed into this program by the player


KEPT_HERE = (Scoresheet.DICTATED, Scoresheet.STATION)
"""The scores of which this program sees every cell: only of these can it say that an entry is missing."""


class SheetFinding(msgspec.Struct, frozen=True):
    """Finding of the edition on a kind of scoresheet, with the article.

    `allowed`, or `arbiter` where the arbiter or the event may allow it.
    """

    says: Literal["allowed", "arbiter"]
    article: str


def usual_sheet(kind: SeatKind) -> Scoresheet:
    """Return the scoresheet that is assumed until the arbiter records another.

    It is dictation at the tactile board, otherwise paper.
    """
    return Scoresheet.DICTATED if kind is SeatKind.TACTILE else Scoresheet.PAPER


def sheet_finding(rules: RuleSet, kind: SeatKind, sheet: Scoresheet) -> SheetFinding:
    """Return the finding of the edition on a kind of scoresheet for a kind of player.

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
    return SheetFinding("arbiter", "8.1.1.2")


FEWER_THAN_MS = 5 * 60_000
INCREMENT_FROM_MS = 30_000


class Exemption(msgspec.Struct, frozen=True):
    """One player's exemption from recording.

    `period`: the clock period (from 0) for the rest of which the player need not record; None for none.
    """

    period: int | None = None

    def holds(self, period: int) -> bool:
        """Return whether the player is exempt in this period.

        A new period ends it: the score is then brought up to date.
        """
        return self.period == period


def exemption_after(exemption: Exemption, period: int, remaining_ms: int, increment_ms: int) -> Exemption:
    """Return the exemption after a reading of the player's own clock.

    It begins with fewer than five minutes and an increment under 30 s, and it stays until the period ends even if the
    time rises again.
    """
    if exemption.holds(period):
        return exemption
    if remaining_ms < FEWER_THAN_MS and increment_ms < INCREMENT_FROM_MS:
        return Exemption(period)
    return Exemption()


class UpdateDuty(msgspec.Struct, frozen=True):
    """Duty to complete the score after a flag has fallen: whose, before what, and by which article.

    "before_play": the arbiter stops the clock, and both complete their scores before it runs again (8.5.1, 8.5.3);
    "before_moving": the player's clock runs on, and the score is completed before the player touches a piece (8.5.2).
    """

    article: str
    seats: tuple[Seat, ...]
    when: Literal["before_play", "before_moving"]


def update_duty(*, white_behind: bool, black_behind: bool, reconstructable: bool = True) -> UpdateDuty | None:
    """Return the duty of 8.5 once a flag has fallen; None where both scores are complete.

    `reconstructable` False: the scores cannot be completed from each other or from the arbiter's, so the game is
    reconstructed on another board under the arbiter's control (8.5.3).
    """
    behind = tuple(seat for seat, lacks in ((Seat.WHITE, white_behind), (Seat.BLACK, black_behind)) if lacks)
    if not behind:
        return None
    if not reconstructable:
        return UpdateDuty("8.5.3", (Seat.WHITE, Seat.BLACK), "before_play")
    if len(behind) == 2:
        return UpdateDuty("8.5.1", behind, "before_play")
    return UpdateDuty("8.5.2", behind, "before_moving")


REQUESTS_A_GAME = 5


class SheetRequest(msgspec.Struct, frozen=True):
    """Outcome of a request to see the sheet.

    The sheet is shown (read to a tactile player), or the arbiter is told, or it is refused.
    """

    answer: Literal["show", "distraction", "refuse"]
    article: str
    number: int


def sheet_request(
    rule_set: RuleSet, kind: TimeClass, supervision: Supervision, earlier: int, *, on_move: bool
) -> SheetRequest:
    """Return the answer to a request, after `earlier` requests that were granted.

    The sixth is a distraction (11.5), and the arbiter decides. Where the arbiter keeps no sheet (basic supervision;
    standard play, where each player keeps a score) none can be shown.
    """
    if kind is TimeClass.STANDARD or supervision is Supervision.BASIC:
        return SheetRequest("refuse", "8.1.1" if kind is TimeClass.STANDARD else "A.2", earlier)
    article = rule_set.article(f"{kind.value}_sheet") or "11.5"
    if not on_move:
        return SheetRequest("refuse", article, earlier)
    number = earlier + 1
    return SheetRequest("show" if number <= REQUESTS_A_GAME else "distraction", article, number)
