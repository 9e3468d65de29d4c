"""`anna-eins chess960` prints a start position by number, letters, dice or lot.

It also prints the lines to read out.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence

import click
import msgspec

from server.exports.chess960 import DRAWN, start_of
from server.game.laws.chess960 import number_of
from server.wording.aloud.positions import position_tokens
from server.wording.rules import load_instructions
from server.wording.words import scheme_of
from speech.announcements.announce import text_of
from speech.words.said import Token


def _lines(tokens: Sequence[Token]) -> list[str]:
    """Return a line for each man: piece, file, rank."""
    return [text_of(tokens[at : at + 3]) for at in range(0, len(tokens), 3)]


@click.command(epilog="\b\nExample:\n  anna-eins chess960 BBQNNRKR --language en")
@click.argument("start", default=DRAWN, metavar="[START]")
@click.option("--language", default="de", show_default=True, metavar="TAG")
@click.option("--scheme", "scheme_name", default="d21", show_default=True, metavar="NAME")
@click.option("--json", "as_json", is_flag=True)
def command(start: str, language: str, scheme_name: str, as_json: bool) -> None:
    """Print a start position of Chess960, square by square, for both boards.

    START is a number from 0 to 959, White's pieces from a to h (BBQNNRKR), five throws of a die (3-1-4-2-2), or "draw".
    """
    position = start_of(start, secrets.randbelow)
    scheme = scheme_of(scheme_name, language)
    (white, men), (black, others) = position_tokens(position.placement, scheme, by_square=True)
    sides = {white: _lines(men), black: _lines(others)}
    texts = dict(load_instructions()["chess960_castling"].text)
    how = texts.get(language, texts["en"])
    if as_json:
        answer = {
            "number": number_of(position),
            "letters": position.placement.rpartition("/")[2],
            "fen": position.fen,
            "white": _lines(men),
            "black": _lines(others),
            "castling": how,
        }
        click.echo(msgspec.json.encode(answer).decode())
        return
    click.echo(f"{number_of(position)}  {position.placement.rpartition('/')[2]}  {position.fen}")
    for title, lines in sides.items():
        click.echo(f"\n{title}")
        for line in lines:
            click.echo(f"  {line}")
    click.echo(f"\n{how}")
