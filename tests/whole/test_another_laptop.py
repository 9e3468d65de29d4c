"""The first laptop is gone with its data folder: another one goes on from the copy that the arbiter's device held."""

from __future__ import annotations

import asyncio
import base64
import json
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from server.game.values.words import Seat
from server.hall.backup import FORMAT, VERSION, copy_key_of, open_copy, read_copy, seal_of, sealed_piece, secret_of
from server.hall.restore import load_copy, note, take_up
from server.journal.chain import last_link
from server.machine.clock import ScriptedClock
from server.machine.data_folder import DataFolder
from speech.complaint import Complaint
from tests.waiting import PATIENCE_S
from tests.web.open_house import House, TestLine, open_house
from tests.whole.running_server import STOP_S, RunningServer, begin, finished


async def copied(desk: TestLine, file: Path, until: int = 0) -> str:
    """Hold as the arbiter's page does until the seal with a witness has come, and save; the code."""
    await desk.send({"kind": "hold", "id": "", "after": 0})
    begun: dict[str, Any] = {}
    pieces: list[dict[str, Any]] = []
    while True:
        said = await desk.next()
        if said["kind"] == "copy_begins":
            begun = said
        elif said["kind"] == "copy":
            assert said["piece"]["first"] == (pieces[-1]["last"] if pieces else 0) + 1
            pieces.append(said["piece"])
        elif said["kind"] == "copy_seal":
            assert said["last"] == pieces[-1]["last"]
            if said["last"] >= until and said["witness"]:
                copy = {"format": FORMAT, "version": VERSION, "table": begun["table"], "id": begun["id"]}
                file.write_text(json.dumps({**copy, "pieces": pieces, "until": said}))
                return " ".join(begun["squares"])


async def some_moves(house: House) -> TestLine:
    """A game under way: a move of each, White to think; the arbiter's line."""
    desk = await (await house.arbiter()).line()
    white = await (await house.station("tactile", Seat.WHITE)).line()
    black = await (await house.station("sighted", Seat.BLACK)).line()
    await desk.do({"do": "start_game"})
    await white.type("Bauer Eva vier")
    await white.do({"do": "press"})
    await black.do({"do": "execute", "uci": "e2e4"})
    await black.do({"do": "enter_move", "uci": "e7e5"})
    await black.do({"do": "write_score", "index": 1, "text": "e4"})
    assert (await black.do({"do": "press"}))["outcome"]["ok"]
    return desk


async def test_a_game_goes_on_elsewhere_with_the_first_folder_gone(repo: Path, tmp_path: Path) -> None:
    first, file = tmp_path / "first", tmp_path / "demo.json"
    async with open_house(first) as house:
        desk = await some_moves(house)
        await asyncio.sleep(1.5)  # White thinks, and the server's witness is written once a second
        code = await copied(desk, file)
        before = house.table.state
        held = open_copy(read_copy(file.read_bytes()), code).witness
        assert held is not None
        times = before.time.clock.reading(held.mono_ms)
    shutil.rmtree(first)

    data = tmp_path / "second"
    process = await begin(
        repo, "serve", "--data", str(data), "--port", "0", "--restore-from", str(file), "--restore-code", code
    )
    assert process.stdout is not None
    told = ""
    async with asyncio.timeout(PATIENCE_S):
        while "the arbiter admits each device" not in told:
            line = await process.stdout.readline()
            assert line, told
            told += line.decode()
    server = RunningServer(process, told)
    try:
        assert "Table demo was taken up from a copy on another machine" in told
        assert "recorded sound" in told
    finally:
        assert await server.stop(STOP_S) == 0

    # The record says the same, and the game goes on.
    async with open_house(data) as house:
        state = house.table.state
        for seat in Seat:
            assert state.board_of(seat) == before.board_of(seat)
            assert state.scores.of(seat) == before.scores.of(seat)
        assert state.moves.line == before.moves.line
        assert state.made_plies == 2 and state.table.started and state.time.clock.running is None
        reading = state.time.clock.reading(house.hall.clock.mono_ms())
        assert (reading.white_ms, reading.black_ms) == (times.white_ms, times.black_ms)
        noted = [one for one in await house.hall.journal.read("demo") if one.kind == "incident_noted"]
        assert len(noted) == 1 and b'"kind":"copied"' in noted[0].body, "the page has the words of it, in six languages"
        desk = await (await house.arbiter()).line()
        assert (await desk.do({"do": "resume"}))["outcome"]["ok"]
        white = await (await house.station("tactile", Seat.WHITE)).line()
        assert (await white.type("Springer Felix drei"))["outcome"]["ok"]
        assert (await white.do({"do": "press"}))["outcome"]["ok"]
        assert house.table.state.made_plies == 3


@pytest.fixture
async def held(tmp_path: Path) -> tuple[Path, str]:
    """A saved copy and its code."""
    async with open_house(tmp_path / "first") as house:
        desk = await some_moves(house)
        code = await copied(desk, tmp_path / "demo.json")
    return tmp_path / "demo.json", code


async def test_a_copy_goes_on_where_a_device_was_and_only_an_arbiters(tmp_path: Path) -> None:
    clock = ScriptedClock()
    async with open_house(tmp_path / "first", clock) as house:
        desk = await some_moves(house)
        key = copy_key_of(secret_of(house.hall.data.copy_secret), "demo")
        third = last_link((await house.hall.journal.read("demo"))[:3])
        await desk.send({"kind": "hold", "id": key.id, "after": 3, "link": third})
        assert (await desk.until(kind="copy_begins"))["id"] == key.id
        assert (await desk.until(kind="copy"))["piece"]["first"] == 4
        await desk.send({"kind": "hold", "id": "of another record", "after": 3})
        assert (await desk.until(kind="copy"))["piece"]["first"] == 1
        assert (await desk.do({"do": "penalise", "seat": "white", "penalty": "warning"}))["outcome"]["ok"]
        last = (await desk.until(kind="copy"))["piece"]["last"]
        assert last == house.table.seq, "a penalty changes nothing of the state, and is copied at once"
        white = await (await house.station("tactile", Seat.WHITE)).line()
        await white.send({"kind": "hold", "id": key.id, "after": 0})
        assert "Only the arbiter" in (await white.until(kind="wrong"))["text"]


async def test_bad_copies_and_codes_get_a_sentence_and_restore_nothing(
    held: tuple[Path, str], repo: Path, tmp_path: Path
) -> None:
    file, code = held
    whole = json.loads(file.read_text())
    restored = open_copy(read_copy(file.read_bytes()), code)
    assert restored.table == "demo" and restored.witness is not None
    assert open_copy(read_copy(file.read_bytes()), "; ".join(code.split())) == restored

    def changed(**more: Any) -> bytes:
        return json.dumps({**whole, **more}).encode()

    piece, until = whole["pieces"][0], whole["until"]
    key, first = copy_key_of(secret_of(tmp_path / "first" / "copies.key"), "demo"), restored.entries[:5]
    older = msgspec.to_builtins(seal_of(key, "demo", first[-1], last_link(first), restored.witness))
    box = bytearray(base64.b64decode(piece["sealed"]))
    box[40] ^= 1
    spoilt = {**piece, "sealed": base64.b64encode(bytes(box)).decode()}
    other = code.replace(code.split()[0], "a1" if code.split()[0] != "a1" else "b2", 1)
    for data, words, says in (
        (b"PGN", code, "not a copy of a table"),
        (b'{"format":"other"}', code, "not a copy of a table"),
        (changed(pieces=[]), code, "not a copy of a table"),
        (changed(version=3), code, "Start the newer version of the program"),
        (changed(), other, "not the code of this copy"),
        (changed(), "a1 b2", "sixteen squares|16 squares"),
        (changed(pieces=[spoilt]), code, "damaged or was changed at event 1"),
        (changed(pieces=[{**piece, "last": piece["last"] + 1}]), code, "damaged or was changed"),
        (changed(pieces=[{**piece, "sealed": "?"}]), code, "damaged or was changed"),
        (changed(pieces=whole["pieces"][1:] or [{**piece, "first": 2}]), code, "damaged or was changed"),
        (changed(table="hall"), code, "not the code of this copy"),
        (changed(until={**until, "witness": ""}), code, "end of the copy"),
        (changed(until={**until, "witness": older["witness"]}), code, "end of the copy"),
        (changed(until={**until, "last": until["last"] + 1}), code, "end of the copy"),
        (changed(until={**until, "wall_ms": 2**70}), code, "end of the copy"),
        (changed(until=older), code, "does not belong to its events"),
    ):
        with pytest.raises(Complaint, match=says):
            open_copy(read_copy(data), words)
    with pytest.raises(Complaint, match="cannot be read"):
        load_copy(tmp_path / "nothing.json", code)

    # A folder that has the table keeps it as it is.
    with DataFolder.open(tmp_path / "first", lock=True) as data_folder:
        before = (tmp_path / "first" / "journal.sqlite").stat().st_size
        with pytest.raises(Complaint, match="already"):
            await take_up(data_folder, restored)
        assert (tmp_path / "first" / "journal.sqlite").stat().st_size == before

    # On the command line: one sentence, status 2.
    wrong = tmp_path / "wrong.json"
    wrong.write_bytes(b"PGN")
    status, said = await finished(
        *(repo, "serve", "--data", str(tmp_path / "third"), "--port", "0"),
        *("--restore-from", str(wrong), "--restore-code", code),
    )
    assert status == 2 and "not a copy of a table" in said and "Traceback" not in said
    assert msgspec.json.decode(file.read_bytes())["id"] != ""


async def test_a_shortened_copy_says_what_is_missing_and_is_taken_up_only_when_the_arbiter_agrees(
    held: tuple[Path, str], repo: Path, tmp_path: Path
) -> None:
    file, code = held
    whole = json.loads(file.read_text())
    restored = open_copy(read_copy(file.read_bytes()), code)
    assert restored.missing == "" and restored.of == len(restored.entries) == whole["until"]["last"]
    key = copy_key_of(secret_of(tmp_path / "first" / "copies.key"), "demo")
    begun = msgspec.to_builtins(sealed_piece(key, "demo", restored.runs, restored.entries[:9]))

    short = tmp_path / "short.json"
    short.write_text(json.dumps({**whole, "pieces": [begun]}))  # what a page has whose last pieces are gone
    part = load_copy(short, code)
    assert f"events 1 to 9 of {restored.of}" in part.missing and part.witness is None
    assert part.until_ms == restored.entries[8].wall_ms < restored.until_ms
    for unsealed in (
        {**whole, "until": None},
        {**whole, "version": 1, "until": None, "witness": "of an older program"},
    ):
        told = open_copy(read_copy(json.dumps(unsealed).encode()), code)
        assert "does not say how far" in told.missing and told.witness is None

    words = ("serve", "--port", "0", "--restore-from", str(short), "--restore-code", code)
    status, said = await finished(repo, *words, "--data", str(tmp_path / "refused"))
    assert status == 2 and f"1 to 9 of {restored.of}" in said and "Nothing was restored" in said
    assert not (tmp_path / "refused").exists()

    with DataFolder.open(tmp_path / "agreed", lock=True) as data:
        copied_part = await take_up(data, part)
    async with open_house(tmp_path / "agreed") as house:
        assert (await house.hall.journal.read("demo"))[:9] == list(part.entries)
        said = await note(house.hall, copied_part)
        assert part.missing in said
        noted = [one for one in await house.hall.journal.read("demo") if one.kind == "incident_noted"]
        assert f"(9/{restored.of})".encode() in noted[0].body


async def test_a_device_that_holds_more_than_the_record_keeps_its_copy_and_the_arbiter_is_told(tmp_path: Path) -> None:
    async with open_house(tmp_path / "first") as house:
        desk = await (await house.arbiter()).line()
        key = copy_key_of(secret_of(house.hall.data.copy_secret), "demo")
        for after, link in ((500, "0" * 64), (2, "0" * 64)):
            await desk.send({"kind": "hold", "id": key.id, "after": after, "link": link})
            await desk.until(kind="copy_begins")
        told = await desk.until(event="alerted")
        assert "cut off or changed" in str(told)
        assert not [one for one in desk.seen if one["kind"] in ("copy", "copy_seal")]
