"""Who is heard next where several want one engine: by table and by seat, who used least first; by a test's clock."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable

import pytest

from speech import turns
from speech.turns import HALF_S, MARGIN_S, Speaker, Turns, heard_for


class Engine:
    """Something that serves a few at a time and takes what each piece of work takes; time is only what it works."""

    def __init__(self, places: int = 1) -> None:
        self.s = 0.0
        self.turns = Turns(places, lambda: self.s)
        self.order: list[str] = []

    def ask(self, speaker: Speaker, seconds: float, name: str = "") -> asyncio.Task[None]:
        async def served() -> None:
            async with self.turns.turn():
                await asyncio.sleep(0)
                self.s += seconds
                self.order.append(name or speaker.table + speaker.seat)

        with heard_for(speaker):
            return asyncio.create_task(served())


def at(table: str, seat: str = "", *, last: bool = False) -> Speaker:
    return Speaker(table, seat, last)


async def test_a_flood_delays_anothers_words_by_what_is_being_done_and_no_more() -> None:
    engine = Engine()
    flood = [engine.ask(at("flood", "w"), 0.1, "flood") for _ in range(200)]
    await asyncio.sleep(0)
    begun = 2  # one is over before the words have come, and one is being served
    words = [engine.ask(at("quiet", "b"), 0.1, f"word {number}") for number in range(3)]
    await asyncio.gather(*flood, *words)
    places = [engine.order.index(f"word {number}") for number in range(3)]
    assert places[0] <= begun and places[2] <= begun + 4, "one in two at worst"


async def test_several_seats_of_one_table_have_one_table_s_share() -> None:
    engine = Engine()
    many = [engine.ask(at("many", f"seat {number}"), 0.1, "many") for number in range(20) for _ in range(10)]
    one = [engine.ask(at("one", "w"), 0.1, "one") for _ in range(10)]
    await asyncio.gather(*many, *one)
    assert Counter(engine.order[:20]) == {"many": 10, "one": 10}


async def test_the_two_seats_of_a_table_share_what_it_has() -> None:
    engine = Engine()
    asked = [engine.ask(at("t", "w"), 0.1, "w") for _ in range(50)] + [
        engine.ask(at("t", "b"), 0.1, "b") for _ in range(5)
    ]
    await asyncio.gather(*asked)
    assert Counter(engine.order[:10])["b"] == 5


async def test_who_only_listens_comes_after_all_who_play_however_little_it_used() -> None:
    engine = Engine()
    visitors = [engine.ask(at("hall", last=True), 0.1, "visitor") for _ in range(5)]
    playing = [engine.ask(at("t", "w"), 5.0, "player") for _ in range(5)]
    await asyncio.gather(*visitors, *playing)
    assert engine.order == ["visitor"] + ["player"] * 5 + ["visitor"] * 4, "the first was being heard"


async def test_what_was_used_is_forgotten_by_halves() -> None:
    engine = Engine()
    await engine.ask(at("heavy"), 8.0)
    await engine.ask(at("light"), 1.0)
    engine.s += 20 * HALF_S
    held = engine.ask(at("other"), 0.1)
    await asyncio.sleep(0)
    await asyncio.gather(held, engine.ask(at("heavy"), 0.1, "first"), engine.ask(at("light"), 0.1, "second"))
    assert set(engine.order[-2:]) == {"first", "second"}
    assert engine.turns._used_by(("heavy",), engine.s) < 0.2


@pytest.mark.parametrize("seed", range(5))
async def test_nobody_is_forgotten_served_twice_or_served_beside_too_many(seed: int) -> None:
    chance, places = random.Random(seed), random.Random(seed).randint(1, 3)
    queue, inside, most, done = Turns(places), 0, 0, 0

    async def served(speaker: Speaker) -> None:
        nonlocal inside, most, done
        with heard_for(speaker):
            async with queue.turn(chance.choice((None, lambda: False, lambda: True))):
                inside += 1
                most = max(most, inside)
                try:
                    for _ in range(chance.randrange(3)):
                        await asyncio.sleep(0)
                finally:
                    inside -= 1
        done += 1

    speakers = [at(str(chance.randrange(4)), str(chance.randrange(2)), last=chance.random() < 0.2) for _ in range(200)]
    tasks = [asyncio.create_task(served(one)) for one in speakers]
    gone = 0
    for task in chance.sample(tasks, 60):
        await asyncio.sleep(0)
        gone += task.cancel()
    ended = await asyncio.gather(*tasks, return_exceptions=True)
    assert most == places and done + sum(isinstance(one, asyncio.CancelledError) for one in ended) == 200
    assert not queue._held and not queue._waiting and gone


async def until_asked(queue: Turns, holder: Speaker, waits: Speaker, used_s: float, clock: list[float]) -> bool:
    asked: list[bool] = []

    async def hold() -> None:
        with heard_for(holder):
            async with queue.turn(lambda: asked.append(True) is None):
                clock[0] += used_s
                await asyncio.sleep(0.01)

    async def wait() -> None:
        with heard_for(waits):
            async with queue.turn():
                pass

    holding = asyncio.create_task(hold())
    await asyncio.sleep(0)
    await asyncio.gather(holding, asyncio.create_task(wait()))
    assert len(asked) <= 1
    return bool(asked)


@pytest.mark.parametrize(
    ("holder", "waits", "used_s", "gives_way"),
    [
        (at("a"), at("b"), MARGIN_S + 0.1, True),
        (at("a"), at("b"), MARGIN_S - 0.1, False),
        (at("a", "w"), at("a", "b"), MARGIN_S + 0.1, True),
        (at("a", "w"), at("a", "w"), 100.0, False),
        (at("hall", last=True), at("b"), 0.0, True),
        (at("a"), at("hall", last=True), 100.0, False),
    ],
)
async def test_who_used_much_more_gives_way_in_the_middle(
    holder: Speaker, waits: Speaker, used_s: float, gives_way: bool
) -> None:
    clock = [0.0]
    now: Callable[[], float] = lambda: clock[0]  # noqa: E731
    assert await until_asked(Turns(1, now), holder, waits, used_s, clock) is gives_way


async def test_accounts_of_tables_long_over_are_forgotten() -> None:
    engine = Engine()
    for number in range(700):
        await engine.ask(at(f"table {number}", "w"), 0.01)
        engine.s += 10
    assert len(engine.turns._used) < 1_002 and turns.who_is_heard() == Speaker()
