"""Pairings are read from an organiser's file: TRF16, TRF26, or PGN that has only headers.

This code is pure, and nothing in the file is trusted. TRF facts (FIDE Handbook C.04 Annex 2): a line begins with a
data code; `012` is the event, `122` the allotted times in words, TRF26's `222` the encoded time control, `001` a
player: starting rank in columns 5-8, name in 15-47, then from column 92 ten columns a round: opponent's rank (0000:
none), colour `w` or `b`, result (blank where still to be played).
"""

from __future__ import annotations

import re
from typing import Annotated

import chess
import msgspec

from server.exports.pgn_reader import Heading, headings_in
from server.game.values.pairing import DayTime, Way
from speech.complaint import Complaint, Phrase

MOST_CHARACTERS = 2_000_000
UNSTATED = ("", "?", "-")
"""How a file says that it does not know its time control, or that there is none (PGN 9.6.1)."""
MOST_ROUNDS = 60
MOST_BOARDS = 500
LINE_END = re.compile(r"\r\n|\r|\n")
"""The ends of a line, and no others: a mark of a DOS code page may be taken for one."""
ROUNDS_FROM = 91
ROUND_WIDTH = 10

START_960 = re.compile(r"(?i)chess ?960|fischer ?random(?: chess)?|frc")
START_OF_GAME = re.compile(r"[bknqr]{8}/p{8}(?:/8){4}/P{8}/[BKNQR]{8} w \S+ - \d+ \d+")
USUAL = ("standard", "", "chess", "normal")
"""Names under which PGN files have the usual game."""

Name = Annotated[str, msgspec.Meta(max_length=120)]


class Pairing(msgspec.Struct, frozen=True, kw_only=True):
    """A pairing is one board of a round.

    `control`: as the file has it ("5400+30"), "" where it has none. `starts`, `way`: of the PGN tags Time ("15:00:00")
    and Way, which is a tag of ours; a TRF file has neither. `chess960`: White's pieces from a to h, where it is played.
    """

    round: int
    board: int
    white: Name
    black: Name
    event: str = ""
    control: str = ""
    starts: DayTime = ""
    way: Way = ""
    chess960: str = ""


class TrfPlayer(msgspec.Struct, frozen=True):
    """This is a player of a TRF file; `rounds`: of each round opponent's rank (0: none), colour and result."""

    rank: int
    name: str
    rounds: tuple[tuple[int, str, str], ...]

    def of_round(self, round: int) -> tuple[int, str, str]:
        """Return opponent, colour and result of a round; (0, "", "") where the file has none."""
        return self.rounds[round - 1] if 1 <= round <= len(self.rounds) else (0, "", "")


def read_pairings(text: str, round: int | None = None) -> tuple[Pairing, ...]:
    """Return the pairings of one round of a TRF or a PGN file, by boards.

    `round` None: the last that is paired and has a game without a result. Raises Complaint where the file is neither,
    has no such round, or a line is wrong (with its number).
    """
    if len(text) > MOST_CHARACTERS:
        raise Complaint(Phrase("pairing_long", most=MOST_CHARACTERS // 1_000_000))
    lines = LINE_END.split(text.lstrip("\ufeff"))
    if any(line.startswith("001 ") for line in lines):
        found = _of_trf(lines, round)
    elif any(line.lstrip().startswith("[") for line in lines):
        found = _of_pgn(text, round)
    else:
        raise Complaint(Phrase("pairing_kind"))
    if not found:
        if round is None:
            raise Complaint(Phrase("pairing_none"))
        raise Complaint(Phrase("pairing_none_of", round=round))
    if len(found) > MOST_BOARDS:
        raise Complaint(Phrase("pairing_boards", boards=len(found), most=MOST_BOARDS))
    return found


def _of_trf(lines: list[str], round: int | None) -> tuple[Pairing, ...]:
    event = next((line[4:].strip() for line in lines if line.startswith("012 ")), "")
    coded = [_control(line[4:]) for code in ("222 ", "122 ") for line in lines if line.startswith(code)]
    control = next((one for one in coded if one), "")
    players = [player for _, player in read_players(lines)]
    by_rank = {player.rank: player for player in players}
    rounds = max((len(player.rounds) for player in players), default=0)
    if round is None:
        paired = [n for n in range(1, rounds + 1) if any(_open(player, n) for player in players)]
        if not paired and any(opponent for player in players for opponent, _, _ in player.rounds):
            raise Complaint(Phrase("pairing_played"))
        round = paired[-1] if paired else rounds
    pairs = []
    for player in players:
        opponent, colour, result = player.of_round(round)
        if opponent == 0:
            continue
        other = by_rank.get(opponent)
        there = (0, "", "") if other is None else other.of_round(round)
        forfeited = result and there[2] and not {colour, there[1]} <= {"w", "b"}
        if other is None or there[0] != player.rank or not (forfeited or {colour, there[1]} == {"w", "b"}):
            raise Complaint(Phrase("pairing_not_so", name=player.name, rank=opponent, round=round))
        if colour == "w":
            pairs.append((player, other))
    # TRF has no board numbers: boards go by the better rank of each pair, as pairing programs print them.
    pairs.sort(key=lambda pair: min(pair[0].rank, pair[1].rank))
    return tuple(
        Pairing(round=round, board=board, white=white.name, black=black.name, event=event, control=control)
        for board, (white, black) in enumerate(pairs, 1)
    )


def read_players(lines: list[str]) -> list[tuple[int, TrfPlayer]]:
    """Return the players of a TRF file, each with the index of its line.

    Raises Complaint where a line is wrong, or two players have one rank.
    """
    players = [(index, _player(line, index + 1)) for index, line in enumerate(lines) if line.startswith("001 ")]
    if len({player.rank for _, player in players}) != len(players):
        raise Complaint(Phrase("pairing_rank_twice"))
    return players


def _player(line: str, number: int) -> TrfPlayer:
    try:
        rank = int(line[4:8])
    except ValueError as wrong:
        raise Complaint(Phrase("trf_no_rank", line=number)) from wrong
    left = columns_left(line)
    name = " ".join(line[14 : 47 - left].split())
    if not name:
        raise Complaint(Phrase("trf_no_name", line=number))
    return TrfPlayer(rank, name, _rounds(line, number, left))


def columns_left(line: str) -> int:
    """Return by how many characters the columns after the name stand too far left.

    Some programs pad a name to so many bytes, not characters.
    """
    try:
        _rounds(line, 0, 0)
    except Complaint:
        return len(line.encode()) - len(line)
    return 0


def _rounds(line: str, number: int, left: int) -> tuple[tuple[int, str, str], ...]:
    """Return of each round opponent's rank, colour and result. An opponent left blank is none (a bye).

    Raises Complaint where the columns hold something else.
    """
    rounds = []
    most = min(len(line) + left, ROUNDS_FROM + MOST_ROUNDS * ROUND_WIDTH)
    for start in range(ROUNDS_FROM, most, ROUND_WIDTH):
        cell = line[start - left : start - left + ROUND_WIDTH]
        opponent = cell[:4].strip()
        in_place = not opponent or (opponent.isdecimal() and cell[3:4].isdecimal())
        if not in_place or cell[4:5].strip():
            raise Complaint(Phrase("trf_no_opponent", line=number, first=start + 1, last=start + 4))
        rounds.append((int(opponent or 0), cell[5:6].strip().lower(), cell[7:8].strip()))
    return tuple(rounds)


def _open(player: TrfPlayer, round: int) -> bool:
    """Say whether the player has an opponent in that round and no result yet."""
    opponent, colour, result = player.of_round(round)
    return opponent > 0 and colour in ("w", "b") and not result


def _control(text: str) -> str:
    """Return a time control as the file has it, "" where it states none; whether it is one is seen when it is opened.

    >>> _control(" 1500 + 10 "), _control("?"), _control("-")
    ('1500 + 10', '', '')
    """
    wanted = " ".join(text.split())
    return "" if wanted in UNSTATED else wanted


def _of_pgn(text: str, round: int | None) -> tuple[Pairing, ...]:
    games = []
    for game in headings_in(text):
        games.append((_number(game.tags.get("Round", "")), game))
        if game.odd_line:
            raise Complaint(Phrase("pairing_tag", line=game.odd_line))
        if len(games) > MOST_BOARDS * MOST_ROUNDS:
            raise Complaint(Phrase("pairing_games"))
    wanted = round if round is not None else _next_round(games)
    found: list[Pairing] = []
    for place, (number, game) in enumerate(games, 1):
        one = game.tags
        white, black = (" ".join(one.get(side, "").split())[:120] for side in ("White", "Black"))
        if number[0] != wanted or white in ("", "?") or black in ("", "?"):
            continue
        if game.has_moves:
            raise Complaint(Phrase("pairing_moves", number=place))
        board = _number(one.get("Board", ""))[0] or number[1] or len(found) + 1
        event, start, letters = one.get("Event", ""), one.get("FEN", chess.STARTING_FEN), ""
        if START_960.fullmatch(one.get("Variant", "")) and START_OF_GAME.fullmatch(start):
            letters = start.split("/")[7][:8]
        elif start.split()[:3] != chess.STARTING_FEN.split()[:3] or one.get("Variant", "").lower() not in USUAL:
            raise Complaint(Phrase("pairing_start", number=place))
        control = _control(one.get("TimeControl", ""))
        shown = "" if event == "?" else event[:200]
        starts, way = _day_time(one.get("Time", "")), " ".join(one.get("Way", "").split())[:400]
        found.append(
            Pairing(
                round=wanted,
                board=board,
                white=white,
                black=black,
                event=shown,
                control=control,
                starts=starts,
                way=way,
                chess960=letters,
            )
        )
    found.sort(key=lambda one: one.board)
    if len({one.board for one in found}) != len(found):
        raise Complaint(Phrase("pairing_board_twice"))
    return tuple(found)


def _next_round(games: list[tuple[tuple[int, int], Heading]]) -> int:
    """Return the last round with a game that has no result; 0 where no game names its round.

    Raises Complaint where every game of a round has one.
    """
    rounds = {number[0] for number, _ in games}
    left = {number[0] for number, game in games if game.tags.get("Result", "*") in (*UNSTATED, "*")}
    if any(rounds) and not any(left):
        raise Complaint(Phrase("pairing_played"))
    return max(left, default=0)


def _day_time(text: str) -> str:
    """Return the hour and minute of a PGN time tag, "" where it has none.

    >>> _day_time("15:00:00"), _day_time("??:??:??")
    ('15:00', '')
    """
    found = re.match(r"([01][0-9]|2[0-3]):[0-5][0-9](?=\Z|:)", text)
    return found[0] if found else ""


def _number(text: str) -> tuple[int, int]:
    """Return the round and perhaps the board in a text like "5" or "5.3"; 0 where there is none.

    >>> _number("5.3"), _number("?")
    ((5, 3), (0, 0))
    """
    first, _, rest = text.strip().partition(".")
    return _counted(first), _counted(rest)


def _counted(digits: str) -> int:
    return int(digits) if digits.isdecimal() and len(digits) < 10 else 0


def table_name(pairing: Pairing) -> str:
    """Return the name of a pairing's table.

    >>> table_name(Pairing(round=5, board=3, white="A", black="B"))
    'r5-b3'
    """
    return f"r{pairing.round}-b{pairing.board}"
