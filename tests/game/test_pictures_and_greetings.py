"""The arbiter's picture, whole, and what each station sees when it comes (12.6, D.2.10.4, 12.2)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from server.game import acts as cmd
from server.game.decide.set_up.sound import opens_by_voice, outside_the_game
from server.game.laws.event_options import EventOptions
from server.game.state.state import GameState
from server.game.state.table import NextGame
from server.game.values.announcement import Announcement
from server.game.values.words import Duty, Mode, Role, SeatKind, SeatPlan, Station, Talking
from server.game.views import messages as msg
from server.game.views.alerts import AlertKinds
from server.game.views.messages import PressKeysShown, SoundShown
from server.game.views.overview import TableLine, overview
from server.game.views.table import table_shown
from server.game.views.view import greeting, picture, view_refusal
from tests.game.core_table import altered, play
from tests.game.test_events_in_full import B, T, W, clock, everybody
from tests.game.test_who_is_told_what import full_table

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"
AFTER_E5 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"
AT_THE_START = msg.Picture(
    white_board=START,
    black_board=START,
    game=START,
    made_plies=0,
    line=(),
    white_score=(),
    black_score=(),
    white_ms=605_000,
    black_ms=605_000,
    running=W,
    mode=Mode.TABLE,
    out_of_step=False,
    white_sheet=msg.ScoreShown(sheet="dictated", sources=(), utterances=()),
    black_sheet=msg.ScoreShown(sheet="paper", sources=(), utterances=()),
)


def test_the_picture_of_a_game_that_begins() -> None:
    table = everybody(control="600+5")
    assert picture(table.state, T) == AT_THE_START
    later = msgspec.structs.replace(AT_THE_START, white_ms=604_300)
    assert picture(table.state, T + 700) == later


def test_the_picture_of_a_game_under_way() -> None:
    """White's board lacks Black's last move still; a score's cells tell their sounds; a touched piece binds."""
    table = everybody(control="600+5")
    table.wait(10_000)
    table.say("white", "e4", utterance="u1")
    table.press("white")
    table.say("black", "e4", utterance="u2")
    table.done("black", cmd.WriteScore(index=1, text="e2-e4"))
    table.wait(1_000)
    table.say("black", "e5", utterance="u3", act="announce")
    table.done("black", cmd.OfferDraw())
    table.press("black")
    table.done("arbiter", cmd.ReportTouch(seat=W, square="g1", how="lifted"))
    assert picture(table.state, table.now) == msg.Picture(
        white_board=AFTER_E4,
        black_board=AFTER_E5,
        game=AFTER_E5,
        made_plies=2,
        line=("e2e4", "e7e5"),
        white_score=("e4",),
        black_score=("e2-e4",),
        white_ms=600_000,
        black_ms=609_000,
        running=W,
        mode=Mode.TABLE,
        out_of_step=False,
        behind=W,
        obliged=("g1h3", "g1f3", "g1e2"),
        obliged_by="4.3.1",
        white_sheet=msg.ScoreShown(sheet="dictated", sources=("announcement",), utterances=("u1",)),
        black_sheet=msg.ScoreShown(sheet="paper", sources=("station",), utterances=(None,)),
        offers=(msg.OfferMark(ply=2, white="missing", black="not_kept_here"),),
        complained=2,
    )


def test_a_piece_that_cannot_move_binds_nobody_in_the_picture() -> None:
    table = everybody(white=SeatKind.SIGHTED)
    table.done("arbiter", cmd.ReportTouch(seat=W, square="a1", how="lifted"))
    shown = picture(table.state, T)
    assert (shown.obliged, shown.obliged_by) == ((), "4.5")


@pytest.mark.law("L115", "L042")
def test_the_picture_of_a_finished_game_has_points_and_who_approved() -> None:
    table = everybody(control="600+5")
    table.done("white", cmd.Resign())
    assert table.state.over
    shown = picture(table.state, T)
    assert (shown.points, shown.running) == (("0", "1"), None)
    assert shown.ended == msg.EndShown(result="0-1", reason="resigned", article="5.1.2")
    table.done("black", cmd.ApproveResult(result="0-1"))
    shown = picture(table.state, T)
    assert shown.ended == msg.EndShown(result="0-1", reason="resigned", article="5.1.2", black="0-1")
    unheard_of = altered(table.state, {"ending.result": "*"})
    assert picture(unheard_of, T).points is None
    scheme: dict[str, Any] = {"ending.result": "1/2-1/2"}
    assert picture(altered(table.state, scheme), T).points == ("1/2", "1/2")


def test_a_game_of_which_the_server_lost_the_thread_has_no_position_in_the_picture() -> None:
    table = everybody()
    table.mumble("white", "u1")
    table.press("white")
    table.done("arbiter", cmd.MarkOutOfStep(note="misheard"))
    shown = picture(table.state, T)
    assert (shown.game, shown.line, shown.out_of_step) == (None, (None,), True)
    assert (shown.white_score, shown.white_sheet) == (
        ("",),
        msg.ScoreShown(sheet="dictated", sources=("announcement",), utterances=("u1",)),
    )


GREETING = msg.Greeting(
    station="",
    role="",
    seat=None,
    seat_kind=None,
    duties=(),
    mode=Mode.TABLE,
    rated=True,
    started=True,
    result=None,
    language="en",
    scheme="d21",
    names=("", ""),
    own_score=(),
    clock=clock(running=W),
    picture=None,
    shown=None,
    board=None,
)
SOUND = SoundShown(talking=Talking.HELD, voice_activity=False, device=False, known_voice=False)


def greetings(state: GameState, at: int = T) -> dict[str, msg.Greeting]:
    return {one.id: greeting(state, one, at) for one in state.stations.admitted}


@pytest.mark.law("L203", "L121", "L139")
def test_what_each_station_sees_when_it_comes() -> None:
    """A tactile player no clock and no board; a sighted one the own board; observers both; the picture the arbiter."""
    table = full_table()
    state = table.state
    of = msgspec.structs.replace
    white = of(GREETING, seat=W, seat_kind="tactile", language="de", sound=SOUND)
    black = of(GREETING, seat=B, seat_kind="sighted", language="de", sound=SOUND)
    both, pictured, told = msg.BoardsShown(white=START, black=START), picture(state, T), table_shown(state)
    assert greetings(state) == {
        "white": of(white, station="white", role="player", clock=None),
        "black": of(black, station="black", role="player", board=START, before=(START,)),
        "helper": of(white, station="helper", role="assistant", duties=tuple(duty.value for duty in Duty)),
        "aide": of(black, station="aide", role="assistant"),
        "display": of(GREETING, station="display", role="display", shown=msg.Shown(placement=START, words=(), text="")),
        "observer": of(GREETING, station="observer", role="observer", boards=both, before=(START, START)),
        "arbiter": of(GREETING, station="arbiter", role="arbiter", picture=pictured, before=(START, START), table=told),
    }


def test_a_greeting_tells_of_the_players_the_game_and_where_it_goes_on() -> None:
    table = full_table(control="5400", regulations=EventOptions(guidelines=("III",), unsupervised=True))
    table.say("white", "e4", utterance="u1")
    table.press("white")
    changed: dict[str, Any] = {
        "table.white": SeatPlan(SeatKind.TACTILE, name="Anna", language="hu", scheme="national"),
        "table.black": SeatPlan(SeatKind.SIGHTED, name="Bela"),
        "table.rated": False,
        "table.training": True,
        "table.follows": "t0",
        "table.next_game": NextGame("t2", exchanged=True, open=True),
        "table.mode": Mode.CLOCK,
    }
    state = altered(table.state, changed)
    seen = greetings(state, table.now)
    white = seen["white"]
    assert (white.language, white.scheme, white.own_score) == ("hu", "national", ("e4",))
    assert seen["black"].own_score == seen["observer"].own_score == ()
    for name, one in seen.items():
        assert one.names == ("Anna", "Bela") and one.mode is Mode.CLOCK and not one.rated and one.training, name
        assert one.quickplay and one.unsupervised and one.started and one.result is None, name
        assert one.follows == ("t0" if name == "arbiter" else ""), name
        seat = {"white": B, "helper": B, "black": W, "aide": W}.get(name)
        assert one.next_game == msg.NextGameShown(table="t2", seat=seat), name
    assert seen["display"].shown == msg.Shown(placement=AFTER_E4, words=("e4",), text="e4")
    assert seen["observer"].boards == msg.BoardsShown(white=AFTER_E4, black=START)
    assert seen["observer"].before == seen["arbiter"].before == (START, START)
    assert (seen["display"].before, seen["black"].before, seen["white"].before) == ((START,), (START,), ())
    assert not greetings(full_table(started=False).state)["white"].started


@pytest.mark.law("L072")
def test_the_display_marks_the_last_move_where_the_movers_board_changed_by_it_and_by_nothing_else() -> None:
    table = full_table()
    assert greetings(table.state)["display"].before == ()
    play(table, "e4 e5")
    assert greetings(table.state)["display"].before == (AFTER_E4,)
    kings = "4k3/8/8/8/8/8/8/4K3"
    for placement in (AFTER_E4, kings, kings):  # Black's pawn is back on e7, then gone, before the move too
        table.done("arbiter", cmd.SetBoard(board=B, placement=placement, turn=W))
        assert greetings(table.state)["display"].before == ()
    table.mumble("white", "u1")
    table.press("white")
    assert greetings(table.state)["display"].before == (), "which move it was is not known"


@pytest.mark.law("L101", "L207")
def test_an_offer_that_is_still_to_be_acknowledged_is_told_to_who_can_do_so_until_it_is() -> None:
    """D.2.11: the player and who brings them the words, in whose duty it is (D.2.10.2)."""

    def asked(state: GameState) -> set[str]:
        return {name for name, one in greetings(state).items() if one.offer_unread}

    table = full_table()
    table.say("white", "e4")
    for seat in (W, B):
        table.done("arbiter", cmd.DescribePlayer(seat=seat, hearing_impaired=True))
    table.done("white", cmd.OfferDraw())
    assert asked(table.state) == {"black"}, "an assistant of Black's is granted nothing here"
    assert asked(altered(table.state, {"ending.result": "1-0"})) == set()
    for duty, told in ((Duty.SCORE_AND_CLOCK, {"black"}), (Duty.ANNOUNCE, {"black", "brings"})):
        brings = Station("brings", Role.ASSISTANT, B, duties=(duty,))
        there = altered(table.state, {"stations.admitted": (*table.state.stations.admitted, brings)})
        assert asked(there) == told, duty
    table.done("black", cmd.Acknowledge())
    assert asked(table.state) == set()
    table.done("black", cmd.AnswerDraw(accept=False))
    table.press("white")
    table.say("black", "e5")
    table.done("black", cmd.OfferDraw())
    assert asked(table.state) == {"white", "helper"}
    table.done("white", cmd.AnswerDraw(accept=False))
    assert asked(table.state) == set()


@pytest.mark.law("L049")
def test_a_device_with_the_two_buttons_is_greeted_with_its_keys() -> None:
    table = full_table(started=False)
    table.done("arbiter", cmd.LearnPressKeys(at="display"))
    known = {name: one.press_keys for name, one in greetings(table.state).items() if one.press_keys is not None}
    assert known == {"display": PressKeysShown(stage="learn")}


def test_a_chess960_game_and_a_finished_one_say_so_in_the_greeting() -> None:
    table = full_table()
    table.done("white", cmd.Resign())
    seen = greeting(table.state, Station("white", Role.PLAYER, W), T)
    assert (seen.result, seen.chess960) == ("0-1", False)
    shuffled = msgspec.structs.replace(table.state.moves.positions[0], chess960=True)
    state = altered(table.state, {"moves.positions": (shuffled, *table.state.moves.positions[1:])})
    assert greeting(state, Station("white", Role.PLAYER, W), T).chess960


def test_a_command_is_answered_as_done_or_with_its_article() -> None:
    from server.game.acts import Refusal

    assert view_refusal("ab", None) == msg.OutcomeShown(id="ab", ok=True)
    refusal = view_refusal("ab", Refusal("not_started", "6.6"))
    assert refusal == msg.OutcomeShown(id="ab", ok=False, code="not_started", article="6.6")


SHOWN = [  # what of the last move's record is otherwise; what the display shows then
    ({}, msg.Shown(placement=AFTER_E4, words=("e4",), text="e4")),
    ({"own_board_moved": False}, msg.Shown(placement=None, words=("e4",), text="e4")),
    ({"placed": "e2e4", "hand_differs": True}, msg.Shown(placement=None, words=("e4",), text="e4")),
    ({"placed": "e2e4"}, msg.Shown(placement=AFTER_E4, words=("e4",), text="e4")),
    ({"hand_differs": True}, msg.Shown(placement=AFTER_E4, words=("e4",), text="e4")),
    ({"settled": True, "mended": "e2e4"}, msg.Shown(placement=AFTER_E4, words=("e4",), text="e4")),
    ({"settled": True, "mended": "d2d4"}, msg.Shown(placement=AFTER_E4, words=(), text="")),
    ({"settled": True, "mended": None}, msg.Shown(placement=AFTER_E4, words=(), text="")),
    ({"settled": True, "mended": "e2e4", "announcement": None}, msg.Shown(placement=AFTER_E4, words=(), text="")),
    ({"announcement": None}, msg.Shown(placement=AFTER_E4, words=("e4",), text="e4")),
    ({"announcement": Announcement(to_square="d4")}, msg.Shown(placement=AFTER_E4, words=("e4",), text="e4")),
]  # fmt: skip


@pytest.mark.law("L072", "L197")
@pytest.mark.parametrize(("otherwise", "shown"), SHOWN)
def test_the_display_shows_what_was_said_and_placed_and_nothing_that_the_arbiter_doubts(
    otherwise: dict[str, Any], shown: msg.Shown
) -> None:
    table = everybody()
    table.say("white", "e4")
    table.press("white")
    (record,) = table.state.moves.plies
    state = altered(table.state, {"moves.plies": (msgspec.structs.replace(record, **otherwise),)})
    assert greeting(state, Station("display", Role.DISPLAY), T).shown == shown


@pytest.mark.law("L072")
def test_the_display_waits_with_a_move_that_was_made_and_not_pressed() -> None:
    """What the opponent has already carried out of the coming move is no part of the last completed position."""
    table = everybody(black=SeatKind.TACTILE)
    play(table, "e4 e5")
    table.say("white", "e5", act="echo")
    table.say("white", "Nf3", act="announce")
    table.say("black", "Nf3", act="echo")
    display = Station("display", Role.DISPLAY)
    shown = msg.Shown(placement=AFTER_E5, words=("e5",), text="e5")
    assert greeting(table.state, display, T).shown == shown
    table.done("black", cmd.Execute())
    assert table.ply(3).executed_ms is not None and table.placement(B) != AFTER_E5
    assert greeting(table.state, display, T).shown == shown


def test_words_of_a_settled_move_are_not_shown_where_the_position_before_it_is_not_known() -> None:
    table = everybody()
    play(table, "e4 e5")
    one, two = table.state.moves.plies
    settled = msgspec.structs.replace(two, settled=True, mended="e7e5")
    state = altered(table.state, {"moves.plies": (one, settled)})
    display = Station("display", Role.DISPLAY)
    assert greeting(state, display, T).shown == msg.Shown(placement=AFTER_E5, words=("e5",), text="e5")
    unknown = altered(state, {"moves.positions": state.moves.positions[:1]})
    assert greeting(unknown, display, T).shown == msg.Shown(placement=AFTER_E5, words=(), text="")


@pytest.mark.law("L097")
def test_the_picture_shows_the_further_board_of_a_reconstruction() -> None:
    table = everybody()
    assert picture(table.state, T).reconstruction is None
    table.done("arbiter", cmd.BeginReconstruction())
    for uci in ("e2e4", "e7e4", "g1f3"):
        table.done("arbiter", cmd.ReconstructMove(uci=uci))
    work = table.state.scores.reconstruction
    assert work is not None
    assert picture(table.state, T).reconstruction == msg.ReconstructionShown(
        snapshot=work.snapshot,
        line=("e2e4", "e7e4", "g1f3"),
        placement="rnbqkbnr/pppp1ppp/8/8/4p3/5N2/PPPP1PPP/RNBQKB1R",
        not_legal=(2,),
    )


@pytest.mark.law("L095", "L096")
def test_the_picture_shows_who_owes_a_score_and_who_was_lent_the_other() -> None:
    table = everybody()
    table.say("white", "e4")
    table.press("white")
    changed: dict[str, Any] = {"scores.due": (W, B), "scores.due_through": 1, "scores.lent": W, "scores.white": ()}
    state = altered(table.state, changed)
    shown = picture(state, T)
    assert shown.white_sheet == msg.ScoreShown(sheet="dictated", sources=(), utterances=(), owing=True, lent=True)
    state = altered(state, {"scores.white": table.state.scores.white, "scores.black": (), "scores.lent": B})
    white, black = picture(state, T).white_sheet, picture(state, T).black_sheet
    assert white is not None and black is not None
    assert (white.owing, white.lent, black.owing, black.lent) == (False, False, True, True)
    empty = altered(state, {"scores.white": (None, *state.scores.white)})
    assert picture(empty, T).white_sheet == msg.ScoreShown(
        sheet="dictated", sources=(None, "announcement"), utterances=(None, None), owing=True
    )


KNIGHTS = ("Nf3", "Nf6", "Ng1", "Ng8")


def claimed(moves: tuple[str, ...], body: cmd.ClaimDraw) -> GameState:
    table = everybody()
    for number, text in enumerate(moves):
        seat = ("white", "black")[number % 2]
        table.say(seat, text, act="announce")
        table.press(seat)
    table.done(("white", "black")[len(moves) % 2], body)
    return table.state


NF3 = Announcement(piece="knight", to_square="f3")
LOOKED: list[tuple[tuple[str, ...], cmd.ClaimDraw, msg.ClaimLooked]] = [
    (
        KNIGHTS * 2,
        cmd.ClaimDraw(kind="repetition"),
        msg.ClaimLooked(seat=W, kind="repetition", known=True, same=(0, 4, 8), quiet=8),
    ),
    (
        (*KNIGHTS, "Nf3"),
        cmd.ClaimDraw(kind="fifty_moves"),
        msg.ClaimLooked(seat=B, kind="fifty_moves", known=True, same=(1, 5), quiet=5),
    ),
    (
        ("e4", "e5"),
        cmd.ClaimDraw(kind="fifty_moves"),
        msg.ClaimLooked(seat=W, kind="fifty_moves", known=True, same=(2,), quiet=0),
    ),
    (
        KNIGHTS,
        cmd.ClaimDraw(kind="repetition", intended=NF3, text="Nf3"),
        msg.ClaimLooked(seat=W, kind="repetition", intended="Nf3", known=True, same=(1, 5), quiet=5),
    ),
    (
        KNIGHTS,
        cmd.ClaimDraw(kind="repetition", awaits=True),
        msg.ClaimLooked(seat=W, kind="repetition", awaits=True),
    ),
    (
        KNIGHTS,
        cmd.ClaimDraw(kind="repetition", intended=Announcement(piece="rook", to_square="a5"), text="Ra5"),
        msg.ClaimLooked(seat=W, kind="repetition", intended="Ra5"),
    ),
    (
        KNIGHTS,
        cmd.ClaimDraw(kind="repetition", intended=Announcement(piece="queen", to_square="e4"), text="Qe4"),
        msg.ClaimLooked(seat=W, kind="repetition", intended="Qe4"),
    ),
]


@pytest.mark.law("L104", "L107", "L133")
@pytest.mark.parametrize(("moves", "body", "looked"), LOOKED)
def test_the_picture_shows_what_the_record_has_for_a_claim(
    moves: tuple[str, ...], body: cmd.ClaimDraw, looked: msg.ClaimLooked
) -> None:
    state = claimed(moves, body)
    assert picture(state, T).claim == looked
    lost = altered(state, {"moves.out_of_step": True})
    unknown = msg.ClaimLooked(seat=looked.seat, kind=looked.kind, intended=looked.intended, awaits=looked.awaits)
    assert picture(lost, T).claim == unknown
    assert state.draws.claim is not None
    for kind in ("increment", "quickplay"):
        other = altered(state, {"draws.claim": msgspec.structs.replace(state.draws.claim, kind=kind)})
        assert picture(other, T).claim is None, "of those the record says nothing"
    assert picture(altered(state, {"draws.claim": None}), T).claim is None


@pytest.mark.law("L194")
def test_a_station_sees_whether_its_players_voice_is_kept_and_may_open_the_microphone() -> None:
    table = full_table(regulations=EventOptions(sound_needs_consent=True), started=False)
    of = msgspec.structs.replace
    assert greetings(table.state)["white"].sound == of(SOUND, keeps_sound=False)
    for agrees in (True, False):
        table.done("white", cmd.AnswerRecording(agrees=agrees))
        seen = greetings(table.state)
        assert seen["white"].sound == seen["helper"].sound == of(SOUND, consent=agrees, keeps_sound=agrees)
        assert seen["black"].sound == of(SOUND, keeps_sound=False), "of the other nothing is known"
    for rated, permitted, talking, shown, opens in (
        (True, False, Talking.VOICE, Talking.HELD, False),
        (True, True, Talking.VOICE, Talking.VOICE, True),
        (False, False, Talking.VOICE, Talking.VOICE, True),
        (True, False, Talking.TOGGLED, Talking.TOGGLED, False),
        (True, True, Talking.TOGGLED, Talking.TOGGLED, False),
    ):
        one, other = full_table().state.sound.seats
        chosen = (of(one, talking=talking, permitted=permitted), other)
        state = altered(full_table().state, {"table.rated": rated, "sound.seats": chosen})
        sound = greetings(state)["white"].sound
        assert sound == of(SOUND, talking=shown, voice_activity=permitted or not rated)
        assert opens_by_voice(state, W) is opens


def test_a_voice_is_learnt_before_the_start_and_after_the_end_alone() -> None:
    before, during, after = full_table(started=False), full_table(), full_table()
    after.done("white", cmd.Resign())
    assert [outside_the_game(one.state) for one in (before, during, after)] == [True, False, True]


@pytest.mark.law("L134")
def test_the_arbiters_table_shows_rules_adaptations_and_what_is_to_be_looked_at() -> None:
    regulations = EventOptions(
        guidelines=("III",), unsupervised=True, sound_needs_consent=True, overrides=(("illegal_loses_at", 3),)
    )
    table = full_table(control="5400", regulations=regulations, started=False, answered=False)
    table.adapt("file_names", "nato")
    item, other = table.state.table.checklist[:2]
    lamp = msgspec.structs.replace(item, name="lamp", scope="table")
    air = msgspec.structs.replace(other, name="air", scope="table")
    table.state = altered(
        table.state,
        {
            "table.checklist": (lamp, air),
            "table.known_adaptations": tuple(
                one
                for one in table.state.table.known_adaptations
                if one.name in ("file_names", "sighted_press_without_announcement")
            ),
            "table.white": msgspec.structs.replace(table.state.table.white, needs="a chair"),
            "table.rated": False,
        },
    )
    table.done("arbiter", cmd.TickChecklist(item="lamp", ok=False, note="dark"))
    names, press = sorted(table.state.table.known_adaptations, key=lambda one: one.name)
    shown = table_shown(table.state)
    assert shown == msg.TableShown(
        rule_set="fide2023",
        title=table.state.table.rules.title,
        rated=False,
        supervision="full",
        overrides=("illegal_loses_at",),
        boards=table.state.table.boards,
        needs=("a chair", ""),
        adaptations=tuple(
            msg.AdaptationShown(
                name=one.name,
                article=one.article,
                value="nato" if one is names else "",
                recorded=one is names,
                question=one is press,
                must_answer=one is press,
                values=one.values,
                text=one.text,
            )
            for one in table.state.table.known_adaptations
        ),
        checklist=(
            msg.CheckShown(item="lamp", seat=None, article=lamp.article, text=lamp.text, ok=False, note="dark"),
            msg.CheckShown(item="air", seat=None, article=air.article, text=air.text),
        ),
        assistant_needed=shown.assistant_needed,
        sound_needs_consent=True,
        guidelines=("III",),
        quickplay=True,
        unsupervised=True,
    )


@pytest.mark.law("L135", "L159")
def test_one_line_for_each_table_of_an_arbiter() -> None:
    """In blitz one arbiter can hold one game to the full rules; a game that is over or not begun is none (B.2.1)."""
    blitz = everybody(control="180+2")
    opened = blitz.state
    named: dict[str, Any] = {
        "table.event_name": "Cup",
        "table.round": "3",
        "table.board_number": 7,
        "table.starts": "15:00",
        "table.way": "first door on the left",
        "table.white": SeatPlan(SeatKind.TACTILE, name="Anna"),
        "table.black": SeatPlan(SeatKind.SIGHTED, name="Bela"),
        "rulings.alerts": 5,
        "rulings.last_alert": "flag",
    }
    blitz.say("white", "e4")
    blitz.press("white")
    blitz.done("black", cmd.ClaimDraw(kind="repetition"))
    blitz.done("white", cmd.CallArbiter(stop=False))
    blitz.done("arbiter", cmd.SettleAlert(numbers=(2,), how="put_off"))
    blitz.done("black", cmd.CallArbiter(stop=False))
    under_way = altered(blitz.state, named)
    over = everybody(control="180+2")
    over.done("white", cmd.Resign())
    waiting = everybody(control="180+2", started=False)
    first, second, third = overview(
        (("t1", under_way), ("t2", over.state), ("t3", waiting.state)), T, AlertKinds(at_once=("draw_claimed",))
    )
    assert first == TableLine(
        table="t1",
        event="Cup",
        round="3",
        board=7,
        starts="15:00",
        way="first door on the left",
        white="Anna",
        black="Bela",
        started=True,
        result=None,
        reason="",
        made_plies=1,
        white_ms=184_000,
        black_ms=182_000,
        running=None,
        first_flag=None,
        alerts=2,
        grey=2,
        urgent="draw_claimed",
        at_once=True,
        put_off=1,
        given=5,
        last_alert="flag",
        claim="repetition",
        full_supervision=True,
    )
    assert (second.table, second.result, second.reason, second.claim) == ("t2", "0-1", "resigned", None)
    assert (third.table, third.started, third.running, third.full_supervision) == ("t3", False, None, True)
    two = overview(
        (("t1", under_way), ("t2", opened), ("t3", everybody().state)), T - 1_000, AlertKinds(), {"t2": 2_000}
    )
    assert [one.full_supervision for one in two] == [False, False, True], "a standard game may always have it"
    assert (two[1].white_ms, two[1].running) == (181_000, W)
