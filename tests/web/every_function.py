"""docs/every-function.md: what a tactile player may do, and each way to it, out of the sources that make it so.

python -m tests.web.every_function
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import msgspec

from server.stations.braille import CHOICES
from server.wording.pages import page_words

REPO = Path(__file__).resolve().parents[2]
STATIC = REPO / "server" / "web" / "static"
PAGE = REPO / "docs" / "every-function.md"

SPOKEN = {
    "ask_time": "time",
    "ask_opponent_time": "opponent_time",
    "ask_moves": "moves",
    "ask_last": "last",
    "ask_score": "score",
    "yes": "yes",
    "no": "no",
    "offer_draw": "draw_offer",
    "accept_draw": "draw_accept",
    "decline_draw": "draw_decline",
    "claim_time": "claim_time",
    "claim_draw": "claim_draw",
    "call_arbiter": "arbiter",
    "resign": "resign",
    "adjust": "adjust",
    "about_to_castle": "castle",
    "clock_by_voice": "set_clock",
    "clock_as_it_is": "stop",
    "ask_clock": "clock",
    "ask_score_next": "score_next",
    "ask_score_previous": "score_previous",
    "last_article": "article",
    "turn_read_keys": "read_keys",
    "ask_score_move": "score_move",
    "stands_here": "executed",
    "ask_set_up": "set_up",
    "ask_pairing": "pairing",
}
"""Functions of the page that stand for a word of the six languages: name -> `cmd.` word."""
OF_HIS_EAR = {
    "again": "repeat",
    "silence": "stop",
    "next_piece": "score_next",
    "previous_piece": "score_previous",
    "functions": "help",
}
"""Functions of the page alone whose like is said by voice: into the player's own ear, no command of the game."""
BY_VOICE_NEVER = {"press"}
"""L049: a clock is pressed by a key, never by a word."""
TO_THE_ARBITER = {
    "claim_illegal", "claim_touch", "ask_for_sheet", "return_score", "leaving", "come_back", "medical", "two_boards",
    "approve.white", "approve.black", "approve.drawn", "law.ask",
    "consent.yes", "consent.no",
}  # fmt: skip
"""Rare: the player calls the arbiter for it ("Schiedsrichter" by voice) and tells them."""
OF_A_CLAIM = {
    "claim_increment": "claim_draw", "claim_cannot_win": "claim_draw", "claim_no_effort": "claim_draw"
}  # fmt: skip
"""In a quickplay finish the word of the claim leads to each of them: the program asks, yes or no (III.4, III.5)."""
WITHOUT_A_WORD = {"talk", "ask_position"}
"""The talk key opens the microphone; the readout of the player's board is an adaptation that the arbiter records."""

# Player's commands of roles.py that are no row of the page's table: how a tactile player gives them.
OTHERWISE = {
    "say": "the announcement or the echo itself: spoken, typed, in cells, digits on a keypad, menu “Announce a move”",
    "enter_move": "at a board on a screen, which a tactile player has not",
    "put_back": "at a board on a screen: the move that is not announced yet goes back",
    "write_score": "announcement and echo are the player's score (D.2.7); they write no cell",
    "answer_draw": "“Accept the draw” and “Decline the draw”; by voice a yes is asked first",
    "claim_draw": "“Claim a draw”, which asks for the intended move; in a quickplay finish first which claim it is",
    "resign": "“Resign”, which is asked twice",
    "propose": "every word that binds, until its yes",
    "ask_for_cues": "the page’s form of the clock; Tab and Enter, or a screen reader",
    "set_up_clock": "the page’s form of the clock, or “Set the clock: hear common settings”",
    "seal_move": "the player's announcement, while they are asked to seal (I.1.1)",
    "stop_sealed": "the press of the clock, while the player is asked to seal",
    "acknowledge": "an answer to the page’s question; reading on, on a braille display (D.2.11)",
    "verify_position": "yes or no: by voice, typed, by a key, on a braille display; or the page’s question (III.6.1)",
    "choose_talking": "the page’s settings; Tab and Enter, or a screen reader",
}


class Row(msgspec.Struct, frozen=True):
    """One function of `functions.js`."""

    code: int
    name: str
    group: str
    does: str
    argument: str


def rows() -> list[Row]:
    """The page's table."""
    table = (STATIC / "player" / "functions.js").read_text("utf-8")
    found = []
    for code, name, more in re.findall(r'\{ code: (\d+), name: "([\w.]+)"(.*)\},', table):

        def one(pattern: str, more: str = more) -> str:
            match = re.search(pattern, more)
            return match[1] if match is not None else ""

        argument = one(r'argument: "(\w+)"')
        found.append(
            Row(int(code), name, one(r'group: "(\w+)"'), one(r'do: "(\w+)"') or one(r'page: "(\w+)"'), argument)
        )
    return found


def groups() -> dict[str, str]:
    """The menus of two keys: group -> key of its words."""
    found = re.search(r"GROUPS = \{(.*?)\}", (STATIC / "player" / "two_keys.js").read_text("utf-8"))
    assert found is not None
    return dict(re.findall(r'(\w+): "([\w.]+)"', found[1]))


def spoken_words(tag: str) -> dict[str, str]:
    """The command words of one language: word -> how it is written."""
    file = REPO / "config" / "languages" / tag / "language.toml"
    return {name: word["text"] for name, word in tomllib.loads(file.read_text("utf-8"))["words"]["cmd"].items()}


HEAD = """# Everything a tactile player may do, and each way to it

Written by `python -m tests.web.every_function` out of the page's table (`functions.js`), the words and `roles.py`;
`tests/web/test_every_function.py` writes it again, compares, and refuses a command of the player that is not here.

* **Spoken**: German and English of the six languages; the press alone is never spoken (L049). What is said by voice
  may be **typed** in the page's field and at a braille display, in letters or cells, in the same words.
* **Number**: typed as `*4`, in cells as ⠼⠙, on a keypad as `*4`; what follows it after a blank: `*7 12`.
* **Two keys**: one steps, one chooses; the menus that lead there. Without a screen reader they are said into the
  player's ear ("Tasten vorlesen", number 44, or the arbiter's form): `tests/browser/test_keys_read_aloud.py`.
* **Braille display** (`anna-eins station --braille`, no page at all): a routing key over the word, or the word typed in
  cells. Through a screen reader every way of the page shows its answers in lines of forty cells.

`tests/browser/test_everything_by_keys.py` goes each row in letters, six keys, on a keypad and with two keys;
`tests/voice/test_spoken_commands_answered.py` speaks each word in six languages.

| function | spoken, de | spoken, en | number | two keys | braille display |
|---|---|---|---|---|---|
"""


def page() -> str:
    """The page of docs."""
    en, menus = page_words("en"), groups()
    said = {tag: spoken_words(tag) for tag in ("de", "en")}
    lines = []
    for row in rows():
        word = SPOKEN.get(row.name) or OF_HIS_EAR.get(row.name)
        more = f" + {row.argument}" if row.argument else ""
        menu = f"{en[menus[row.group]]} › " if row.group else ""
        if row.group == "training":
            by_voice, braille = (
                ("“Hilfe”, then squares", "“help”, then squares"),
                "typed in words, at a table for training",
            )
        elif word is not None:
            with_number = " + number" if word == "score_move" else ""
            by_voice = (said["de"][word] + with_number, said["en"][word] + with_number)
            braille = (
                "a number alone" if word == "score_move" else "routing key, or typed" if word in CHOICES else "typed"
            )
        elif row.name in OF_A_CLAIM:
            first = OF_A_CLAIM[row.name]
            by_voice = (f"{said['de'][first]}, then ja", f"{said['en'][first]}, then yes")
            braille = "routing key or typed, then yes"
        elif row.name in BY_VOICE_NEVER:
            by_voice, braille = ("never (L049)", "never (L049)"), "a key of the computer"
        elif row.name in TO_THE_ARBITER:
            by_voice = (f"{said['de']['arbiter']}, and tell them", f"{said['en']['arbiter']}, and tell them")
            braille = f"“{said['en']['arbiter']}”, and tell them"
        else:
            assert row.name in WITHOUT_A_WORD, row.name
            by_voice, braille = ("–", "–"), "–"
        cells = (en[row.name], *by_voice, f"{row.code}{more}", f"{menu}{en[row.name]}{more}", braille)
        lines.append("| " + " | ".join(cells) + " |\n")
    other = "".join(f"| `{name}` | {how} |\n" for name, how in OTHERWISE.items())
    return (
        HEAD
        + "".join(lines)
        + "\nCommands of the player that are no row of the table:\n\n| command | how |\n|---|---|\n"
        + other
    )


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
