"""The phrase cache: private, bounded, whole or absent."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import stat
from pathlib import Path

import msgspec
import pytest

from speech.audio.sound import Sound
from speech.voices.phrase_cache import PhraseCache, PhraseKey

KEY = PhraseKey("engine 1", "de", None, 175, 50, "Turm Anna eins")
SOUND = Sound(bytes(range(256)) * 8, 22050)


def key(number: int) -> PhraseKey:
    return msgspec.structs.replace(KEY, text=f"phrase {number}")


def test_what_is_kept_is_found_and_private(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "phrases"
    cache = PhraseCache(folder)
    assert cache.find(KEY) is None
    cache.keep(KEY, SOUND)
    assert PhraseCache(folder).find(KEY) == SOUND
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()] == [0o600]
    assert b"Turm" not in cache.path(KEY).read_bytes() and "Turm" not in cache.path(KEY).name


@pytest.mark.parametrize(
    "change",
    [
        {"engine": "engine 2"},
        {"voice": "en"},
        {"variant": "f2"},
        {"speed": 176},
        {"pitch": 51},
        {"text": "Turm Anna zwei"},
    ],
)
def test_everything_that_changes_the_sound_is_in_the_key(tmp_path: Path, change: dict[str, object]) -> None:
    cache = PhraseCache(tmp_path)
    cache.keep(KEY, SOUND)
    assert cache.find(msgspec.structs.replace(KEY, **change)) is None


@pytest.mark.parametrize("damage", ["flip", "cut", "empty", "longer", "mark", "rate"])
def test_a_damaged_entry_is_absent_and_removed(tmp_path: Path, damage: str) -> None:
    cache = PhraseCache(tmp_path)
    cache.keep(KEY, SOUND)
    path = cache.path(KEY)
    stored = bytearray(path.read_bytes())
    if damage == "flip":
        stored[-5] ^= 1
    elif damage == "cut":
        del stored[-1:]
    elif damage == "empty":
        stored.clear()
    elif damage == "longer":
        stored += b"\0\0"
    elif damage == "mark":
        stored[0] ^= 1
    else:
        stored[51] ^= 1  # the sample rate after 19 bytes of mark and 32 of hash
    path.write_bytes(stored)
    assert cache.find(KEY) is None
    assert not path.exists()
    cache.keep(KEY, SOUND)
    assert cache.find(KEY) == SOUND


def test_the_longest_unused_go_first(tmp_path: Path) -> None:
    size = len(SOUND.pcm) + 55
    cache = PhraseCache(tmp_path, largest_bytes=10 * size)
    for number in range(10):
        cache.keep(key(number), SOUND)
        os.utime(cache.path(key(number)), (number + 1, number + 1))
    assert cache.find(key(0)) == SOUND  # used now, so it stays
    cache.keep(key(10), SOUND)
    left = {number for number in range(11) if cache.path(key(number)).exists()}
    assert left == {0, 3, 4, 5, 6, 7, 8, 9, 10}
    for number in range(11, 60):
        cache.keep(key(number), SOUND)
        assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 10 * size


def test_what_is_larger_than_the_bound_is_not_kept(tmp_path: Path) -> None:
    cache = PhraseCache(tmp_path, largest_bytes=1000)
    cache.keep(KEY, SOUND)
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_cannot_be_written_is_logged_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("not a folder", encoding="utf-8")
    cache = PhraseCache(in_the_way / "phrases")
    with caplog.at_level(logging.WARNING):
        cache.keep(KEY, SOUND)
        cache.keep(KEY, SOUND)
        assert cache.find(KEY) is None
    assert len(caplog.records) == 1
    assert "phrases are rendered anew" in caplog.text


def keep_many(folder: Path, seed: int) -> None:
    cache = PhraseCache(folder, largest_bytes=60_000)
    for round_ in range(100):
        number = (round_ * 7 + seed) % 40
        found = cache.find(key(number))
        assert found is None or found == SOUND
        cache.keep(key(number), SOUND)


def test_several_processes_on_one_folder(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=keep_many, args=(tmp_path, seed)) for seed in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    assert not [path for path in tmp_path.iterdir() if path.name.startswith("writing-")]


class Engine:
    """Renders when it is let; counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0
        self.may = asyncio.Event()
        self.fails = False

    async def render(self) -> Sound:
        self.asked += 1
        await self.may.wait()
        if self.fails:
            raise OSError("the engine died")
        return SOUND


async def test_a_hundred_who_want_one_phrase_at_once_have_it_rendered_once(tmp_path: Path) -> None:
    cache, engine = PhraseCache(tmp_path), Engine()
    waiting = [asyncio.create_task(cache.say(KEY, engine.render)) for _ in range(100)]
    other = asyncio.create_task(cache.say(key(1), engine.render))
    while engine.asked < 2:
        await asyncio.sleep(0.001)
    engine.may.set()
    assert await asyncio.gather(*waiting) == [SOUND] * 100 and await other == SOUND
    assert engine.asked == 2, "once for each phrase"
    assert await cache.say(KEY, engine.render) == SOUND and engine.asked == 2, "and now it is on disk"


async def test_who_goes_takes_the_phrase_from_nobody(tmp_path: Path) -> None:
    cache, engine = PhraseCache(tmp_path), Engine()
    first, second = (asyncio.create_task(cache.say(KEY, engine.render)) for _ in range(2))
    while not engine.asked:
        await asyncio.sleep(0.001)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    engine.may.set()
    assert await second == SOUND and engine.asked == 1


async def test_a_rendering_that_failed_is_tried_anew(tmp_path: Path) -> None:
    cache, engine = PhraseCache(tmp_path), Engine()
    engine.fails = True
    engine.may.set()
    found = await asyncio.gather(*(cache.say(KEY, engine.render) for _ in range(3)), return_exceptions=True)
    assert [type(one) for one in found] == [OSError] * 3 and engine.asked == 1
    engine.fails = False
    assert await cache.say(KEY, engine.render) == SOUND and engine.asked == 2
