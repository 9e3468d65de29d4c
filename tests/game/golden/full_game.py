"""A short game in which everything happens that the record can hold: for the golden record of a milestone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec

from server.demo.pacing import FastPace
from server.game import acts as cmd
from server.game.acts import Command
from server.game.belief import belief_question
from server.game.laws.chess960 import from_letters
from server.game.laws.event_options import EventOptions
from server.game.laws.scoresheet import Scoresheet
from server.game.values.announcement import Announcement
from server.game.values.candidates import Candidate
from server.game.values.pairing import OwnPairing
from server.game.values.saying import saying
from server.game.values.time_control import TimeControl
from server.game.values.words import (
    ClockMaster,
    Duty,
    Mode,
    Origin,
    ReadBack,
    Role,
    Seat,
    SeatKind,
    SeatPlan,
    Station,
    Talking,
)
from server.hall.hall import Hall
from server.hall.live_table import LiveTable
from server.machine.clock import SystemClock
from server.machine.data_folder import DataFolder
from server.machine.identity import new_command_id
from server.protocol import AtEar, Outgoing, SealCode, SoundReady, Typed
from speech.channels.ear import Kind
from speech.voices.pyttsx3_voice import Pyttsx3Voice

TABLE = "golden"
PERIODS = "periods"
IRREGULAR = "irregular"
CHESS960 = "chess960"
ADJOURNED = "adjourned"
WAITING = "waiting"
UNSUPERVISED = "unsupervised"
TRAINING = "training"
START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
STATIONS = (
    Station("arbiter", Role.ARBITER),
    Station("white", Role.PLAYER, Seat.WHITE),
    Station("black", Role.PLAYER, Seat.BLACK),
    Station("helper", Role.ASSISTANT, Seat.WHITE, (Duty.EXECUTE, Duty.ANNOUNCE, Duty.CLAIM_AND_REPORT)),
    Station("display", Role.DISPLAY),
    Station("observer", Role.OBSERVER),
)
SECOND = 1_000


class FullGame:
    """One run of the hall over the table; time passes only where the script says so."""

    def __init__(self, hall: Hall, table: LiveTable, pace: FastPace) -> None:
        self.hall = hall
        self.table = table
        self.pace = pace

    async def own(self, body: cmd.AnyAct) -> None:
        """A command of the program itself: a sensing board's."""
        outcome = await self.table.own(self.table.program_command(body))
        assert outcome.outcome.ok, (body, outcome)

    async def do(self, station: str, body: cmd.StationAct, *, ms: int = SECOND, ply: int | None = None) -> None:
        """After `ms`, a station's command; it must be carried out."""
        await self.pace.passes(ms)
        command = Command(id=new_command_id(), table=self.table.id, station=station, body=body, about_ply=ply)
        outcome = await self.table.submit(command)
        assert outcome.outcome.ok, (body, outcome)

    async def type(self, text: str, act: str = "auto") -> None:
        """White, who plays by touch, types the words."""
        await self.pace.passes(SECOND)
        outcome = await self.table.take_typed("white", Typed(new_command_id(), text, act))
        assert outcome.outcome.ok, (text, outcome)

    async def white(self, text: str, ply: int) -> None:
        await self.type(text, "announce")
        await self.do("white", cmd.Press(), ply=ply)

    async def black(self, uci: str, san: str, ply: int) -> None:
        await self.do("black", cmd.EnterMove(uci=uci))
        await self.do("black", cmd.Press(), ply=ply)
        await self.do("black", cmd.WriteScore(index=ply, text=san))


async def play_full_game(folder: Path) -> None:
    """Play it into the data folder: two runs of the program, with a break while a clock ran."""
    with DataFolder.open(folder, lock=True) as data:
        await _in_a_hall(data, _first_run)
        await _in_a_hall(data, _second_run)
        await _in_a_hall(data, _periods)
        await _in_a_hall(data, _irregular)
        await _in_a_hall(data, _chess960)
        await _in_a_hall(data, _adjourned)
        await _in_a_hall(data, _waiting)
        await _in_a_hall(data, _waited)
        await _in_a_hall(data, _unsupervised)
        await _in_a_hall(data, _training)


async def _in_a_hall(data: DataFolder, play: Callable[[Hall, FastPace], Awaitable[None]]) -> None:
    pace = FastPace()
    voice = Pyttsx3Voice()
    hall = await Hall.open(data, pace.clock, voice=voice, ear_clock=SystemClock())
    try:
        await play(hall, pace)
    finally:
        await hall.close()
        await voice.close()


async def _first_run(hall: Hall, pace: FastPace) -> None:
    table = await hall.open_table(
        cmd.OpenTable(
            white=SeatPlan(SeatKind.TACTILE, "Anna", "de"),
            black=SeatPlan(SeatKind.SIGHTED, "Hector", "en"),
            control=TimeControl.parse("5400+30"),
            start_fen=START_FEN,
            event_name="First light",
        ),
        TABLE,
    )
    for station in STATIONS:
        await table.admit(station)
    game = FullGame(hall, table, pace)
    await game.do("arbiter", cmd.RecordAdaptation(name="machine_announces", value="on"))
    await game.do("arbiter", cmd.RecordAdaptation(name="sighted_press_without_announcement", value="note"))
    await game.do("white", cmd.SetUpClock(control="5400+10"))
    await game.do("arbiter", cmd.ApproveClock(approved=False))
    for word in ("Uhr stellen", "nein", "wiederholen", "Stopp", "Uhr stellen", "ja"):
        await game.type(word)
    await game.do("white", cmd.SetUpClock(control="5400+30"))
    await game.do("arbiter", cmd.ApproveClock(approved=True))
    await game.do("arbiter", cmd.RecordAdaptation(name="spoken_time_automatic", value="on"))
    await game.do("white", cmd.AskForCues(at_s=(300, 60), countdown="words"))
    await game.do("arbiter", cmd.StartGame())

    # 1. e4 e5: a slip of the tongue before the press, a repetition, an echo, other words after the press
    await game.type("Eva drei", "announce")
    await game.type("Eva vier", "announce")
    await game.type("Eva vier", "announce")
    await game.do("white", cmd.Press(), ply=1)
    await game.do("black", cmd.Execute(uci="e2e4"))
    await game.do("black", cmd.WriteScore(index=1, text="e4"))
    await game.type("David vier", "announce")
    await game.black("e7e5", "e5", 2)
    await game.type("Eva fuenf", "echo")
    await game.do("white", cmd.Execute())

    # 2. Nf3 (nobody understood a word: the sound is the score) Nc6, mended by the arbiter
    tone = (b"\x00\x10" * 8 + b"\x00\xf0" * 8) * 500
    await table.hear("white", 1, tone, pace.clock.mono_ms())
    await table.hear("white", 1, tone[::-1], pace.clock.mono_ms())  # another sound of this name is not kept
    await game.do("white", cmd.Press(), ply=3)
    await game.do("arbiter", cmd.MarkOutOfStep(note="the server heard nothing"))
    await game.do("arbiter", cmd.Mend(ply=3, uci="g1f3"))
    await game.do("black", cmd.Execute(uci="g1f3"))
    await game.black("b8c6", "Nc6", 4)
    await game.type("Springer Cesar sechs", "echo")

    # 3. Bb5 in relay, spoken into White's ear; questions, an adjustment, a draw offered and declined
    await game.do("arbiter", cmd.SetMode(mode=Mode.RELAY))
    await game.do("white", cmd.Ask(what="time"))
    await game.do("white", cmd.Adjust())
    await game.white("Laeufer Bella fuenf", 5)
    await game.do("white", cmd.OfferDraw())
    await game.do("black", cmd.AnswerDraw(accept=False))
    await game.do("helper", cmd.Execute(uci="f1b5", board=Seat.BLACK))
    await _spoken(game, "a7a6", "a6", 6)

    # White's board was brushed: the arbiter is called, sets it up, sets the clocks, and lets them run
    await game.do("helper", cmd.CallArbiter(reason="a piece fell"))
    await game.do("arbiter", cmd.SetBoard(board=Seat.WHITE, placement=table.state.moves.white_board.position.placement,
                                          turn=Seat.WHITE))  # fmt: skip
    await game.do("arbiter", cmd.SetClock(white_ms=5_000, black_ms=3_600_000, turn=Seat.WHITE, reason="6.10.2"))
    await game.do("arbiter", cmd.Resume())
    await pace.passes(2 * SECOND)  # the program is stopped while White's clock runs


async def _spoken(game: FullGame, uci: str, san: str, ply: int) -> None:
    """Black's move as White hears it: wait until it was said into White's ear, which is on record by then."""
    ready = asyncio.Event()

    def hear(outgoing: Outgoing) -> None:
        if isinstance(outgoing, SoundReady):
            game.table.teller.at_ear("white", AtEar("ended", outgoing.id))
            if outgoing.what is Kind.ANNOUNCEMENT:
                ready.set()

    line = game.table.attach("white", 1_000, hear)
    await game.black(uci, san, ply)
    async with asyncio.timeout(120):
        await ready.wait()
    line.close()


async def _second_run(hall: Hall, pace: FastPace) -> None:
    table = hall.table(TABLE)
    game = FullGame(hall, table, pace)
    assert not table.clock_runs
    await game.do("arbiter", cmd.Resume())
    await pace.passes(10 * SECOND)  # White's flag falls; Black claims, the arbiter finds the claim wrong
    await game.do("black", cmd.ClaimTime())
    await game.do("arbiter", cmd.SetClock(white_ms=600_000, black_ms=600_000, turn=Seat.WHITE, reason="7.1"))
    await game.do("arbiter", cmd.AddTime(seat=Seat.WHITE, ms=120_000, reason="wrong claim", article="12.9.2"))
    await game.do("arbiter", cmd.SetIncrement(increment_ms=5_000))
    await game.do("arbiter", cmd.SetMode(mode=Mode.TABLE))
    await game.do("arbiter", cmd.Resume())
    await game.type("Anna sechs", "echo")
    await game.white("Laeufer Anna vier", 7)
    await game.do("black", cmd.Execute(uci="b5a4"))
    await table.take_typed("black", Typed(new_command_id(), "Springer Felix sechs", "announce"))
    await game.black("g8f6", "Nf6", 8)
    await game.type("Laeufer Bella drei")  # no echo: it looks like a wrong one until the press
    await game.do("white", cmd.Press(), ply=9)
    await game.do("arbiter", cmd.SetClockMaster(clock_master=ClockMaster.MANUAL))
    await game.do("arbiter", cmd.SetClockMaster(clock_master=ClockMaster.SERVER))
    await game.do("arbiter", cmd.Resume())
    await game.do("arbiter", cmd.Pause(reason="the hall is too loud"))
    await game.do("arbiter", cmd.Resume())
    await game.do("black", cmd.ClaimDraw(kind="fifty_moves", intended=Announcement("bishop", None, "e7")))
    await game.do("arbiter", cmd.RuleClaim(ruling="wrong"))
    await game.do("arbiter", cmd.Resume())
    ended = asyncio.Event()
    line = table.attach("white", 1_000, lambda outgoing: ended.set() if "Ended" in repr(outgoing) else None)
    await game.do("white", cmd.Resign())  # whether Black can mate is looked for in a process of its own
    await pace.passes(3 * SECOND)
    async with asyncio.timeout(60):
        await ended.wait()
    line.close()
    await game.do("white", cmd.ApproveResult(result="0-1"))
    await game.do("black", cmd.WriteScore(index=7, text="Ba4"))


async def _misheard(game: FullGame) -> None:
    """White's e4 is heard as e5; that it can only be e4 is weighed beside the table."""
    ways = (Candidate(None, None, "e5", None, None, 0.3), Candidate(None, None, "e4", None, None, 1.4))
    said = ways[0].announcement
    await game.own(cmd.Say(announcement=said, seat=Seat.WHITE, origin=Origin.HEARD, utterance="u", candidates=ways))
    await game.own(cmd.NoteRefused(seat=Seat.WHITE, station="white", code="nothing_asked", article=""))
    await game.own(cmd.SetSoundAside(seat=Seat.WHITE, utterance="v", candidates=ways[1:]))
    question = belief_question(game.table.state)
    assert question is not None
    plies = (cmd.PlyBelieved(ply=1, uci="e2e4", confidence=0.9),)
    await game.own(cmd.NoteBelief(about=question.digest, plies=plies))


async def _periods(hall: Hall, pace: FastPace) -> None:
    """A table whose second period is added when a display comes to zero: one move each in 5 s, then a minute."""
    control = msgspec.structs.replace(TimeControl.parse("1/5:60"), add_at="zero")
    tactile, sighted = SeatPlan(SeatKind.TACTILE, "", "de"), SeatPlan(SeatKind.SIGHTED, "", "en")
    opening = cmd.OpenTable(white=tactile, black=sighted, control=control, start_fen=START_FEN)
    table = await hall.open_table(opening, PERIODS)
    for station in STATIONS:
        await table.admit(station)
    game = FullGame(hall, table, pace)
    await game.do("arbiter", cmd.RecordAdaptation(name="sighted_press_without_announcement", value="note"))
    await game.do("arbiter", cmd.StartGame())
    await _misheard(game)
    await game.do("white", cmd.Press())
    await game.do("black", cmd.Press())
    await pace.passes(6 * SECOND)
    await game.do("arbiter", cmd.CallFlag(seat=Seat.WHITE))
    await game.do("arbiter", cmd.BeginReconstruction(reason="nobody kept score"))
    for uci in ("e2e4", "e7e5", "g1f3"):
        await game.do("arbiter", cmd.ReconstructMove(uci=uci))
    await game.do("arbiter", cmd.UndoReconstruction())
    await game.do("arbiter", cmd.EndReconstruction(completed_plies=2, evidence="both players agree"))
    await game.do("arbiter", cmd.OpenDesk(reason="the boards differ"))
    placement = START_FEN.split()[0]
    await game.do("arbiter", cmd.ShowBoard(board=Seat.WHITE, placement=placement.replace("PPPPPPPP", "PPPP1PPP")))
    await game.do("white", cmd.WriteScore(index=1, text="e4"))
    await game.do("arbiter", cmd.TypeCell(seat=Seat.BLACK, ply=1, text="e4"))
    await game.do("arbiter", cmd.HearCell(seat=Seat.WHITE, ply=1))
    await game.do("arbiter", cmd.AcceptUnread(plies=(1, 2)))
    await game.do("arbiter", cmd.DecideDesk(kind="adjust", placement=placement, turn=Seat.WHITE, position_alone=True))
    await game.do("white", cmd.Confirm(yes=True))  # the pawn stands on e2 again
    await game.do("arbiter", cmd.ShowBoard(board=Seat.BLACK, placement=placement.replace("pppppppp", "pppp1ppp")))
    for board in Seat:
        await game.do("arbiter", cmd.ConfirmBoard(board=board))
    assert table.state.time.clock.white.period == 1 and table.state.time.clock.first_flag is None


async def _irregular(hall: Hall, pace: FastPace) -> None:
    """A rapid table on which everything goes wrong: touches, an unannounced press, an illegal move taken back."""
    tactile, sighted = SeatPlan(SeatKind.TACTILE, "", "de"), SeatPlan(SeatKind.SIGHTED, "", "en", hearing_impaired=True)
    table = await hall.open_table(
        cmd.OpenTable(white=tactile, black=sighted, control=TimeControl.parse("900+10"), start_fen=START_FEN), IRREGULAR
    )
    for station in STATIONS:
        await table.admit(station)
    game = FullGame(hall, table, pace)
    await game.do("arbiter", cmd.RecordAdaptation(name="sighted_press_without_announcement", value="clock_back"))
    await game.do("arbiter", cmd.RegisterDevice(device="headset", approved=True, seat=Seat.WHITE))
    await game.do("arbiter", cmd.RecordScoresheet(seat=Seat.BLACK, sheet=Scoresheet.STATION))
    await game.do("arbiter", cmd.StartGame())
    await game.do("arbiter", cmd.RuleSetUp(what="position"))
    await game.do("black", cmd.DemandTwoBoards())
    await game.do("arbiter", cmd.TickChecklist(item="orientation", seat=Seat.WHITE, note="seen"))
    await game.do("arbiter", cmd.ReportTouch(seat=Seat.WHITE, square="g1", how="lifted"))
    await game.do("arbiter", cmd.RuleTouch(number=1, counts=False, reason="brushed"))
    await game.own(cmd.ReportTouch(seat=Seat.WHITE, square="e2", how="lifted", origin="sensed"))
    await game.do("arbiter", cmd.OpenEvidence(reason="which pawn"))
    await game.white("Eva vier", 1)
    await game.do("black", cmd.Press(), ply=2)  # not a word: Black's clock goes back until Black speaks
    assert table.state.time.clock.running is Seat.BLACK
    await game.do("black", cmd.Say(announcement=Announcement(None, None, "e5")))
    assert table.state.time.clock.running is Seat.WHITE
    await game.do("white", cmd.OfferDraw())
    await game.do("black", cmd.Acknowledge())
    await game.do("white", cmd.AskForSheet())
    await game.white("Laeufer Hector sechs", 3)  # through White's own pawn
    heard = tuple(one.number for one in table.state.rulings.unsettled if one.alert.ply == 3)
    await game.do("arbiter", cmd.OpenIncident(numbers=heard))
    await game.do("arbiter", cmd.SettleIncident(numbers=heard, steps=(cmd.RestoreTo(ply=2),)))
    await game.do("arbiter", cmd.UndoIncident())
    await game.do("arbiter", cmd.RuleIrregularity(ply=3, seat=Seat.WHITE, kind="illegal"))
    await game.do("arbiter", cmd.RestoreTo(ply=2))
    await game.do("arbiter", cmd.DecideGap(gap="G1", decision="the clock went back"))
    await game.do("black", cmd.AskLaw(article="11.5"))
    await game.do("arbiter", cmd.ReleaseLaw(seat=Seat.BLACK, article="11.5"))
    await game.do("arbiter", cmd.SettleAlert(numbers=(1,), how="filed"))
    await game.do("observer", cmd.ReportToArbiter(kind="noise", text="a telephone"))
    await game.do("arbiter", cmd.NoteIncident(kind="noise", text="a telephone in the hall"))
    await game.do("arbiter", cmd.NoteDisturbance(text="a spectator called out a move", expelled=True))
    await game.do("arbiter", cmd.PermitLeaving(seat=Seat.BLACK))
    await game.do("arbiter", cmd.Penalise(seat=Seat.BLACK, penalty="less_time_for_offender", amount=60_000))
    await game.do("arbiter", cmd.SetClock(white_ms=200_000, black_ms=600_000, turn=Seat.WHITE, reason="7.1"))
    await game.do("arbiter", cmd.NoteAppeal(against="less time", seat=Seat.BLACK))
    await game.do("arbiter", cmd.Resume())
    await pace.passes(201 * SECOND)  # White's flag falls, and White has no entry of Black's move
    await game.own(cmd.NoteInstant())  # on a busy machine the table's own note may not have come yet
    await game.do("arbiter", cmd.LendScore(to=Seat.WHITE))
    await game.do("white", cmd.ReturnScore())
    await game.do("arbiter", cmd.SetClock(white_ms=200_000, black_ms=600_000, turn=Seat.WHITE, reason="7.1"))
    await game.do("arbiter", cmd.Pause(reason="seen"))
    await game.do("arbiter", cmd.Resume())
    await game.type("Remisreklamation")
    await game.type("ja")  # then the intended move, for the arbiter alone, and words for them
    await game.type("Springer Felix drei")
    await game.type("Springer Cesar drei")
    await game.do("arbiter", cmd.RuleClaim(ruling="wrong"))
    await game.do("white", cmd.Propose(what="resign"))
    await game.do("white", cmd.Confirm(yes=False))
    assert table.state.made_plies == 2 and table.state.scores.exempt == (0, None)


async def _chess960(hall: Hall, pace: FastPace) -> None:
    """A table of Chess960: castling is announced beforehand, and made on the first move."""
    plan, start = SeatPlan(SeatKind.SIGHTED, "", "en"), from_letters("RQBNNKRB")
    table = await hall.open_table(
        cmd.OpenTable(
            white=plan,
            black=plan,
            control=TimeControl.parse("900+10"),
            start_fen=start.fen,
            chess960=True,
            regulations=EventOptions(guidelines=("II",)),
        ),
        CHESS960,
    )
    for station in STATIONS:
        await table.admit(station)
    game = FullGame(hall, table, pace)
    await table.own(table.program_command(cmd.NoteRehearsal(outcome="done", passed=(1,))))
    await game.do("arbiter", cmd.DelayDisplay(delay_s=300))
    await game.do("arbiter", cmd.DelayDisplay(delay_s=0))
    await game.do("arbiter", cmd.ShowToSpectators(show=True, delay_s=900))
    await game.do("arbiter", cmd.LearnPressKeys(at="display"))
    await game.do("display", cmd.TellPressKeys(white="F13", black="F14"))
    await game.do("arbiter", cmd.StartGame())
    await game.do("white", cmd.AboutToCastle())
    await game.do("white", cmd.EnterMove(uci="f1g1"))
    await game.do("display", cmd.PressKey(key="F13"), ply=1)
    assert table.state.moves.white_board.position.placement.endswith("RQBNNRKB")
    await game.do("arbiter", cmd.CancelGame(reason="a bishop stood wrong"))
    while table.state.table.next_game is None or not table.state.table.next_game.open:
        await asyncio.sleep(0.01)


async def _training(hall: Hall, pace: FastPace) -> None:
    """A table for training: two knights can go there."""
    plan, start = SeatPlan(SeatKind.SIGHTED, "", "en"), "4k3/8/8/8/8/1N3N2/8/4K3 w - - 0 1"
    table = await hall.open_table(
        cmd.OpenTable(
            white=plan, black=plan, control=TimeControl.parse("900"), start_fen=start, rated=False, training=True
        ),
        TRAINING,
    )
    for station in STATIONS:
        await table.admit(station)
    game = FullGame(hall, table, pace)
    await game.do("arbiter", cmd.StartGame())
    await game.do("white", cmd.Say(announcement=Announcement(piece="knight", to_square="d2"), origin=Origin.ENTERED))
    await game.do("white", cmd.Explore(about="moves", square="f3"))
    await hall.revoke(table, "display", "it stood where the players see it")


async def _adjourned(hall: Hall, pace: FastPace) -> None:
    """A table that is adjourned three times: a sealed move opened, one that loses, an envelope that is missing."""
    plan, on = SeatPlan(SeatKind.SIGHTED, "", "en"), EventOptions(guidelines=("I",), default_time_s=900)
    for number, sealed in enumerate(("g1f3", "e1e3", "g1f3")):
        table = await hall.open_table(
            cmd.OpenTable(
                white=plan, black=plan, control=TimeControl.parse("5400"), start_fen=START_FEN, regulations=on
            ),
            f"{ADJOURNED}{number or ''}",
        )
        for station in STATIONS:
            await table.admit(station)
        game = FullGame(hall, table, pace)
        codes: list[SealCode] = []

        def keep(outgoing: Outgoing, codes: list[SealCode] = codes) -> None:
            if isinstance(outgoing, SealCode):
                codes.append(outgoing)

        table.attach("arbiter", 1_000, keep)
        await game.do("arbiter", cmd.StartGame())
        await game.do("arbiter", cmd.OrderSeal())
        await game.do("white", cmd.EnterMove(uci=sealed))
        await game.do("white", cmd.Press())
        await game.do("arbiter", cmd.PrepareResumption())
        await game.do("arbiter", cmd.StartResumption())
        await game.do("arbiter", cmd.MarkPresent(seat=Seat.BLACK))
        if number == 2:
            await game.do("arbiter", cmd.ReplaceEnvelope(uci=sealed))
            continue
        await game.do("arbiter", cmd.OpenEnvelope(code=codes[0].words))
        if number == 1:
            await game.do("arbiter", cmd.RuleSealed(lost=True))


async def _waiting(hall: Hall, pace: FastPace) -> None:
    """A table whose game starts at the appointed time without White, whose session ends, and whose time runs low."""
    plan = SeatPlan(SeatKind.SIGHTED, "", "en")
    control = TimeControl.parse("360")
    table = await hall.open_table(cmd.OpenTable(white=plan, black=plan, control=control, start_fen=START_FEN), WAITING)
    for station in STATIONS:
        await table.admit(station)
    game = FullGame(hall, table, pace)
    for name in ("machine_announces", "announcement_on_movers_time"):
        await game.do("arbiter", cmd.RecordAdaptation(name=name, value="on"))
    await game.do("arbiter", cmd.NotePresent(seat=Seat.BLACK))
    await game.do("arbiter", cmd.NoteSupervision(games=4))
    await game.do("arbiter", cmd.NoteDeviceFound(seat=Seat.BLACK, device="telephone"))
    await game.do("black", cmd.ReportLeaving())
    await game.do("arbiter", cmd.PermitVoiceActivity(seat=Seat.BLACK))
    await game.do("black", cmd.ChooseTalking(talking=Talking.VOICE))
    await game.do("black", cmd.AnswerRecording())
    await game.do("black", cmd.ChooseEar(read_back=ReadBack.TICK, speed=150))
    await game.do("arbiter", cmd.ChooseDevices(seat=Seat.BLACK, microphone="headset", headphones="headset"))
    await game.own(
        cmd.NoteDeviceFault(seat=Seat.BLACK, said=saying("as_written", text="The sound device cannot hear."))
    )
    await game.own(cmd.NoteFault(text="The buttons at the server cannot be read."))
    await game.own(cmd.NoteHandedOver(common_less_own_ms=0, uncertain_ms=2))
    await game.own(cmd.NoteTakenOver(own_less_run_ms=0, uncertain_ms=4))
    await game.own(cmd.NoteAnotherVoice(seat=Seat.WHITE, station="white", utterance="v"))
    await game.do("arbiter", cmd.AcceptVoice(seat=Seat.WHITE))
    await game.own(cmd.NoteMicrophoneLost(seat=Seat.BLACK, station="black"))
    await game.do("arbiter", cmd.AllowRoom(language="en"))
    await game.do("arbiter", cmd.ChooseAlerts(language="en"))
    cut = cmd.NoteCut(
        seat=Seat.BLACK, text="Turm", utterance="told-5e", heard_ms=40, length_ms=900, why="voice", again=True
    )
    await game.own(cut)
    await game.own(cmd.NoteHeadset(seat=Seat.BLACK, headset="black", stays_out=True, ours_dbfs=-61.5))
    await game.own(cmd.NoteVoice(seat=Seat.BLACK, profile="a4h8c3"))
    await game.do("arbiter", cmd.ScheduleStart(in_ms=5 * SECOND))
    await game.do("arbiter", cmd.StartSession(length_ms=30 * SECOND))
    await pace.passes(6 * SECOND)
    await game.do("helper", cmd.NotePresent(seat=Seat.WHITE))
    assert table.clock_runs and table.state.schedule.absent == (Seat.WHITE,)
    await game.do("arbiter", cmd.RuleAbsence(forfeit=False, reason="he lost his way"))
    await pace.passes(70 * SECOND)
    await game.do("arbiter", cmd.StartSession(length_ms=600 * SECOND))  # refused if the first one had not ended
    assert table.state.time.low_told == ((Seat.WHITE, 300),)


async def _waited(hall: Hall, pace: FastPace) -> None:
    table = hall.table(WAITING)
    assert table.state.schedule.session_due_ms is None and not table.clock_runs
    game = FullGame(hall, table, pace)
    await game.do("arbiter", cmd.SetMode(mode=Mode.RELAY))
    await game.do("arbiter", cmd.Resume())
    await game.own(cmd.NoteSpeaking(seat=Seat.BLACK, utterance="told", length_ms=3 * SECOND))
    await game.do("white", cmd.Press())
    await pace.passes(3 * SECOND)
    await game.do("arbiter", cmd.Pause(reason="seen"))
    assert table.state.time.clock.turn is Seat.BLACK and table.state.time.held is None
    await game.do("black", cmd.CallArbiter(reason="tired"))
    await game.do("arbiter", cmd.RuleStop(valid=False))
    await game.do("arbiter", cmd.SetClockMaster(clock_master=ClockMaster.MANUAL))
    await game.do("arbiter", cmd.ReadClock(white_ms=200_000, black_ms=210_000))


async def _unsupervised(hall: Hall, pace: FastPace) -> None:
    """A table without an arbiter: a claim under two minutes ends play, and the opponent verifies what stood (III.6)."""
    plan, alone = SeatPlan(SeatKind.SIGHTED, "", "en"), EventOptions(guidelines=("III",), unsupervised=True)
    control = TimeControl.parse("1800")
    table = await hall.open_table(
        cmd.OpenTable(white=plan, black=plan, control=control, start_fen=START_FEN, regulations=alone), UNSUPERVISED
    )
    for station in STATIONS:
        await table.admit(station)
    game = FullGame(hall, table, pace)
    await game.do("arbiter", cmd.SettleGuidelines(adjournments=True, quickplay=True, unsupervised=True))
    await game.do("arbiter", cmd.DescribePlayer(seat=Seat.BLACK, hearing_impaired=True, needs="a lamp"))
    await game.own(cmd.ChangePairing(white="", black="", board=4, starts="15:00", way="The second room."))
    here = OwnPairing(table=UNSUPERVISED, round="", board=4, seat=Seat.WHITE, opponent="", starts="15:00")
    await game.own(cmd.TellPairing(station="white", pairing=here))
    await game.do("arbiter", cmd.StartGame())
    await pace.passes(1_700 * SECOND)
    await game.do("white", cmd.Propose(what="claim_draw"))
    await game.do("white", cmd.Confirm(yes=False))
    await game.do("white", cmd.Confirm(yes=True))
    await game.do("black", cmd.VerifyPosition(agrees=True))
    await game.do("arbiter", cmd.RuleClaim(ruling="correct"))
    assert table.state.ending.result == "1/2-1/2"
    await game.do("arbiter", cmd.ReleaseReview())
