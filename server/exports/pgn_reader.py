"""Recorded games are read from PGN text, each up to the first thing that cannot be read.

The games come as plies; nothing is read from disk. python-chess knows the rules here, but its PGN reader passes over
what it cannot read: in "2. Sf3" it finds the pawn move f3. A score is evidence (8.1, D.2.9), so this reader stops at
the first word it cannot read and says so. PGN has English letters; figurines are read too and, where a caller gives
them, the letters of a language that reads the whole game.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import chess
import msgspec

from braille.score import Played
from server.scoresheets.cell import Writing, legal_readings, take
from server.scoresheets.endings import NO_ENDINGS, Endings, result_of
from server.scoresheets.forms import FIGURINE, VERDICTS, without_words
from speech.complaint import Phrase

MAX_PLIES = 12_000  # no game under the 75-move rule (9.6.2) is longer
MAX_WORD = 40  # characters; keeps the patterns below away from hostile input

_TOKEN = re.compile(
    r"""
      (?P<tag>(?:(?m:^)[ \t]*|(?<="\])[ \t]+)\[[ \t]*(?P<name>\w+)[ \t]+"(?P<value>(?:[^"\\\n]|\\.)*)"[ \t]*\])
    | (?P<loose>(?m:^)[ \t]*\[[ \t]*(?P<loose_name>\w+)[ \t]+"(?P<loose_value>[^\n]*)"[ \t\r]*\][ \t\r]*(?m:$))
    | (?P<odd_tag>(?m:^)[ \t]*\[[^\n]*)
    | (?P<escaped>(?m:^)%[^\n]*)
    | (?P<empty_line>\n[ \t\r]*\n)
    | (?P<space>\n|[^\S\n]+)
    | (?P<comment>\{[^}]*\}|;[^\n]*)
    | (?P<draw_offer>\(=\))
    | (?P<opens>\()
    | (?P<closes>\))
    | (?P<nag>\$\d+)
    | (?P<word>[^\s{}();$]+)
    | (?P<stray>.)
    """,
    re.VERBOSE,
)
_LINE_END = re.compile(r"\r\n?")
_PLAYERS = {"White", "Black"}
_HEADER_RESULTS = {"1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2", "+/-", "-/+", "-/-", "*"}
_NUMBER = re.compile(r"(\d+)(?:\.+|…)|(\d{1,3})\Z|(?:\.+|…)")
_PRAISE = re.compile(rf"(?:[!?{VERDICTS}]+|\+-|-\+)\Z")
_LAST = re.compile(r"[^\S\n]*(?:\n[ \t\r]*\n|\n[ \t]*\[|\s*\Z)")
"""Nothing more of the same game follows."""
_WORD = re.compile(r"(?:[^\S\n]|\n(?![ \t\r]*\n|[ \t]*\[))*(\S{1,40})")
"""A word of the same game: an empty line or a tag ends it."""
_DRAWN = str.maketrans({**{sign: " PNBRQK"[kind] for sign, kind in FIGURINE.items()}, "\ufe0e": None, "\ufe0f": None})
_SUFFIX = re.compile(r"(?:e\.?\s?p\.?)?(?:\+\+|\+|\#)?(?:e\.?p\.?)?\Z")
_STANDARD = {"", "standard", "normal", "classical", "from position"}
_CHESS960 = {"chess960", "chess 960", "fischerandom", "fischerrandom", "fischer random"}


class PgnReading(msgspec.Struct, frozen=True):
    """One game of a file.

    `fault`: one sentence where it could not be read to its end; None where it could. `languages`: those in whose
    letters it was read where these are not English. `ending`: the words that say that it is over.
    """

    played: Played
    fault: Phrase | None = None
    languages: tuple[str, ...] = ()
    ending: str | None = None


class _Game:
    """Game that is being read."""

    def __init__(self, letters: Mapping[str, Writing]) -> None:
        self.letters = letters
        self.languages: tuple[str, ...] = ()
        self.ending: str | None = None
        self.said: list[str] = []
        """Every word that should be a move, read or not."""
        self.headers: dict[str, str] = {}
        self.board: chess.Board | None = None
        self.start_fen: str | None = None
        self.moves: list[str] = []
        self.draw_offers: list[int] = []
        self.result: str | None = None
        self.fault: Phrase | None = None
        self.due = 2
        """Twice the number of the first move, and one more where Black makes it."""
        self.numbered = False
        self.misnumbered: tuple[int, Phrase] | None = None
        """The first number that is not that of its move: the plies before it, and the sentence."""
        self.depth = 0
        self.begun = False  # movetext was seen
        self.last = ""

    def place(self) -> Phrase:
        return Phrase("pgn.after", move=self.last) if self.last else Phrase("pgn.first")

    def start(self) -> chess.Board | None:
        """Return the board of the first move, from the tags."""
        variant = self.headers.get("Variant", "").strip().lower()
        if variant not in _STANDARD | _CHESS960:
            self.fault = Phrase("pgn.variant", variant=self.headers["Variant"][:40])
            return None
        fen = self.headers.get("FEN", "").strip()
        try:
            board = chess.Board(fen or chess.STARTING_FEN, chess960=variant in _CHESS960)
        except ValueError:
            self.fault = Phrase("pgn.fen")
            return None
        board.chess960 = board.chess960 or board.has_chess960_castling_rights()
        if not board.is_valid():
            self.fault = Phrase("pgn.impossible")
            return None
        self.start_fen = board.fen() if fen and board.fen() != chess.STARTING_FEN else None
        return board

    def read_word(self, word: str) -> None:
        """Read one word of the moves: a number, a move, a draw offer, praise."""
        self.begun = True
        if self.board is None and self.fault is None:
            self.board = self.start()
            if self.board is not None:
                self.due = 2 * self.board.fullmove_number + (self.board.turn == chess.BLACK)
        if self.board is None:
            return
        if len(word) > MAX_WORD:
            self.fault = self.fault or Phrase("pgn.too_long", place=self.place(), word=f"{word[:20]}...")
            self.letters = {}
            return
        number = _NUMBER.match(word)
        if number is not None:
            word = word[number.end() :]
            self.read_number(int(number[1] or number[2] or 0))
        word = _PRAISE.sub("", word)
        if word in ("", "e.p.", "ep", "e.p"):
            return
        if word == "=":
            self.offer()
            return
        self.said.append(word)
        if len(self.said) > MAX_PLIES:
            self.letters = {}
        if self.fault is None:
            self.read_san(word)

    def read_number(self, stated: int) -> None:
        """Compare the number of a move (0: dots alone) with the moves so far: one that is left out would go unseen.

        A game that begins in a position may begin with any number.
        """
        due = (self.due + len(self.said)) // 2
        if stated and "FEN" in self.headers and not self.numbered:
            self.due, due = self.due + 2 * (stated - due), stated
        self.numbered = self.numbered or stated > 0
        if not stated or stated == due:
            return
        if not self.said:
            self.fault = self.fault or Phrase("pgn.begins", number=stated)
            self.letters = {}
        elif self.misnumbered is None:
            self.misnumbered = len(self.said), Phrase("pgn.numbered", number=stated, due=due)

    def read_sign(self, kind: str | None) -> None:
        """Read a bracket or a draw offer; other signs and comments are passed over."""
        if kind == "opens":
            self.depth += 1
        elif kind == "closes":
            self.depth = max(0, self.depth - 1)
        elif kind == "draw_offer" and not self.depth:
            self.offer()

    def offer(self) -> None:
        if self.said and len(self.said) - 1 not in self.draw_offers:
            self.draw_offers.append(len(self.said) - 1)

    def read_san(self, word: str) -> None:
        assert self.board is not None
        shown = word[:20]
        if len(self.moves) >= MAX_PLIES:
            self.fault = Phrase("pgn.too_many")
            return
        try:
            move = self.board.parse_san(_SUFFIX.sub("", word).translate(_DRAWN).removeprefix("P"))
        except chess.IllegalMoveError:
            self.fault = Phrase("pgn.illegal", place=self.place(), word=shown)
        except chess.AmbiguousMoveError:
            self.fault = Phrase("pgn.ambiguous", place=self.place(), word=shown)
        except ValueError:
            self.fault = Phrase("pgn.unreadable", place=self.place(), word=shown)
        else:
            if not move:
                self.fault = Phrase("pgn.null", place=self.place(), word=shown)
                return
            dots = "." if self.board.turn == chess.WHITE else "..."
            self.last = f"{self.board.fullmove_number}{dots}{shown}"
            self.moves.append(move.uci())
            self.board.push(move)

    def may_castle(self, last: bool) -> bool:
        """Say whether "0-0" is a move here.

        It is a result (both players lose) only where the tags say so or nothing follows, and castling is impossible.
        """
        if self.headers.get("Result") != "0-0" and not last:
            return True
        board = self.board
        return board is None or any(board.is_kingside_castling(move) for move in board.legal_moves)

    def read_in_other_letters(self) -> None:
        """Read a game with a fault in each language that is given, every move of it or none.

        Where several languages read it, and not alike, the fault is that a person has to say which it is.
        """
        start = self.start() if self.letters and self.board is not None and self.said else None
        if self.fault is None or start is None:
            return
        found: dict[tuple[str, ...], list[str]] = {}
        for language, writing in self.letters.items():
            board, moves = start.copy(), list[str]()
            for word in self.said:
                legal = legal_readings(board, take(word, writing))
                if len(legal) != 1:
                    break
                moves.append(legal[0].uci())
                board.push(legal[0])
            else:
                found.setdefault(tuple(moves), []).append(language)
        if len(found) > 1:
            self.fault = Phrase("pgn.languages", languages=", ".join(each[0] for each in found.values()))
        for moves_read, languages in found.items() if len(found) == 1 else ():
            self.moves, self.languages, self.fault = list(moves_read), tuple(languages), None

    def finish(self, number: int) -> PgnReading:
        if self.depth and self.fault is None:
            self.fault = Phrase("pgn.bracket", place=self.place())
        if self.board is None and self.fault is None:
            self.board = self.start()
        if self.depth == 0:
            self.read_in_other_letters()
        if self.misnumbered is not None and self.misnumbered[0] <= len(self.moves):
            self.moves, self.fault = self.moves[: self.misnumbered[0]], self.misnumbered[1]
        result = self.result or self.headers.get("Result", "")
        sentence = None
        if self.fault is not None:
            sentence = Phrase("pgn.broken", number=number, fault=self.fault)
        return PgnReading(
            Played(
                headers=self.headers,
                moves=tuple(self.moves),
                result=result if result in _HEADER_RESULTS and self.fault is None else None,
                start_fen=self.start_fen,
                chess960=self.board is not None and self.board.chess960,
                draw_offers=tuple(ply for ply in self.draw_offers if ply < len(self.moves)),
                broken_off=self.fault is not None,
            ),
            sentence,
            self.languages,
            self.ending,
        )


class Heading(msgspec.Struct, frozen=True):
    """The tags of one game, and whether moves or anything else stands under them.

    `odd_line`: the number of the first line that looks like a tag but is not one; 0 if there is no such line.
    """

    tags: dict[str, str]
    has_moves: bool = False
    odd_line: int = 0


def headings_in(text: str) -> Iterator[Heading]:
    """Yield the tags of each game of a PGN text, whether moves follow them or not.

    An empty line among the tags of one game is passed over: what follows is another game where a tag comes again, or
    names a player and both are named already.
    """
    text = _LINE_END.sub("\n", text)
    groups: list[dict[str, str]] = []
    odd = 0
    begun = has_moves = False
    after_empty_line = True
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind in ("empty_line", "space", "comment", "escaped", "nag"):
            after_empty_line = after_empty_line or kind == "empty_line"
            continue
        if kind in ("tag", "loose", "odd_tag"):
            if begun:
                yield from _headings(groups, odd, has_moves=has_moves)
                groups, odd, begun, has_moves = [], 0, False, False
            tag = _tag(token)
            if after_empty_line or not groups or _again(groups[-1], tag):
                groups.append({})
            groups[-1] |= tag
            if kind == "odd_tag":
                odd = odd or text.count("\n", 0, token.start()) + 1
        else:
            begun = True
            has_moves = has_moves or result_of(token.group(0)) is None
        after_empty_line = False
    yield from _headings(groups, odd, has_moves=has_moves)


def _tag(token: re.Match[str]) -> dict[str, str]:
    """Return a tag by its name, without the strokes before quotes (PGN 7); nothing of a line that is none."""
    if token.lastgroup not in ("tag", "loose"):
        return {}
    name, value = ("name", "value") if token.lastgroup == "tag" else ("loose_name", "loose_value")
    return {token[name]: re.sub(r"\\(.)", r"\1", token[value])}


def _again(group: Mapping[str, str], tag: Mapping[str, str]) -> bool:
    """Say whether a tag comes again with another value, or opens another game with nothing between the two."""
    return any(
        name in group and (group[name] != value or (name == "Event" and group.keys() >= _PLAYERS))
        for name, value in tag.items()
    )


def _headings(groups: list[dict[str, str]], odd: int, *, has_moves: bool) -> Iterator[Heading]:
    games: list[dict[str, str]] = []
    for group in groups:
        last = games[-1] if games else None
        if last is None or last.keys() & group.keys() or (last.keys() >= _PLAYERS and _PLAYERS & group.keys()):
            games.append(dict(group))
        else:
            last |= group
    for place, tags in enumerate(games, 1):
        ends = place == len(games)
        yield Heading(tags, has_moves and ends, odd if ends else 0)


def read_games(
    text: str, endings: Endings = NO_ENDINGS, letters: Mapping[str, Writing] | None = None
) -> Iterator[PgnReading]:
    """Yield the games of a PGN text, one after the other; comments and variations are passed over.

    `endings`: the words that may say at its end that a game is over. `letters`: the languages in which a game is tried
    that cannot be read in English letters.

    A game that cannot be read to its end comes with what was read and a sentence; the next game follows. Text without
    any tag or move yields nothing, or one Reading with a fault and neither headers nor moves.
    """
    return _Games(_LINE_END.sub("\n", text), endings, letters or {}).read()


class _Games:
    """Games of a text that are being read, with the one under way."""

    def __init__(self, text: str, endings: Endings, letters: Mapping[str, Writing]) -> None:
        self._text = text
        self._endings = endings
        self._letters = letters
        self._game = _Game(letters)
        self._count = 0
        self._at = 0  # what lies before is read already
        self._no_ending = 0  # no word before says that a game is over
        self._after_empty_line = False

    def read(self) -> Iterator[PgnReading]:
        for token in _TOKEN.finditer(self._text):
            kind, here = token.lastgroup, token.group(0)
            if token.start() < self._at or kind == "space":
                continue
            if kind == "empty_line":
                self._after_empty_line = True
                continue
            if kind in ("tag", "loose", "odd_tag"):
                if self._game.begun:
                    yield self._finish()
                self._game.headers |= _tag(token)
            elif here == "{":  # never closed: the rest of the text is inside it
                self._game.begun = True
                self._game.fault = self._game.fault or Phrase("pgn.comment", place=self._game.place())
                break
            elif kind in ("word", "stray") and not self._game.depth:
                if self._begins_again(here):
                    yield self._finish()
                if self._ends_with(token):
                    if self._game.headers or self._game.begun:
                        yield self._finish()
                    self._game = _Game(self._letters)
            else:
                self._game.read_sign(kind)
            self._after_empty_line = False
        if self._game.begun or self._game.headers:
            yield self._finish()

    def _finish(self) -> PgnReading:
        """Return the game under way as it was read, and begin another."""
        self._count += 1
        finished, self._game = self._game, _Game(self._letters)
        return finished.finish(self._count)

    def _begins_again(self, word: str) -> bool:
        """Say whether the first move comes again after an empty line: the moves of another game without tags."""
        first = word.startswith("1.") and word != "1..." and not word.startswith("1...")
        return first and self._after_empty_line and bool(self._game.moves)

    def _ends_with(self, token: re.Match[str]) -> bool:
        """Note the result and return True where the game is over with a word; else read it among the moves."""
        game, here = self._game, token.group(0)
        result = result_of(here)
        wordy = result is not None or not any(map(str.isdigit, here))
        over = ("", 0)
        if wordy and token.start() >= self._no_ending and self._endings.stands_in(here):
            over = _over(self._text, token.start(), self._endings)
            self._no_ending = over[1]
        if result is None and over[0]:
            result = next(filter(None, map(result_of, over[0].split())), "")
        if here == "0-0" and not game.may_castle(_LAST.match(self._text, token.end()) is not None):
            result = "0-0"
        if result is None:
            if not (game.said and self._endings.stands_behind(here)):
                game.read_word(without_words(here, self._endings.pattern) if self._endings.pattern else here)
            return False
        game.result = result or None
        if over[0]:
            self._at = over[1]
            game.ending = over[0] if over[0] != here or not result_of(here) else None
        return True


def _over(text: str, at: int, endings: Endings) -> tuple[str, int]:
    """Return the words from here to the end of a game, and where they end, if they say that it is over.

    No words: they do not, nor does any word before the place that is given.
    """
    words: list[str] = []
    while (word := _WORD.match(text, at)) is not None:
        after = _WORD.match(text, word.end())
        between = bool(words) and after is not None and endings.stands_between(words[-1], word[1], after[1])
        if not between and not endings.stands_in(word[1]):
            return "", word.end()
        words.append(word[1])
        at = word.end()
    return (" ".join(words) if endings.over(words) else "", at)
