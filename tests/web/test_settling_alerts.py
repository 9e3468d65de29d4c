"""What settles alerts: the configuration, the cards, and that a settled alert is on record."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

from server.desk.settling import load_settling
from server.game.acts.base import acts
from server.game.values.words import Seat
from server.wording.pages import load_act_words, page_words
from speech.complaint import Complaint
from speech.words.config_file import language_tags
from tests.web.open_house import House, open_house
from tests.web.test_words_of_the_pages import alert_kinds


def test_every_alert_says_what_settles_it_and_every_offer_has_words(repo: Path) -> None:
    file = load_settling()
    assert alert_kinds(repo) - set(file.alerts) == set()
    for tag in language_tags():
        assert {f"settle.{name}" for name in file.offers} <= set(page_words(tag)), tag


def test_arbiters_find_the_same_acts_in_every_language() -> None:
    english = set(load_act_words("en"))
    assert len(english) > 30
    for tag in language_tags():
        assert set(load_act_words(tag)) == english, tag


def test_the_article_that_an_alert_names_finds_the_act_that_settles_it() -> None:
    """In every language: "7.5.1", "5.1.2" and "9.5.3" are what stands on the cards, so arbiters look for them."""
    file, known = load_settling(), load_act_words("hy")
    own = {str(one.__struct_config__.tag): one.form.article for one in acts() if one.form is not None}
    for kind, alert in file.alerts.items():
        settling = {file.offers[name]["do"] for name in alert.offers} & set(own)
        found = [
            f"{alert.article}.".startswith(f"{one}.") for act in settling for one in (own[act], *known.get(act, ()))
        ]
        assert any(found) or not found or not alert.article, (kind, alert.article, settling)


@pytest.mark.parametrize(
    ("was", "becomes", "key"),
    [
        ('do = "call_flag", seat', 'do = "resign", seat', "offers.call_flag.do"),
        ('do = "call_flag", seat', 'do = "call_flag", sheet', "offers.call_flag.sheet"),
        ('do = "call_flag", seat = "$seat"', 'do = "call_flag", seat = "$loser"', "offers.call_flag.seat"),
        ('offers = ["call_flag"]', 'offers = ["no_such"]', "alerts.flag.offers"),
    ],
)
def test_what_the_arbiter_cannot_do_is_no_offer(tmp_path: Path, was: str, becomes: str, key: str) -> None:
    text = resources.files("config").joinpath("rules/settling.toml").read_text("utf-8")
    assert was in text
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "settling.toml").write_text(text.replace(was, becomes), "utf-8")
    with pytest.raises(Complaint, match=key):
        load_settling(tmp_path)


@pytest.mark.law("L080")
async def test_an_alert_is_answered_by_its_act_put_off_or_acknowledged_and_never_twice(house: House) -> None:
    arbiter = await house.arbiter()
    desk = await arbiter.line()
    white = await (await house.station("tactile", Seat.WHITE)).line()
    await house.station("sighted", Seat.BLACK)
    await desk.do({"do": "start_game"})
    await white.type("Bauer Eva zwei Eva fuenf")
    await white.do({"do": "press"})
    await white.do({"do": "call_arbiter", "reason": "", "stop": False})
    status, said = await arbiter.get("/api/alerts?table=demo&page=arbiter&language=de")
    assert status == 200
    called, illegal = said["cards"]
    assert (called["kind"], called["numbers"], called["how"]) == ("called", [2], "")
    assert called["text"] == "Weiß ruft den Schiedsrichter (6.11.2)"
    assert illegal["article"] == "7.5.1"
    happened, misheard = illegal["offers"]
    assert (happened["body"]["do"], misheard["body"]["how"], illegal["steps"]) == ("open_incident", "misheard", [])
    assert (await desk.do(happened["body"]))["outcome"]["ok"]
    _, said = await arbiter.get("/api/alerts?table=demo&page=arbiter")
    (illegal,) = [one for one in said["cards"] if one["kind"] == "not_legal"]
    assert illegal["steps"][0]["done"], "the clocks stop when it happened"
    all_steps, none = illegal["offers"]
    assert [one["body"]["do"] for one in illegal["steps"]] == ["pause", "rule_irregularity", "restore_to", "add_time"]
    assert all_steps["body"]["steps"] == [one["body"] for one in illegal["steps"] if not one["done"]]
    assert (none["name"], none["body"]["confirm"]) == ("no_irregularity", False)
    assert (await desk.do(all_steps["body"]))["outcome"]["ok"]
    _, said = await arbiter.get("/api/alerts?table=demo&page=arbiter")
    (waits,) = [one for one in said["cards"] if one["kind"] == "not_legal"]
    assert [one["name"] for one in waits["offers"]] == ["resume", "undo_incident"], "open until the clocks run"
    assert (await desk.do({"do": "resume"}))["outcome"]["ok"]
    await desk.do({"do": "settle_alert", "numbers": [2], "how": "put_off"})
    _, said = await arbiter.get("/api/alerts?table=demo&page=arbiter")
    assert [(one["kind"], one["how"]) for one in said["cards"]] == [("called", "put_off")]
    assert (await desk.do({"do": "settle_alert", "numbers": [1, 2], "how": "acknowledged"}))["outcome"]["ok"]
    settled = [one["message"]["event"] for one in desk.seen if one.get("message", {}).get("event", {}).get("how")]
    assert [one["numbers"] for one in settled if one["event"] == "alert_settled"] == [[2], [2]]
    again = await desk.do({"do": "settle_alert", "numbers": [2], "how": "filed"})
    assert (again["outcome"]["ok"], again["outcome"]["code"]) == (False, "alert_settled")
    assert (await house.visitor().get("/api/alerts?table=demo&page=arbiter"))[0] in (401, 403)


async def test_what_was_settled_stays_settled_after_a_restart(tmp_path: Path) -> None:
    async with open_house(tmp_path / "data") as house:
        desk = await (await house.arbiter()).line()
        white = await (await house.station("tactile", Seat.WHITE)).line()
        await desk.do({"do": "start_game"})
        for number, how in enumerate(("acknowledged", "put_off", "filed"), start=1):
            await white.do({"do": "call_arbiter", "reason": "", "stop": False})
            assert (await desk.do({"do": "settle_alert", "numbers": [number], "how": how}))["outcome"]["ok"]
    async with open_house(tmp_path / "data") as house:
        _, said = await (await house.arbiter()).get("/api/alerts?table=demo&page=arbiter")
        calls = [(one["numbers"], one["how"]) for one in said["cards"] if one["kind"] == "called"]
        assert sorted(calls) == [([2], "put_off"), ([3], "filed")]
