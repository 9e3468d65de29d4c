"""Results and colours of played games are put back into the TRF file that their pairings came from.

This code is pure. Only the lines of players whose game is new are changed, and of these only the cell of the round and
the points; everything else stays as it was (FIDE Handbook C.04 Annex 2; `pairings.py` names the columns). The points
grow only where the rule they are counted by is known: the file settles none of its own, and those that stand there are
the sum of the results before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from server.hall.foreign_files.pairings import LINE_END, ROUND_WIDTH, ROUNDS_FROM, TrfPlayer, columns_left, read_players
from speech.complaint import Complaint, Phrase

CODES: dict[str, tuple[str, str]] = {
    "1-0": ("1", "0"),
    "0-1": ("0", "1"),
    "1/2-1/2": ("=", "="),
    "0-0": ("0", "0"),
    "1/2-0": ("=", "0"),
    "0-1/2": ("0", "="),
    "+/-": ("+", "-"),
    "-/+": ("-", "+"),
    "-/-": ("-", "-"),
}
"""Every result of the Laws: how the cells of White and of Black say it."""
VALUES = {**dict.fromkeys("1+WFU", 2), **dict.fromkeys("=DH", 1), **dict.fromkeys("0-LZ", 0)}
"""Half points of a result, where the file settles nothing else."""
OTHER_POINTS = ("XXS", "162", "299", "BB")
"""Lines with which a file settles its own points; then the points are left to the pairing program."""
POINTS = slice(80, 84)
_ENDING = re.compile(r"[\r\n]*\Z")


class EndedGame(msgspec.Struct, frozen=True):
    """A game that is over: the players' names as the pairing file has them, and the result as "1/2-0".

    `board`: its number in the round, 0 where it has none.
    """

    round: int
    white: str
    black: str
    result: str
    board: int = 0


def with_results(text: str, games: Sequence[EndedGame], kept: list[str] | None = None) -> str:
    """Return the file with these results. `kept` gets the names of players whose points stay as the file has them.

    A result that stands there already stays. Raises Complaint where the file is no TRF, a game was not paired in it, a
    name is not clear, or another result stands there.
    """
    lines = re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z", text)
    players = read_players([line.lstrip("\ufeff") for line in lines])
    rows = {player.rank: row for row, player in players}
    counted = not any(line.startswith(OTHER_POINTS) for line in lines)
    for game in games:
        if game.result not in CODES:
            raise Complaint(Phrase("results.none", result=game.result))
        met = _players_met([player for _, player in players], game)
        if met is None:
            raise Complaint(Phrase("results.not_paired", white=game.white, black=game.black, round=game.round))
        sides = zip(met, ("w", "b"), CODES[game.result], strict=True)
        for player, colour, code in sides:
            row = rows[player.rank]
            known = counted and _counts_as_usual(lines[row], player, game.round)
            before = lines[row]
            lines[row] = _line(before, game, player.name, colour, code, counted=known)
            if kept is not None and not known and before[POINTS].strip() and lines[row] != before:
                kept.append(player.name)
    return "".join(lines)


def games_in(text: str) -> tuple[tuple[str, ...], ...]:
    """Return a TRF file as a table: of every round its games by boards, White's and Black's result, then the byes.

    Raises Complaint where two lines of a round do not fit each other.
    """
    rows: list[tuple[str, ...]] = [("round", "board", "white", "black", "white result", "black result")]
    players = [player for _, player in read_players(LINE_END.split(text.lstrip("\ufeff")))]
    by_rank = {player.rank: player for player in players}
    for number in range(1, max((len(player.rounds) for player in players), default=0) + 1):
        games, byes = [], []
        for one in players:
            rank, colour, result = one.of_round(number)
            other = by_rank.get(rank)
            back = other.of_round(number) if other is not None else (0, "", "")
            if not rank:
                byes += [(str(number), "", one.name, "", result, "")] if result else []
            elif other is None or back[0] != one.rank or (colour == back[1] and colour in ("w", "b")):
                raise Complaint(Phrase("pairing_not_so", name=one.name, rank=rank, round=number))
            elif colour == "w" or (back[1] != "w" and (colour, one.rank) < (back[1], rank)):
                games.append((min(one.rank, rank), one.name, other.name, result, back[2]))
        rows += [(str(number), str(board), *game[1:]) for board, game in enumerate(sorted(games), 1)]
        rows += byes
    return tuple(rows)


def _players_met(players: Sequence[TrfPlayer], game: EndedGame) -> tuple[TrfPlayer, TrfPlayer] | None:
    """Return who met in this game; None where nobody did, or it may have been several.

    Two players of one name are told apart by their colours, then by the number of their board.
    """
    met = [
        (one, other)
        for one in players
        for other in players
        if (one.name, other.name) == (game.white, game.black)
        and one.of_round(game.round)[0] == other.rank
        and other.of_round(game.round)[0] == one.rank
    ]
    if len(met) > 1:
        met = [pair for pair in met if pair[0].of_round(game.round)[1] == "w"]
    if len(met) > 1:
        boards = sorted(min(p.rank, p.of_round(game.round)[0]) for p in players if p.of_round(game.round)[1] == "w")
        met = [pair for pair in met if boards.index(min(one.rank for one in pair)) + 1 == game.board]
    return met[0] if len(met) == 1 else None


def _line(line: str, game: EndedGame, name: str, colour: str, code: str, *, counted: bool) -> str:
    ending = _ENDING.search(line)
    assert ending is not None
    mark = "\ufeff" if line.startswith("\ufeff") else ""
    body = line[len(mark) : ending.start()]
    left = columns_left(body)
    place = ROUNDS_FROM - left + (game.round - 1) * ROUND_WIDTH
    cell = body[place : place + ROUND_WIDTH].ljust(8)
    before = cell[7].strip()
    if (before, cell[5].lower()) == (code, colour):
        return line
    if before and before != code:
        raise Complaint(Phrase("results.other", name=name, before=before, round=game.round, code=code))
    tail = body[place + ROUND_WIDTH :]
    done = f"{cell[:5]}{colour}{cell[6]}{code}{cell[8:]}"
    body = body[:place] + (done.ljust(ROUND_WIDTH) if tail else done) + tail
    if counted and not before:
        body = _more_points(body, VALUES[code], left)
    return mark + body + ending[0]


def _counts_as_usual(line: str, player: TrfPlayer, round: int) -> bool:
    """Say whether the player's points are the sum of the results that stand there, with or without byes to come."""
    left = columns_left(line)
    told = line[POINTS.start - left : POINTS.stop - left].strip()
    halves = [VALUES.get(result.upper(), 0) for _, _, result in player.rounds]
    return told in {f"{sum(some) / 2:.1f}" for some in (halves, halves[: round - 1])}


def _more_points(body: str, halves: int, left: int) -> str:
    """Return the line with so many half points more, where its points are a number."""
    first, end = POINTS.start - left, POINTS.stop - left
    told = body[first:end].strip()
    if not re.fullmatch(r"\d{1,2}\.[05]", told):
        return body
    now = round(float(told) * 2) + halves
    return f"{body[:first]}{now / 2:>4.1f}{body[end:]}"
