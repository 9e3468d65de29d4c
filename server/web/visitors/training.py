"""GET /api/training and what lies below it are the exercises of the training page, for a player alone.

A task is a function of its kind, a seed and a number, which the page chooses; nothing of it is kept here. The progress
is the private file that `anna-eins train` writes too, under the name of the player at whose seat the device is; for any
other device none is kept. A device of a player or an assistant is refused while its rated game is not over (11.3.1).
"""

from __future__ import annotations

import asyncio
import re
from typing import Annotated, Any, NamedTuple

import chess
import msgspec
from aiohttp import web

from server.game.exercises import KINDS, Kind, Progress, Reply, Task, mating_moves, task_of, with_task
from server.game.values.words import Seat
from server.hall.hall import Hall
from server.stations.practice import (
    PracticeFile,
    answer_heard,
    judge_answer,
    load_endings,
    reply_typed,
    scores_told,
    task_in_words,
    to_say,
)
from server.web.api.spectators import BROADCASTING, PLAYERS, Turnstile
from server.web.door.access import AccessDenied
from server.web.door.answers import body_of, json_answer
from server.web.door.cookies import admissions_of
from server.web.door.guards import language_of_reader
from server.web.keys import HALL
from server.web.visitors.ears import VISITORS_EARS
from server.wording.words import changes_of, scheme_of, text_in
from speech.announcements.cells import pages
from speech.complaint import Phrase
from speech.words.config_file import language_tags
from speech.words.scheme import Scheme

ASKED_BY_ONE, ASKED_BY_ALL = 60, 1_000
"""How often one address, and all together, may ask for something in a window of ten seconds."""
LONGEST_ANSWER = 60
SEED = re.compile(r"[0-9a-z]{1,32}")
MOST_TASKS = 100_000


class Practice:
    """Parts that the training pages of all devices share: the positions, the turnstile and the files of progress."""

    def __init__(self, hall: Hall) -> None:
        self.visits = Turnstile(hall, ASKED_BY_ONE, ASKED_BY_ALL)
        self.positions = load_endings()
        self._hall = hall
        self._one_at_a_time = asyncio.Lock()

    def file_of(self, name: str) -> PracticeFile:
        """Return the file with a player's progress."""
        return PracticeFile(self._hall.data, name, self._hall.box)

    async def progress(self, name: str) -> Progress:
        """Return a player's progress. Raises Complaint where its file cannot be read."""
        return await asyncio.to_thread(self.file_of(name).read)

    async def note(self, name: str, kind: Kind, *, right: bool) -> Progress:
        """Count one more task, and return the progress then. Raises Complaint: the file cannot be read or written."""
        file = self.file_of(name)
        async with self._one_at_a_time:
            progress = with_task(await asyncio.to_thread(file.read), kind, right=right)
            await asyncio.to_thread(file.write, progress)
        return progress


PRACTICE = web.AppKey("PRACTICE", Practice)


class _Visit(NamedTuple):
    practice: Practice
    scheme: Scheme
    name: str


def _visit(request: web.Request) -> _Visit:
    """Let a device in, and count it. Raises AccessDenied as `_let_in` does, and for too many requests."""
    request.app[PRACTICE].visits.count(request.remote or "")
    return _let_in(request)


def _let_in(request: web.Request) -> _Visit:
    """Let a device in.

    Whoever has waited for a body is looked at again: their game may have begun meanwhile. Raises AccessDenied for the
    device of a rated game that is not over. How a game stands that another server of the hall leads is not known here:
    its devices are refused.
    """
    practice, hall = request.app[PRACTICE], request.app[HALL]
    wanted = request.query.get("language", "")
    language = wanted if wanted in language_tags() else language_of_reader(request)
    name, scheme = "", scheme_of("d21", language)
    for _, one in admissions_of(request):
        if one.role not in PLAYERS or not hall.has(one.table):
            continue
        if one.table not in hall.tables:
            raise AccessDenied("training_not_now", 403, Phrase("training_not_now"))
        state = hall.tables[one.table].state
        if state.table.rated and not state.over:
            raise AccessDenied("training_not_now", 403, Phrase("training_not_now"))
        if one.role != "assistant" and not name:
            plan = state.plan(Seat(one.seat))
            name, scheme = plan.name, scheme_of(plan.scheme, language, changes_of(state))
    return _Visit(practice, scheme, name)


def _task(request: web.Request, practice: Practice) -> Task:
    """Return the task that an address names. Raises AccessDenied where it names none."""
    kind, seed, number = (request.query.get(key, "") for key in ("kind", "seed", "number"))
    named = next((one for one in KINDS if one == kind), None)
    if named is None or not SEED.fullmatch(seed) or not re.fullmatch(r"[0-9]{1,5}", number):
        raise AccessDenied("not_so_asked", 400, Phrase("not_so_asked"))
    return task_of(named, seed, int(number), practice.positions)


async def overview(request: web.Request) -> web.Response:
    """GET /api/training: name the kinds of tasks, whose progress is kept, and how it is.

    Raises AccessDenied, Complaint.
    """
    practice, scheme, name = _visit(request)
    kinds = [[kind, scheme.messages.text(f"exercise.{kind}")] for kind in KINDS]
    progress = await practice.progress(name) if name else Progress()
    return json_answer({"kinds": kinds, "name": name, "scores": scores_told(progress, scheme)})


async def task(request: web.Request) -> web.Response:
    """GET /api/training/task: put a task, as text, in lines of forty cells, and how it is answered by voice.

    Raises AccessDenied.
    """
    practice, scheme, _ = _visit(request)
    found = _task(request, practice)
    text = task_in_words(found, scheme)
    lines = [line for part in text.split("\n") for line in pages(part)]
    return json_answer({"text": text, "lines": lines, "hint": _hint(found, scheme)})


def _hint(task: Task, scheme: Scheme) -> str:
    """Return how a task is answered by voice, in the player's words."""
    kind = task.kind if task.kind in ("names", "colours", "reading") else "move"
    words = {name: scheme.text(f"cmd.{name}") for name in ("yes", "no", "repeat", "stop")}
    words |= {"next": scheme.text("cmd.score_next"), "example": text_in(scheme.square("a4"), scheme)}
    texts = (scheme.messages.text(key, **words) for key in (f"exercise.by_voice_{kind}", "exercise.by_voice_aside"))
    return " ".join(texts)


class Answered(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Answer as it was typed, or as it was understood."""

    text: Annotated[str, msgspec.Meta(max_length=LONGEST_ANSWER)]


async def post_answer(request: web.Request) -> web.Response:
    """POST /api/training/answer: judge an answer, and count it where the progress is kept.

    Raises AccessDenied, Complaint. With it comes the position of the task and, of an ending, the squares of a mating
    move.
    """
    practice, _, _ = _visit(request)
    found, given = _task(request, practice), await body_of(request, Answered)
    practice, scheme, name = _let_in(request)
    right, told = judge_answer(found, given.text, scheme)
    progress = await practice.note(name, found.kind, right=right) if name else Progress()
    squares: list[str] = []
    if found.kind == "endings":
        move = chess.Move.from_uci(mating_moves(found.fen)[0])
        squares = [chess.square_name(move.from_square), chess.square_name(move.to_square)]
    shown: dict[str, Any] = {"right": right, "text": told, "scores": scores_told(progress, scheme)}
    return json_answer(shown | {"placement": found.fen.partition(" ")[0], "squares": squares})


async def hear_answer(request: web.Request) -> web.Response:
    """POST /api/training/heard: understand an answer that was said; its sound is kept nowhere. Raises AccessDenied.

    `text`: the answer as it could be typed; `sure`: it may be taken at once; `aside`: something else was asked for.
    """
    practice, scheme, _ = _visit(request)
    found = _task(request, practice)
    verdict = await request.app[VISITORS_EARS].hear(request, scheme)
    _let_in(request)
    said = answer_heard(found, verdict.heard, verdict.verdict, scheme)
    return json_answer(
        {"text": said.text, "sure": said.sure, "aside": said.aside, "told": _echo(said.text, scheme, sure=said.sure)}
    )


def _echo(text: str, scheme: Scheme, *, sure: bool) -> str:
    """Return the words heard, as they are told to the player."""
    if not text:
        return scheme.messages.text("exercise.unheard")
    key = "exercise.heard" if sure else "exercise.heard_sure"
    return scheme.messages.text(key, words=text, **({} if sure else {"yes": scheme.text("cmd.yes")}))


async def get_training_sound(request: web.Request) -> web.Response:
    """GET /api/training/sound: say as MP3 the task, what an answer brings, or what was heard.

    `what`: "task"; "answer", with `text` and, where it was said, `echo`; "unsure", what is read back. What answers no
    such task is never said back. Answers with status 204 where no voice can. Raises AccessDenied.
    """
    practice, scheme, _ = _visit(request)
    found, broadcasting = _task(request, practice), request.app[BROADCASTING]
    broadcasting.spoken.count(request.remote or "")
    given, what = request.query.get("text", "")[:LONGEST_ANSWER], request.query.get("what", "task")
    known = given if reply_typed(found, given, scheme) != Reply() else ""
    if what == "task":
        text = task_in_words(found, scheme)
    elif what == "answer":
        echo = _echo(known, scheme, sure=True) if request.query.get("echo") and known else ""
        text = f"{echo} {judge_answer(found, given, scheme)[1]}".strip()
    else:
        text = _echo(known, scheme, sure=False)
    made = await broadcasting.sound((text, to_say(text, scheme)), scheme.language)
    return web.Response(status=204) if made is None else web.Response(body=made, content_type="audio/mpeg")
