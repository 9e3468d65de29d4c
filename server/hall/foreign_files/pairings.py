"""Pairings are read from an organiser's file: TRF16, TRF26, or PGN that has only headers.

Nothing in the file is trusted, and nothing is read from disk but the words of time controls. TRF facts (FIDE Handbook
C.04 Annex 2): a line begins with a data code; `012` is the event, `122` the allotted times in words, TRF26's `222` the
encoded time control, `001` a player: starting rank in columns 5-8, name in 15-47, then from column 92 ten columns a
round: opponent's rank (0000: none), colour `w` or `b`, result (blank where still to be played). A column that holds
anything else is one sentence with its line: a line whose columns are shifted would pair other players.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Annotated

import chess
import msgspec

from server.exports.pgn_reader import Heading, headings_in
from server.game.values.pairing import DayTime, Way
from server.game.values.time_control import TimeControl
from server.wording.rules import control_of
from speech.complaint import Complaint, Phrase

MOST_CHARACTERS = 2_000_000
UNSTATED = ("", "?", "-")
"""How a file says that it does not know its time control, or that there is none (PGN 9.6.1)."""
MOST_ROUNDS = 9_999
"""The highest number of a round: four digits, as `_ROUND` takes them."""
MOST_BOARDS = 500
MOST_GAMES = 30_000
_ROUND = re.compile(r"(?:[^\W\d_]+[ .:#]*)?([0-9]{1,4})(?:\.([0-9]{1,4})(?:\.[0-9]{1,4})?)?(?:\.? ?[^\W\d_]+)?")
LINE_END = re.compile(r"\r\n|\r|\n")
"""The ends of a line, and no others: a mark of a DOS code page may be taken for one."""
ROUNDS_FROM = 91
ROUND_WIDTH = 10
COLOURS = ("", "w", "b", "-")
RESULTS = ("", *"1=0+-WDLHFUZ")
"""The codes of the column of a result (TRF26); blank where the game is still to be played."""
_POINTS = re.compile(r" *(?:\d{1,4}(?:[.,]\d?)?)? *")

START_960 = re.compile(r"(?i)chess ?960|fischer ?random(?: chess)?|frc")
STATED = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9])?")
BYES = frozenset(["bye", "spielfrei", "freilos", "exempt", "descansa", "riposa", "szabad"])
"""The signs in place of an opponent, for a player who has none."""
USUAL = ("standard", "", "chess", "normal")
"""Names under which PGN files have the usual game."""
BOTH = frozenset(["", "10", "01", "==", "00", "=0", "0=", "+-", "-+", "--", "WL", "LW", "DD", "LL"])
"""The pairs of results that the two players of a game can have."""

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
    """Player of a TRF file; `rounds`: of each round opponent's rank (0: none), colour and result."""

    rank: int
    name: str
    rounds: tuple[tuple[int, str, str], ...]

    def of_round(self, round: int) -> tuple[int, str, str]:
        """Return opponent, colour and result of a round; (0, "", "") where the file has none."""
        return self.rounds[round - 1] if 1 <= round <= len(self.rounds) else (0, "", "")


def read_pairings(text: str, round: int | None = None) -> tuple[Pairing, ...]:
    """Return the pairings of one round of a TRF or a PGN file, by boards.

    `round` None: the one that is paired and has a game without a result. Raises Complaint where the file is neither,
    has no such round, or a line is wrong (with its number).
    """
    if len(text) > MOST_CHARACTERS:
        raise Complaint(Phrase("pairing_long", most=MOST_CHARACTERS // 1_000_000))
    lines = LINE_END.split(text.lstrip("\ufeff").rstrip("\x1a"))
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
    control = _one_control([one for one in coded if one])
    players = [player for _, player in read_players(lines)]
    by_rank = {player.rank: player for player in players}
    if round is None:
        rounds = range(1, max((len(player.rounds) for player in players), default=0) + 1)
        told = {
            n: [bool(result) for opponent, _, result in (p.of_round(n) for p in players) if opponent] for n in rounds
        }
        round = _next_round(told)
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
        if f"{result}{there[2]}".upper() not in BOTH:
            raise Complaint(Phrase("pairing_results", name=player.name, rank=opponent, round=round))
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
    players = [(index, _player(line, index + 1)) for index, line in enumerate(lines) if line.startswith("001")]
    if len({player.rank for _, player in players}) != len(players):
        raise Complaint(Phrase("pairing_rank_twice"))
    return players


def _player(line: str, number: int) -> TrfPlayer:
    rank = line[4:8].strip()
    if not (rank.isdecimal() and rank.isascii() and int(rank) and not line[3:4].strip()):
        raise Complaint(Phrase("trf_no_rank", line=number))
    left = columns_left(line)
    rounds = _rounds(line, number, left)
    name = " ".join(line[14 : 47 - left].split())
    if not name:
        raise Complaint(Phrase("trf_no_name", line=number))
    if not _in_columns(line, left):
        raise Complaint(Phrase("trf_columns", line=number))
    return TrfPlayer(int(rank), name, rounds)


def columns_left(line: str) -> int:
    """Return by how many characters the columns after the name stand too far left.

    Some programs pad a name to so many bytes, not characters.
    """
    padded = len(line.encode()) - len(line)
    return padded if padded and not _fits(line, 0) and _fits(line, padded) else 0


def _fits(line: str, left: int) -> bool:
    try:
        _rounds(line, 0, left)
    except Complaint:
        return False
    return _in_columns(line, left)


def _in_columns(line: str, left: int) -> bool:
    """Say whether the name, the points and the place end where they should."""
    points, place = line[80 - left : 84 - left], line[85 - left : 89 - left].strip()
    apart = line[13:14] + line[47 - left : 48 - left] + line[84 - left : 85 - left] + line[89 - left : 91 - left]
    return not apart.strip() and _POINTS.fullmatch(points) is not None and (not place or place.isdecimal())


def _rounds(line: str, number: int, left: int) -> tuple[tuple[int, str, str], ...]:
    """Return of each round opponent's rank, colour and result. An opponent left blank is none (a bye).

    Raises Complaint where the columns hold something else.
    """
    rounds = []
    for start in range(ROUNDS_FROM, len(line.rstrip()) + left, ROUND_WIDTH):
        cell = line[start - left : start - left + ROUND_WIDTH]
        opponent, colour, result = cell[:4].strip(), cell[5:6].strip().lower(), cell[7:8].strip()
        if opponent and not (opponent.isdecimal() and opponent.isascii() and cell[3:4].strip()):
            raise Complaint(Phrase("trf_no_opponent", line=number, first=start + 1, last=start + 4))
        blank = cell[4:5] + cell[6:7] + cell[8:10]
        if blank.strip() or colour not in COLOURS or result.upper() not in RESULTS:
            raise Complaint(Phrase("trf_cell", line=number, first=start + 6, last=start + 8))
        rounds.append((int(opponent or 0), colour, result))
    return tuple(rounds)


def _control(text: str) -> str:
    """Return a time control as the file has it, "" where it states none; whether it is one is seen when it is opened.

    >>> _control(" 1500 + 10 "), _control("?"), _control("-")
    ('1500 + 10', '', '')
    """
    wanted = " ".join(text.split())
    return "" if wanted in UNSTATED else wanted


def _one_control(stated: Sequence[str]) -> str:
    """Return the time control that a file states; all of them, which is none, where they are not the same."""
    read = set[TimeControl]()
    for one in stated:
        with suppress(ValueError):
            read.add(control_of(one))
    return " ≠ ".join(dict.fromkeys(stated)) if len(read) > 1 else next(iter(stated), "")


def _of_pgn(text: str, round: int | None) -> tuple[Pairing, ...]:
    games = []
    for game in headings_in(text):
        stated = game.tags.get("Round", "")
        try:
            games.append((_number(stated), game))
        except ValueError as wrong:
            raise Complaint(Phrase("pairing_round_name", number=len(games) + 1, round=stated[:40])) from wrong
        if game.odd_line:
            raise Complaint(Phrase("pairing_tag", line=game.odd_line))
        if len(games) > MOST_GAMES:
            raise Complaint(Phrase("pairing_games"))
    wanted = _round_in_play(games) if round is None else round
    found: list[Pairing] = []
    seated: set[tuple[str, str]] = set()
    for place, (number, game) in enumerate(games, 1):
        if not _to_be_seated(game.tags, number[0], wanted, place):
            continue
        if game.has_moves:
            raise Complaint(Phrase("pairing_moves", number=place))
        one = _pairing_of(game.tags, place, wanted, number[1] or len(found) + 1)
        for side, name in (("White", one.white), ("Black", one.black)):
            person = name.casefold(), game.tags.get(f"{side}FideId", "")
            if person in seated:
                raise Complaint(Phrase("pairing_twice", name=name, round=wanted))
            seated.add(person)
        found.append(one)
    found.sort(key=lambda one: one.board)
    if len({one.board for one in found}) != len(found):
        raise Complaint(Phrase("pairing_board_twice"))
    return tuple(found)


def _round_in_play(games: Sequence[tuple[tuple[int, int], Heading]]) -> int:
    """Return the round that is to be played, 0 where nothing is paired yet."""
    over: dict[int, list[bool]] = {}
    begun: dict[int, list[bool]] = {}
    for (number, _), game in games:
        ended = game.tags.get("Result", "*") not in (*UNSTATED, "*")
        over.setdefault(number, []).append(ended)
        begun.setdefault(number, []).append(ended or game.has_moves)
    played = over if all(map(all, begun.values())) else begun
    return _next_round(played) if any(played) else 0


def _players_of(tags: Mapping[str, str]) -> tuple[str, str]:
    white, black = (" ".join(tags.get(side, "").split())[:120] for side in ("White", "Black"))
    return white, black


def _to_be_seated(tags: Mapping[str, str], of_round: int, round: int, place: int) -> bool:
    """Say whether the game at `place` of the file is one of this round with two players.

    Raises Complaint where one of them is missing and it is no bye.
    """
    white, black = _players_of(tags)
    named = [name.casefold() not in BYES and any(map(str.isalnum, name)) for name in (white, black)]
    bye = {white.casefold(), black.casefold()} & BYES or tags.get("Result", "*") not in (*UNSTATED, "*")
    there = [side in tags for side in ("White", "Black")]
    half = any(named) and not all(named)
    if (of_round in (0, round) and (half or there[0] != there[1]) and not bye) or (of_round and not any(there)):
        raise Complaint(Phrase("pairing_half", number=place))
    return of_round == round and all(named)


def _pairing_of(tags: Mapping[str, str], place: int, round: int, board: int) -> Pairing:
    """Return the pairing that the tags of a game state. `board`: where they name none.

    Raises Complaint for a board, a time, a start or a time control that cannot be read.
    """
    _check_value(tags, "Board", place, ok=_count_of(tags.get("Board", "")) > 0)
    _check_value(tags, "Time", place, ok=STATED.fullmatch(tags.get("Time", "")) is not None)
    event, letters = tags.get("Event", ""), _start_of(tags)
    if letters is None:
        raise Complaint(Phrase("pairing_start", number=place))
    white, black = _players_of(tags)
    return Pairing(
        round=round,
        board=_count_of(tags.get("Board", "")) or board,
        white=white,
        black=black,
        event="" if event == "?" else event[:200],
        control=_control(tags.get("TimeControl", "")),
        starts=_day_time(tags.get("Time", "")),
        way=" ".join(tags.get("Way", "").split())[:400],
        chess960=letters,
    )


def _next_round(games: Mapping[int, Sequence[bool]]) -> int:
    """Return the round that is to be played, of all games by their round and whether they have a result.

    It is the one with games that have none; the first of several where nothing of them is played, as all rounds of a
    round robin are paired at once. 0 where nothing is paired. Raises Complaint where every game has its result, or
    several rounds might be meant.

    >>> _next_round({1: [True], 2: [True, False]}), _next_round({1: [True], 2: [False], 3: [False]})
    (2, 2)
    """
    left = [round for round, over in sorted(games.items()) if not all(over)]
    if not left and any(games.values()):
        raise Complaint(Phrase("pairing_played"))
    if len(left) > 1 and any(any(games[round]) for round in left):
        raise Complaint(Phrase("pairing_rounds", rounds=", ".join(map(str, left))))
    return left[0] if left else 0


def _check_value(tags: Mapping[str, str], tag: str, place: int, *, ok: bool) -> None:
    """Raise Complaint where a tag that is there, and says more than that it is unknown, cannot be read."""
    text = tags.get(tag, "")
    if not ok and not re.fullmatch(r"[?:\s-]*", text):
        raise Complaint(Phrase("pairing_value", number=place, tag=tag, text=text[:40]))


def _start_of(tags: Mapping[str, str]) -> str | None:
    """Return White's pieces from a to h in Chess960, "" where the usual game is played; None for another start."""
    fen, is_960 = tags.get("FEN", ""), START_960.fullmatch(tags.get("Variant", "")) is not None
    if not fen:
        usual = tags.get("Variant", "").lower() in USUAL and tags.get("SetUp", "0") != "1"
        return "" if usual else None
    try:
        board = chess.Board(fen, chess960=True)
    except ValueError:
        return None
    if board.chess960_pos() is None or board.halfmove_clock or board.fullmove_number > 1:
        return None
    if is_960:
        return board.board_fen().split("/")[7]
    usual = tags.get("Variant", "").lower() in USUAL and board.board_fen() == chess.STARTING_BOARD_FEN
    return "" if usual else None


def _day_time(text: str) -> str:
    """Return the hour and minute of a PGN time tag, "" where it has none.

    >>> _day_time("15:00:00"), _day_time("??:??:??")
    ('15:00', '')
    """
    found = re.match(r"([01][0-9]|2[0-3]):[0-5][0-9](?=\Z|:)", text)
    return found[0] if found else ""


def _number(text: str) -> tuple[int, int]:
    """Return the round and perhaps the board in a text like "5", "5.3" or "Round 5"; (0, 0) where none is stated.

    Raises ValueError for another text.

    >>> _number("5.3"), _number("Runde 5"), _number("?")
    ((5, 3), (5, 0), (0, 0))
    """
    if text.strip() in UNSTATED:
        return 0, 0
    found = _ROUND.fullmatch(text.strip()[:60])
    if found is None or any(one.isnumeric() and not one.isascii() for one in text):
        raise ValueError(text)
    return int(found[1]), int(found[2] or 0)


def _count_of(digits: str) -> int:
    digits = digits.strip()
    return int(digits) if digits.isdecimal() and digits.isascii() and len(digits) < 5 else 0


def table_name(pairing: Pairing) -> str:
    """Return the name of a pairing's table.

    >>> table_name(Pairing(round=5, board=3, white="A", black="B"))
    'r5-b3'
    """
    return f"r{pairing.round}-b{pairing.board}"
