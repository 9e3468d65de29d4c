"""Seat cards: a code and a link for every seat of a round, printed before, good once, while the arbiter lets them."""

from __future__ import annotations

import errno
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from braille import brf
from braille.loading import load_profile, national_profile
from server.cli import group
from server.exports.guide import guide_braille
from server.exports.handout import SPOKEN, Card, cards_page, cards_to_emboss, instruction_lines
from server.game.values.words import Seat, SeatKind
from server.machine.clock import ScriptedClock
from server.web.door import introductions, seat_cards
from server.web.door.access import CODE_LIFE_MS, MOST_INVITATIONS, Place, spoken_code
from server.web.door.seat_cards import CARDS
from server.wording.rules import load_instructions
from speech.words.config_file import language_tags
from tests.web.open_house import House, Visitor, open_house
from tests.web.test_all_tables import hall_arbiter

CODE = re.compile(r'<bdi dir="ltr">([a-h][1-8] [a-h][1-8] [a-h][1-8])</bdi>')


async def open_round(chief: Visitor, round: int = 5, boards: int = 2) -> None:
    tables = [
        {
            "name": f"r{round}-b{board}",
            "round": round,
            "board": board,
            "white": {"name": f"Anna {board}", "kind": "tactile", "language": "hu"},
            "black": {"name": f"Hector {board}", "language": "en"},
        }
        for board in range(1, boards + 1)
    ]
    assert (await chief.post("/api/tables", {"tables": tables}))[0] == 201


async def act(visitor: Visitor, do: str, of: str = "round:5") -> tuple[int, str]:
    """Send the form of the cards, and return the page that follows."""
    data = {"do": do, "of": of}
    async with visitor.session.post(f"{visitor.house.base}/cards", data=data, headers=visitor.own) as answer:
        return answer.status, await answer.text()


async def knock(house: House, **with_what: str) -> tuple[int, Any]:
    return await house.visitor().post("/api/join", with_what)


async def test_every_seat_of_a_round_has_a_code_that_introduces_one_device(house: House) -> None:
    chief = await hall_arbiter(house)
    await open_round(chief)
    assert len(CODE.findall((await act(chief, "hold", "table:demo"))[1])) == 2, "of a new table: they are made"
    status, page = await act(chief, "make")
    codes = CODE.findall(page)
    assert (status, len(set(codes)), page.count('<section class="card"')) == (200, 4, 4)
    first = spoken_code(tuple(codes[0].split()), "hu")  # type: ignore[arg-type]
    assert first in page and "Anna 1" in page and house.base in page
    assert "demo" not in page, "a table of no round"
    assert 'href="/guide/hu/player"' in page and 'href="/guide/en/opponent.brf"' in page, "each seat's guide, once"
    assert page.count('href="/guide/') == 4
    status, said = await knock(house, code=first)
    assert (status, said["state"], said["role"], said["seat"]) == (202, "waiting", "tactile", "white"), "admits nobody"
    assert (await knock(house, code=first))[0] == 403, "good once"
    again = (await act(chief, "make"))[1]
    assert CODE.findall(again)[1:] == codes[1:], "the others are what was printed"
    assert len(CODE.findall((await act(chief, "make", "table:r5-b2"))[1])) == 2
    # The link of the picture leads to the same place, and uses up the same code.
    card = house.app[CARDS].of("r5-b1", Seat.BLACK)
    assert card is not None
    status, said = await knock(house, secret=card.secret)
    assert (status, said["role"], said["seat"]) == (202, "sighted", "black")
    assert (await knock(house, code=" ".join(card.squares)))[0] == 403


async def test_a_code_by_which_nobody_could_knock_still_holds(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    chief = await hall_arbiter(house)
    await open_round(chief)
    codes = CODE.findall((await act(chief, "make"))[1])

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(seat_cards, "write_private", full)
        assert (await knock(house, code=codes[0]))[0] == 503
    with monkeypatch.context() as patched:
        patched.setattr(introductions, "MOST_WAITING", 0)
        assert (await knock(house, code=codes[0]))[0] == 429
    assert (await knock(house, code=codes[0]))[0] == 202
    assert (await knock(house, code=codes[0]))[0] == 403, "good once"


async def test_codes_rest_over_night_and_hold_again_when_the_arbiter_says_so(
    tmp_path: Path, scripted: ScriptedClock
) -> None:
    async with open_house(tmp_path / "data", scripted) as house:
        chief = await hall_arbiter(house)
        await open_round(chief)
        evening = CODE.findall((await act(chief, "make"))[1])
        scripted.advance(CODE_LIFE_MS - 1)
        assert (await knock(house, code=evening[0]))[0] == 202
        scripted.advance(1)
        assert (await knock(house, code=evening[1]))[0] == 403
        async with chief.session.get(f"{house.base}/cards?of=round:5") as answer:
            page = await answer.text()
        assert "are not valid now" in page and CODE.findall(page) == evening[1:], "looking changes nothing"
    assert (tmp_path / "data" / "seat-cards.json").stat().st_mode & 0o077 == 0
    async with open_house(tmp_path / "data", scripted) as house:
        assert (await knock(house, code=evening[1]))[0] == 403, "the server was stopped over night"
        chief = await hall_arbiter(house)
        page = (await act(chief, "hold"))[1]
        assert CODE.findall(page) == evening[1:] and "The codes are valid until" in page
        assert (await knock(house, code=evening[0]))[0] == 403, "used before, also for the next run"
        assert (await knock(house, code=evening[1]))[0] == 202
        # New codes for all: what was printed before is good no more.
        fresh = CODE.findall((await act(chief, "anew"))[1])
        assert len(fresh) == 4 and not set(fresh) & set(evening)
        assert (await knock(house, code=evening[2]))[0] == 403
        assert (await knock(house, code=fresh[2]))[0] == 202
        scripted.advance(CODE_LIFE_MS)
        assert (await knock(house, code=fresh[3]))[0] == 403


async def test_only_the_arbiter_of_a_table_sees_its_cards(house: House) -> None:
    chief, arbiter = await hall_arbiter(house), await house.arbiter()
    await open_round(chief)
    for visitor, status in ((house.visitor(), 403), (arbiter, 404)):
        assert (await act(visitor, "make"))[0] == status
        for path in ("/cards?of=round:5", "/cards.brf?of=table:r5-b1"):
            async with visitor.session.get(house.base + path) as answer:
                assert answer.status == status and "join=" not in await answer.text()
    assert house.app[CARDS].of("r5-b1", Seat.WHITE) is None
    assert (await act(arbiter, "make", "table:demo"))[1].count('<section class="card"') == 2
    status, said = await act(chief, "burn")
    assert status == 400 and said.endswith("request.")


async def test_no_more_codes_hold_at_once_than_before(house: House) -> None:
    """What is too many is refused as a whole: no half of a round has cards."""
    chief = await hall_arbiter(house)
    await open_round(chief)
    for _ in range(MOST_INVITATIONS - 3):
        house.access.invite(Place(table="demo", page="display"))
    status, said = await act(chief, "make")
    assert status == 429 and "codes" in said
    assert house.app[CARDS].of("r5-b1", Seat.WHITE) is None
    assert (await act(chief, "make", "table:r5-b1"))[0] == 200
    assert (await act(chief, "anew", "table:r5-b1"))[0] == 200, "in place of those before"


def card(language: str, seat: Seat = Seat.WHITE, **more: Any) -> Card:
    kind = SeatKind.TACTILE if seat is Seat.WHITE else SeatKind.SIGHTED
    given: dict[str, Any] = {
        "table": "r5-b3",
        "seat": seat,
        "name": "Éva <Nagy>",
        "kind": kind,
        "opponent": SeatKind.SIGHTED if kind is SeatKind.TACTILE else SeatKind.TACTILE,
        "language": language,
        "address": "https://192.168.1.5:8443",
        "squares": ("a4", "h8", "c3"),
        "words": spoken_code(("a4", "h8", "c3"), language),
        "link": "https://192.168.1.5:8443/#join=abcdefghijklmnopqrstuv",
    }
    return Card(**{**given, **more})


@pytest.mark.law("L229")
@pytest.mark.parametrize("language", language_tags())
def test_a_card_tells_each_player_what_they_do_in_their_language(language: str) -> None:
    page = cards_page([card(language), card(language, Seat.BLACK, chess960=True), card(language, link="", words="")])
    white, black, used = page.split('<section class="card"')[1:]
    assert "Éva &lt;Nagy&gt;" in white and page.count("<svg") == 2
    castling = load_instructions()["chess960_castling"].text[language]
    assert castling in black and castling not in white
    handout = instruction_lines("opponent", language)
    assert all(line in black for line in handout[1:]) and handout[2] not in white
    assert white.count("<li>") == 6 and "<svg" not in used
    fifth = cards_page([card(language, words=spoken_code(("a5", "h5", "c3"), language))])
    assert f'<b lang="{language if language in ("hy", "ar", "he") else "de"}">' in fifth, "also with an umlaut"
    assert {name: len(instruction_lines(name, language)) for name in SPOKEN} == {
        "opponent": 8,
        "chess960_castling": 1,
    }


def test_a_braille_label_is_whole_on_its_page_and_has_the_code_in_the_readers_cells() -> None:
    cards = [card(language, seat) for language in language_tags() for seat in Seat]
    pages = brf.read_pages(cards_to_emboss(cards, []))
    assert len(pages) > 1
    for page in pages:
        assert len(page) <= brf.HEIGHT and max(map(len, page)) <= brf.WIDTH
    labels = [label for page in pages for label in "\n".join(page).strip().split("\n\n")]
    assert len(labels) == len(cards), "none is cut"
    for one, label in zip(cards, labels, strict=True):
        code = load_profile(national_profile(one.language))
        assert "⠀".join(code.files[square[0]] + code.digits[square[1]] for square in one.squares) in label


def test_cards_are_made_without_a_browser_and_their_codes_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "round.pgn").write_text('[White "Ida"]\n[Black "Jo"]\n[Round "2.1"]\n', "utf-8")
    data = ["--data", str(tmp_path / "data")]

    def run(*words: str) -> tuple[int, str]:
        done = CliRunner().invoke(group, [*words, *data])
        return done.exit_code, done.output + str(done.exception or "")

    monkeypatch.setenv("LC_ALL", "hu_HU.UTF-8")  # the seats' language, where the event settles none
    assert run("import", str(tmp_path / "round.pgn"))[0] == 0
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    out = ["--address", "https://hall:8443/", "--out"]
    empty = CliRunner().invoke(group, ["cards", *out, str(tmp_path / "none.html"), "--data", str(tmp_path / "empty")])
    assert empty.exit_code != 0 and "No table has an unfinished game" in str(empty.exception)
    status, said = run("cards", "--round", "2", *out, str(tmp_path / "cards.html"))
    assert status == 0 and said.startswith("Cards: 2.")
    page = (tmp_path / "cards.html").read_text("utf-8")
    codes = CODE.findall(page)
    assert page.count('<section class="card" lang="hu"') == 2 and len(codes) == 2
    assert "https://hall:8443</bdi>" in page and "break-inside: avoid" in page
    assert run("cards", *out, str(tmp_path / "cards.brf"))[0] == 0
    assert CODE.findall((tmp_path / "cards.html").read_text("utf-8")) == codes
    for words, why in (
        (["--round", "3"], "Round 3 has no table with an unfinished game"),
        (["--table", "r3-b1"], "no table of that name"),
        (["--round", "2", "--table", "r2-b1"], "not both"),
    ):
        status, said = run("cards", *words, *out, str(tmp_path / "cards.html"))
        assert status != 0 and why in said
    assert "ends in one" in run("cards", *out, str(tmp_path / "cards.pdf"))[1]
    for wrong in ("hall", "192.0.2.7:8443", "https://hall/tables", "https://", "ftp://hall"):
        status, said = run("cards", "--address", wrong, "--out", str(tmp_path / "wrong.html"))
        assert status != 0 and f'"{wrong}" is not the address of a server' in said
    assert not (tmp_path / "wrong.html").exists(), "no code is printed that leads nowhere"


async def test_everybody_may_read_and_print_a_guide_at_the_server(house: House) -> None:
    visitor = house.visitor()
    async with visitor.session.get(f"{house.base}/guide/he/player") as answer:
        page = await answer.text()
    assert answer.status == 200 and 'lang="he" dir="rtl"' in page and '<em lang="de" dir="ltr">Springer' in page
    async with visitor.session.get(f"{house.base}/guide/he/player.brf") as answer:
        assert await answer.text() == guide_braille("player", "he")
        assert answer.headers["Content-Disposition"] == 'attachment; filename="player-he.brf"'
    async with visitor.session.get(f"{house.base}/guide/he/arbiter") as answer:
        said = await answer.text()
    assert answer.status == 400 and "choose one of: de, en." in said and "<" not in said
