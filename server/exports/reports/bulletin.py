"""The bulletin of a round: all its games as PDF, as a braille volume with contents, as PGN and as an accessible page.

It holds the games that are over and whose display delay is over too. Of the others it names the players and says why
the game is not in it: it is not over, or the delay of its displays holds it back, and until when. The moves are those
that the server believes were played, without any remark on them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from html import escape
from importlib import resources

import chess
import msgspec

from braille import brf
from braille.loading import load_profile, national_profile
from braille.profile import BLANK
from braille.score import Played, brf_pages, wrap
from server.exports.reports.pdf import FONTS, VOWEL_SIGNS, compile_sheet
from server.game.state.state import GameState
from server.game.views.displays import longest_delay
from server.wording.braille import prose_in_cells
from speech.complaint import Complaint, Phrase
from speech.words.catalogue import known_tag, texts_in
from speech.words.loading import load_language

FORMS = {"pdf": "application/pdf", "html": "text/html", "brf": "text/plain", "pgn": "application/x-chess-pgn"}
"""The forms of a bulletin, by the ending of their file."""


class BulletinGame(msgspec.Struct, frozen=True, kw_only=True):
    """One game of the round. `title`: board and names; `moves`: in the reader's letters; `pgn`: the whole."""

    title: str
    result: str
    moves: tuple[str, ...]
    played: Played
    pgn: str


class Bulletin(msgspec.Struct, frozen=True, kw_only=True):
    """Bulletin of a round in one language.

    `missing`: why games are not in it, each with the titles of their boards.
    """

    title: str
    contents: str
    language: str
    direction: str
    event: str
    games: tuple[BulletinGame, ...]
    missing: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def left_out(self) -> int:
        """Return how many games of the round are not in it."""
        return sum(len(titles) for _, titles in self.missing)


class Finished(msgspec.Struct, frozen=True, kw_only=True):
    """One table of a hall as its record has it. `ended_ms`: when its game ended (wall), None before that."""

    name: str
    state: GameState
    ended_ms: int | None
    pgn: str

    @property
    def shown_from_ms(self) -> int | None:
        """Return when its displays have shown the end of its game (wall); None while it is not over."""
        if not self.state.over or self.ended_ms is None:
            return None
        return self.ended_ms + longest_delay(self.state)


def bulletin_of(
    round: str, tables: Sequence[Finished], language: str, wall_ms: int, zone: tzinfo | None = UTC
) -> Bulletin:
    """Return the bulletin of a round.

    `wall_ms`: what time it is, for the delay of the displays. `zone`: whose times of day; None is this machine's.
    Raises Complaint where no table is of this round.
    """
    language = known_tag(language)
    words = texts_in("review", language)
    found = [one for one in tables if one.state.table.round == round and one.state.table.next_game is None]
    if not found:
        raise Complaint(Phrase("no_such_round", round=round))
    found.sort(key=lambda one: (one.state.table.board_number, one.name))
    shown, held, going_on = list[Finished](), list[str](), list[str]()
    for one in found:
        if one.shown_from_ms is None:
            going_on.append(_title(one.state, words))
        elif one.shown_from_ms <= wall_ms:
            shown.append(one)
        else:
            until = f"{datetime.fromtimestamp(one.shown_from_ms / 1000, UTC).astimezone(zone):%H:%M}"
            title = words["bulletin.until"].replace("{time}", until)
            held.append(title.replace("{game}", _title(one.state, words)))
    return Bulletin(
        title=words["bulletin.title"].replace("{round}", round),
        contents=words["bulletin.contents"],
        language=language,
        direction=load_language(language).direction,
        event=next((one.state.table.event_name for one in found if one.state.table.event_name), ""),
        games=tuple(_game(one.state, one.pgn, language, words) for one in shown),
        missing=tuple(
            (words[f"bulletin.{why}"], tuple(titles))
            for why, titles in (("not_in", going_on), ("held", held))
            if titles
        ),
    )


def _title(state: GameState, words: Mapping[str, str]) -> str:
    names = f"{state.table.white.name or 'NN'} – {state.table.black.name or 'NN'}"
    board = state.table.board_number
    return f"{words['bulletin.board'].replace('{board}', str(board))}: {names}" if board else names


def _game(state: GameState, pgn: str, language: str, words: Mapping[str, str]) -> BulletinGame:
    start = state.moves.positions[0]
    board = start.board()
    letters = str.maketrans(_letters(language))
    moves: list[str] = []
    played: list[str] = []
    for record, uci in zip(state.moves.plies, state.moves.line, strict=True):
        move = chess.Move.from_uci(uci) if uci is not None and record.made else None
        if move is None or not board.is_legal(move):
            break  # what follows the legal moves stands in the PGN, in a comment
        white = board.turn == chess.WHITE
        number = f"{board.fullmove_number}. " if white else f"{board.fullmove_number}... " if not moves else ""
        moves.append(number + board.san(move).translate(letters))
        played.append(move.uci())
        board.push(move)
    headers = {"White": state.table.white.name, "Black": state.table.black.name}
    return BulletinGame(
        title=_title(state, words),
        result=state.ending.result or "*",
        moves=tuple(moves),
        played=Played(
            headers=headers,
            moves=tuple(played),
            result=state.ending.result,
            start_fen=None if start.fen == chess.STARTING_FEN else start.fen,
            chess960=start.chess960,
        ),
        pgn=pgn,
    )


def _letters(language: str) -> dict[str, str]:
    """Return the letters of the pieces in a language, by those of SAN."""
    pieces = load_language(language).notation.pieces
    return {
        letter: pieces[name]
        for letter, name in zip("KQRBN", ("king", "queen", "rook", "bishop", "knight"), strict=True)
    }


def in_form(bulletin: Bulletin, form: str, wall_ms: int) -> bytes:
    """Return the bulletin in one of the `FORMS`. `wall_ms`: when the PDF says that it was made.

    Raises Complaint on a slim install, which makes no PDF.
    """
    match form:
        case "pdf":
            return _pdf(bulletin, wall_ms)
        case "html":
            return bulletin_page(bulletin).encode()
        case "brf":
            return volume(bulletin).encode("ascii")
    return "\n".join(one.pgn for one in bulletin.games).encode()


def bulletin_page(bulletin: Bulletin) -> str:
    """Return the bulletin as a whole HTML page: contents with links, a heading a game."""
    links, games = "", ""
    for at, one in enumerate(bulletin.games, 1):
        head = f"{escape(one.title)}, <span dir='ltr'>{escape(one.result)}</span>".replace("'", '"')
        links += f'<li><a href="#g{at}"><bdi>{head}</bdi></a></li>'
        games += f'<h2 id="g{at}"><bdi>{head}</bdi></h2><p dir="ltr">{escape(" ".join((*one.moves, one.result)))}</p>'
    missing = ""
    for why, titles in bulletin.missing:
        lines = "".join(f"<li><bdi>{escape(one)}</bdi></li>" for one in titles)
        missing += f"<h2>{escape(why)}</h2><ul>{lines}</ul>"
    contents = f'<nav aria-label="{escape(bulletin.contents)}"><ol>{links}</ol></nav>' if links else ""
    return (
        f'<!doctype html><html lang="{bulletin.language}" dir="{bulletin.direction}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{escape(bulletin.title)}</title>'
        '<link rel="icon" href="/static/pages/icon.svg"><link rel="stylesheet" href="/static/pages/handout.css"></head>'
        f'<body class="protocol"><main><h1>{escape(bulletin.title)}</h1><p>{escape(bulletin.event)}</p>'
        f"{contents}{games}{missing}</main></body></html>"
    )


def volume(bulletin: Bulletin) -> str:
    """Return the bulletin as a BRF volume: a page of contents with page numbers, then each game on a new page.

    It is in the six-dot code of the language, for an embosser of 40 cells by 25 lines.
    """
    profile = load_profile(national_profile(bulletin.language))

    def prose(text: str) -> str:
        return prose_in_cells(text, profile)

    front = _contents(bulletin, prose, [1] * len(bulletin.games))
    first = len(front) + 1
    games: list[tuple[str, ...]] = []
    begins = []
    for one in bulletin.games:
        begins.append(first + len(games))
        games += brf_pages(one.played, profile, prose, first_page=first + len(games))
    return brf.document([*_contents(bulletin, prose, begins), *games])


def _contents(bulletin: Bulletin, prose: Callable[[str], str], begins: Sequence[int]) -> list[tuple[str, ...]]:
    """Return the pages of contents: a game a line or two, its page at the end of the line."""
    lines = [*wrap(prose(bulletin.title).split(BLANK)), *wrap(prose(bulletin.event).split(BLANK)), ""]
    for one, begin in zip(bulletin.games, begins, strict=True):
        number = prose(str(begin))
        named = wrap(prose(f"{one.title}, {one.result}").split(BLANK), brf.WIDTH - 6)
        lines += [*named[:-1], named[-1] + BLANK * (brf.WIDTH - len(named[-1]) - len(number)) + number]
    for why, titles in bulletin.missing:
        lines += ["", *wrap(prose(why).split(BLANK))]
        for title in titles:
            lines += wrap(prose(title).split(BLANK))
    head = prose(bulletin.contents)
    return [brf.brf_page(part, head, prose(str(at))) for at, part in enumerate(brf.split(lines), 1)]


class _Printed(msgspec.Struct, frozen=True, kw_only=True):
    """Values that the PDF is set from."""

    title: str
    contents: str
    language: str
    event: str
    games: tuple[tuple[str, str], ...]
    missing: tuple[tuple[str, tuple[str, ...]], ...]
    fonts: tuple[str, ...]


def _pdf(bulletin: Bulletin, wall_ms: int) -> bytes:
    printed = _Printed(
        fonts=FONTS,
        title=bulletin.title,
        contents=bulletin.contents,
        language=bulletin.language,
        event=bulletin.event,
        games=tuple((f"{one.title}, {one.result}", " ".join((*one.moves, one.result))) for one in bulletin.games),
        missing=bulletin.missing,
    )
    source = resources.files(__package__).joinpath("bulletin.typ").read_bytes()
    return compile_sheet(source, msgspec.json.encode(printed).decode().translate(VOWEL_SIGNS), wall_ms)
