"""A table of the pure core for tests: commands in, events out, every state checked against a replay at the end."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeVar

import chess
import msgspec
from msgspec.structs import replace

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import PROGRAM, Command, Refusal
from server.game.decide.decide import decide, noted_beside
from server.game.game import Game
from server.game.laws.event_options import EventOptions, rules_of
from server.game.mating import Answer, Budget, can_ever_mate
from server.game.state.apply import apply
from server.game.state.endings import MateQuestion
from server.game.state.line import PlyRecord
from server.game.state.state import GameState
from server.game.values.announcement import Announcement
from server.game.values.position import Position
from server.game.values.saying import Saying
from server.game.values.time_control import TimeControl
from server.game.values.words import ClockMaster, Duty, Mode, Origin, Role, Seat, SeatKind, SeatPlan, Station
from server.game.views import messages as msg
from server.game.views.view import view
from server.wording import details
from server.wording.pages import page_words
from server.wording.rules import load_adaptations, load_checklist, load_rule_set
from speech.words.catalogue import load_messages, places_of
from speech.words.messages import ONLY

edition = cache(load_rule_set)
CHECKLIST = load_checklist()
ADAPTATIONS = tuple(load_adaptations().values())


@cache
def searched(position: Position, seat: Seat) -> Answer:
    """Whether a side can ever mate, with a smaller budget than a server has."""
    return can_ever_mate(position, seat, Budget(nodes=10_000))


def altered(state: GameState, fields: Mapping[str, Any]) -> GameState:
    """The state with other values of these fields, each by its slice and its name: `draws.offer_by`."""
    for name, value in fields.items():
        of, _, field = name.partition(".")
        state = replace(state, **{of: replace(getattr(state, of), **{field: value}) if field else value})
    return state


def fields_of(state: GameState) -> dict[str, Any]:
    """Every field of a state, each by its slice and its name; what comes and goes as a whole by its name alone."""
    fields: dict[str, Any] = {}
    for name in state.__struct_fields__:
        of = getattr(state, name)
        if name in ("desk", "setting", "adjournment"):
            fields[name] = of
        else:
            fields |= {f"{name}.{field}": getattr(of, field) for field in of.__struct_fields__}
    return fields


E = TypeVar("E", bound=ev.Event)

PIECES = {"N": "knight", "B": "bishop", "R": "rook", "Q": "queen", "K": "king"}
SAN = re.compile(r"(?P<piece>[NBRQK]?)(?P<from>[a-h][1-8])?x?(?P<to>[a-h][1-8])(?:=(?P<promotion>[NBRQ]))?[+#]?")

APPENDIX_C = (
    "e4 e5 Nf3 Nf6 d4 exd4 e5 Ne4 Qxd4 d5 exd6 Nxd6 Bg5 Nc6 Qe3+ Be7 Nbd2 O-O O-O-O Re8 Kb1"  # the Laws' sample game
)


def said(text: str) -> Announcement:
    """An announcement from chess shorthand: `Nf3`, `Ng1f3`, `e4`, `e2e4`, `e8=Q`, `O-O`."""
    if text.startswith("O-O"):
        return Announcement(castling="long" if text.startswith("O-O-O") else "short")
    found = SAN.fullmatch(text)
    assert found is not None, text
    promotion: Any = PIECES.get(found["promotion"] or "")
    piece: Any = PIECES.get(found["piece"])
    return Announcement(piece, found["from"], found["to"], promotion)


def spoken_in(board: chess.Board, move: chess.Move) -> Announcement:
    """What a player says: the piece, the departure where two like pieces can arrive or a pawn captures, the arrival."""
    if board.is_castling(move):
        return Announcement(castling="short" if board.is_kingside_castling(move) else "long")
    kind = board.piece_type_at(move.from_square)
    assert kind is not None
    like = [
        s
        for s in board.pieces(kind, board.turn)
        if chess.Move(s, move.to_square, move.promotion) in board.pseudo_legal_moves
    ]
    piece: Any = None if kind == chess.PAWN else chess.piece_name(kind)
    promotion: Any = chess.piece_name(move.promotion) if move.promotion else None
    captures = kind == chess.PAWN and board.is_capture(move)
    departure = chess.square_name(move.from_square) if len(like) > 1 or captures else None
    if captures:
        piece = "pawn"
    return Announcement(piece, departure, chess.square_name(move.to_square), promotion)


# What the clock, the record, the rule set or a person said, and no recognised word: never grey.
FACTS = """
    adjusting_out_of_turn adjusting_presence adjustment_offered arrived bonus_unstated claim_on_display claim_wrong
    default_time_over device_found flag flag_called flags_called instants_void interrupted irregularity_claimed
    late_arrival late_at_resumption law_asked leaving loses low_time moved_before_completing nobody_came
    not_finished not_recorded nothing_sealed observer_report offer_out_of_place position_disputed press_without_move
    resigned result_differs scores_behind scoresheet sealed_lost sealed_out_of_time second_assistant session_over
    set_up_goes_on sheet_asked board_link fault microphone_lost sound_device press_keys_unknown start_held
    clock_wrong set_up_wrong stop_not_valid supervision time_claimed assistant_gone
    assistant_needed"""


# What an alert may be of and what may be refused: that for which the pages have words.
ALERTS = frozenset(key.removeprefix("alert.") for key in page_words("en") if key.startswith("alert."))
REASONS = frozenset(key.removeprefix("why.") for key in page_words("en") if key.startswith("why."))
CATALOGUE = load_messages("en").entries
REFUSALS = frozenset(key.removeprefix("refusal.") for key in CATALOGUE if key.startswith("refusal."))
ARTICLE = re.compile(r"(?:G?\d\d?|[A-D]|I{1,3})?(?:\.\d\d?)*|S-\d")  # as the Laws number them
AnyEvent: msgspec.json.Decoder[Any] = msgspec.json.Decoder(ev.AnyEvent)
AnyMessage: msgspec.json.Decoder[Any] = msgspec.json.Decoder(msg.AnyMessage)


def well_formed(one: msgspec.Struct, kind: msgspec.json.Decoder[Any]) -> bool:
    """Whether all of it may stand where it stands, as the record and the line read it."""
    return bool(kind.decode(msgspec.json.encode(one)) == one)


def in_english(event: ev.AnyEvent) -> ev.AnyEvent:
    """An event as the arbiter reads it: the English words stand where old records have them, in place of the saying."""
    if not isinstance(event, ev.Alerted | ev.MateAnswered | ev.MateAsked) or event.said is None:
        return event
    place = {ev.Alerted: "detail", ev.MateAnswered: "reason", ev.MateAsked: "note"}[type(event)]
    assert in_catalogue(event.said), event
    return msgspec.structs.replace(event, said=None, **{place: details.told_in(event.said, "en")})


def in_catalogue(said: Saying) -> bool:
    """Whether the catalogue has this sentence with just these places, and so for each saying in it."""
    known = CATALOGUE.get(f"detail.{said.key}")
    values = [one for value in said.values.values() for one in (value if isinstance(value, tuple) else (value,))]
    return (
        known is not None
        and places_of(known.forms[ONLY]) == set(said.values)
        and all(in_catalogue(one) for one in values if isinstance(one, Saying))
    )


class CoreTable:
    """One table: White tactile (station `white`), Black sighted (station `black`), an arbiter; `now` moves by hand."""

    def __init__(
        self,
        *,
        fen: str = chess.STARTING_FEN,
        control: str = "5400+30",
        white: SeatKind = SeatKind.TACTILE,
        black: SeatKind = SeatKind.SIGHTED,
        stations: tuple[Seat, ...] = (Seat.WHITE, Seat.BLACK),
        master: ClockMaster = ClockMaster.SERVER,
        started: bool = True,
        rule_set: str = "fide2023",
        regulations: EventOptions | None = None,
        answered: bool = True,
        chess960: bool = False,
        mates: bool = True,
    ) -> None:
        self.state = GameState()
        self.events: list[ev.AnyEvent] = []
        self.now = 1_000
        self.mates = mates  # questions whether a side can ever mate are answered at once
        self._count = 0
        self.own(
            cmd.OpenTable(
                white=SeatPlan(white),
                black=SeatPlan(black),
                control=TimeControl.parse(control),
                start_fen=fen,
                chess960=chess960,
                clock_master=master,
                rule_set=rule_set,
                regulations=regulations,
                rules=rules_of(edition(rule_set), regulations or EventOptions()),
                adaptations=ADAPTATIONS,
                checklist=CHECKLIST,
            )
        )
        for seat in stations:
            self.own(cmd.Admit(station=seat.value, role=Role.PLAYER, seat=seat))
        self.own(cmd.Admit(station="arbiter", role=Role.ARBITER))
        if answered:  # the question that the arbiter cannot skip (G1)
            self.adapt("sighted_press_without_announcement", "ignore")
        if started:
            self.done("arbiter", cmd.StartGame())

    def adapt(self, name: str, value: str = "on", *, approved: bool = True) -> None:
        """The arbiter records an adaptation under D.1."""
        self.done("arbiter", cmd.RecordAdaptation(name=name, value=value, approved=approved))

    def assistant(self, seat: Seat, *duties: Duty) -> str:
        """Admit an assistant of a seat; its station's name."""
        self.own(cmd.Admit(station=f"assistant-{seat.value}", role=Role.ASSISTANT, seat=seat, duties=duties))
        return f"assistant-{seat.value}"

    def do(self, station: str, body: cmd.AnyAct, about: int | None = None) -> tuple[ev.AnyEvent, ...] | Refusal:
        """Give a command as a station; its events, or the refusal."""
        self._count += 1
        command = Command(id=f"{self._count:032x}", table="t", station=station, body=body, about_ply=about)
        decided = self._decided(command)
        while self.mates and not isinstance(decided, Refusal) and self.state.ending.mate_questions:
            body = self.mate_answer(self.state.ending.mate_questions[0])
            more = self._decided(msgspec.structs.replace(command, station=PROGRAM, body=body))
            assert not isinstance(more, Refusal), more
            decided = (*decided, *more)
        return decided

    def _decided(self, command: Command) -> tuple[ev.AnyEvent, ...] | Refusal:
        decided = decide(self.state, command, self.now)
        if isinstance(decided, Refusal):
            assert decided.code in REFUSALS and ARTICLE.fullmatch(decided.article), decided
            beside = noted_beside(self.state, command, decided, self.now)
            assert not any(self._hears(event, one) for one in self.state.stations.admitted for event in beside)
            for event in beside:
                self.state = apply(self.state, event)
                self.events.append(event)
            return decided
        as_read = tuple(map(in_english, decided))
        for event, read in zip(decided, as_read, strict=True):
            # An alert is kept until it is settled: in the words in which it is replayed here.
            self.state = apply(self.state, read if isinstance(event, ev.Alerted) else event)
            self.events.append(event if isinstance(event, ev.MateAsked) else read)  # to be replayed
            assert well_formed(event, AnyEvent), event
            article, reason = getattr(event, "article", ""), getattr(event, "reason", "") or ""
            assert ARTICLE.fullmatch(article) or article == getattr(command.body, "article", None), event
            given = {getattr(command.body, name, "") for name in ("reason", "note", "text")}
            known = ARTICLE.fullmatch(reason) or re.sub(r"\W+", "_", reason.lower()).strip("_") in REASONS
            assert known or reason in given, event
            if isinstance(event, ev.Alerted):
                assert event.kind in ALERTS and not (event.grey and event.kind in FACTS.split()), event
            for station in self.state.stations.admitted:
                seen = view(event, self.state, station) if station.role is not Role.ARBITER else None
                assert seen is None or well_formed(seen, AnyMessage), (station, seen)
        return as_read

    def _hears(self, event: ev.AnyEvent, station: Station) -> bool:
        return station.role is not Role.ARBITER and view(event, self.state, station) is not None

    def mate_answer(self, question: MateQuestion) -> cmd.NoteMateAnswer:
        """What the search beside the table finds."""
        answer = Answer("unknown") if question.position is None else searched(question.position, question.seat)
        return cmd.NoteMateAnswer(
            number=question.number, verdict=answer.verdict, witness=answer.witness, said=answer.said
        )

    def done(self, station: str, body: cmd.AnyAct, about: int | None = None) -> tuple[ev.AnyEvent, ...]:
        """Give a command that must not be refused."""
        events = self.do(station, body, about)
        assert not isinstance(events, Refusal), events
        return events

    def own(self, body: cmd.AnyAct) -> tuple[ev.AnyEvent, ...]:
        """A command of the program."""
        return self.done(PROGRAM, body)

    def wait(self, ms: int) -> None:
        """Time goes by."""
        self.now += ms

    def say(self, station: str, text: str, **more: Any) -> tuple[ev.AnyEvent, ...]:
        """A station's player says something in chess shorthand."""
        origin = more.pop("origin", Origin.HEARD)
        return self.done(station, cmd.Say(announcement=said(text), words=(text,), text=text, origin=origin, **more))

    def mumble(self, station: str, utterance: str, **more: Any) -> tuple[ev.AnyEvent, ...]:
        """A sound that is not understood."""
        return self.done(station, cmd.Say(announcement=None, utterance=utterance, origin=Origin.HEARD, **more))

    def press(self, station: str, about: int | None = None) -> tuple[ev.AnyEvent, ...]:
        """A press: never refused."""
        return self.done(station, cmd.Press(), about)

    def enter(self, station: str, uci: str, text: str | None = None) -> tuple[ev.AnyEvent, ...]:
        """A move entered at a station; what the server fills in is filled in here from the player's own board."""
        seat = self.state.stations.find(station)
        assert seat is not None and seat.seat is not None
        spoken = said(text) if text else Announcement(from_square=uci[:2], to_square=uci[2:4])
        return self.done(station, cmd.EnterMove(uci=uci, announcement=spoken, words=(uci,), text=text or uci))

    def ply(self, index: int) -> PlyRecord:
        """The record of a ply that must be there."""
        record = self.state.ply(index)
        assert record is not None, f"nothing is known of ply {index}"
        return record

    def placement(self, seat: Seat) -> str:
        """What stands on a seat's own board."""
        return self.state.board_of(seat).position.placement

    def score(self, seat: Seat) -> list[str]:
        """A seat's score as texts; "" where a cell has none."""
        return [cell.text if cell else "" for cell in self.state.scores.of(seat)]

    def mode(self, mode: Mode) -> None:
        """The arbiter switches the mode, with the approval recorded where it is needed."""
        if mode is Mode.RELAY:
            self.done("arbiter", cmd.RecordAdaptation(name="machine_announces", value="on"))
        self.done("arbiter", cmd.SetMode(mode=mode))


def only(events: tuple[ev.AnyEvent, ...] | list[ev.AnyEvent], kind: type[E]) -> list[E]:
    """The events of one kind."""
    return [event for event in events if isinstance(event, kind)]


def kinds(events: tuple[ev.AnyEvent, ...], without: Callable[[ev.AnyEvent], bool] = lambda _: False) -> list[str]:
    """The names of the events in order."""
    return [type(event).__name__ for event in events if not without(event)]


def play(table: CoreTable, moves: str, wait: int = 0) -> None:
    """Both players announce and press, in turn, each after this time; nobody repeats anything."""
    for text in moves.split():
        station = table.state.on_move.value
        table.wait(wait)
        table.say(station, text, act="announce")
        table.press(station)


def played(*moves: str, **options: Any) -> CoreTable:
    """A table at which these moves were announced and pressed, in turn."""
    table = CoreTable(**options)
    play(table, " ".join(moves))
    return table


def alerts(table: CoreTable, kind: str) -> list[ev.Alerted]:
    """All that the arbiter has been told of this kind."""
    return [alert for alert in only(table.events, ev.Alerted) if alert.kind == kind]


def told(table: CoreTable, seat: Seat, since: int = 0) -> list[msg.AnyMessage]:
    """Everything that reached a player's own station after so many events."""
    station = Station(seat.value, Role.PLAYER, seat)
    seen = [(event, Game.replay(table.events[:number])) for number, event in enumerate(table.events, 1)][since:]
    return [message for event, state in seen if (message := view(event, state, station)) is not None]


def refused(decided: tuple[ev.AnyEvent, ...] | Refusal, code: str, article: str) -> None:
    """A command must have been refused by this article."""
    assert decided == Refusal(code, article)


def noted(table: CoreTable, ms: int) -> tuple[ev.AnyEvent, ...]:
    """What the program notes so much later, all that is due by then; what is said of scores apart."""
    table.wait(ms)
    events = table.own(cmd.NoteInstant())
    about_scores = (ev.ScoreDue, ev.RecordingExempted)
    return tuple(
        one
        for one in events
        if not isinstance(one, about_scores) and not (isinstance(one, ev.Alerted) and one.kind == "scores_behind")
    )
