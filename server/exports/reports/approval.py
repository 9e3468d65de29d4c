"""The test before the arbiter approves the device (D.1): its steps, what came of each, and the sheet to sign.

The steps are data (`config/rules/approval.toml`). What came of them is evidence (`evidence.py`) and a sheet, which says
as well what is not certified (`sheet.py`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import UTC, tzinfo
from functools import cache
from importlib.resources.abc import Traversable
from typing import Annotated, Literal

import msgspec

from server.exports.reports.report import report_words, text_in_line, time_of_day
from server.exports.reports.sheet import Part, ReportSheet
from server.machine.clock_check import ClockCheck
from server.wording.rules import texts_of_rules
from speech.words.catalogue import known_tag, load_messages
from speech.words.config_file import read_settings
from speech.words.loading import load_language

Came = Literal["passed", "failed", "not_tested"]
CAME: tuple[Came, ...] = ("passed", "failed", "not_tested")
LONGEST_NOTE = 400
NOT_CERTIFIED = ("clock", "score", "assistant", "scope", "hand")
Note = Annotated[str, msgspec.Meta(max_length=LONGEST_NOTE)]


class _StepEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing to try, as `config/rules/approval.toml` has it.

    `kind`: the program measures the clock for `minutes`, plays all announcements or all sentences, or a person does it.
    `limit_ms`: by how much the clock may differ from its reference.
    """

    article: str
    kind: Literal["clock", "moves", "sentences", "do"]
    minutes: Annotated[int, msgspec.Meta(ge=1, le=1_440)] = 60
    limit_ms: Annotated[int, msgspec.Meta(ge=1, le=60_000)] = 1_000


class ApprovalStep(_StepEntry, frozen=True, kw_only=True):
    """One thing to try, with its words in each language."""

    text: Mapping[str, str]


class StepOutcome(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Result of one step: `wall_ms` when, `note` what the person wrote, `clock` what was measured."""

    step: str
    came: Came
    note: Note = ""
    wall_ms: int = 0
    clock: ClockCheck | None = None


class Approval(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Test of a device, begun or done, as it is kept and as it is signed.

    `steps`: the SHA-256 of the steps as they were asked, so that it is known which protocol was followed. `ended_ms`: 0
    while it is going on.
    """

    form: Literal[1] = 1
    program: str
    system: str
    language: str
    event: Note
    arbiter: Note
    began_ms: int
    steps: str
    outcomes: tuple[StepOutcome, ...] = ()
    ended_ms: int = 0
    not_certified: tuple[str, ...] = ()

    def of(self, step: str) -> StepOutcome | None:
        """Return the result of a step; None where it was not asked yet."""
        return next((one for one in self.outcomes if one.step == step), None)

    def with_outcome(self, outcome: StepOutcome) -> Approval:
        """Return the test with what came of one more step."""
        return msgspec.structs.replace(self, outcomes=(*self.outcomes, outcome))


@cache
def load_steps(root: Traversable | None = None) -> Mapping[str, ApprovalStep]:
    """Read `config/rules/approval.toml`: name -> step, in order. Raises Complaint naming the file and the key path."""
    entries = read_settings("rules/approval.toml", dict[str, _StepEntry], root)
    texts = texts_of_rules("approval", entries, root)
    return {name: ApprovalStep(**msgspec.structs.asdict(one), text=dict(texts[name])) for name, one in entries.items()}


def digest_of_steps(steps: Mapping[str, ApprovalStep]) -> str:
    """Return the SHA-256 of the steps with all their words."""
    return hashlib.sha256(msgspec.json.encode(steps)).hexdigest()


def with_outcomes(approval: Approval, steps: Mapping[str, ApprovalStep], wall_ms: int) -> Approval:
    """Return the test as it is signed: a step that was not asked is not tested, and what is not certified is said."""
    left = (StepOutcome(step=name, came="not_tested", wall_ms=wall_ms) for name in steps if approval.of(name) is None)
    words = load_messages(known_tag(approval.language), part="approval")
    return msgspec.structs.replace(
        approval,
        outcomes=(*approval.outcomes, *left),
        ended_ms=wall_ms,
        not_certified=tuple(words.text(f"not_certified.{name}") for name in NOT_CERTIFIED),
    )


def measured_in_words(check: ClockCheck, language: str) -> str:
    """Return the measurement of the clock, in one sentence."""
    words = load_messages(known_tag(language), part="approval")
    return words.text(
        f"lead.measured_{check.reference}",
        reference=check.reference_ms,
        measured=check.measured_ms,
        difference=check.difference_ms,
        limit=check.limit_ms,
    )


def sheet_of_approval(
    approval: Approval, steps: Mapping[str, ApprovalStep], digest: str, key: str, zone: tzinfo | None = UTC
) -> ReportSheet:
    """Return the sheet to print and sign.

    `digest`: the SHA-256 of the file of evidence. `zone`: whose times of day; None is this machine's.
    """
    language = known_tag(approval.language)
    words, report = load_messages(language, part="approval"), report_words(language)

    def line(outcome: StepOutcome) -> str:
        step = steps.get(outcome.step)
        text = step.text[language] if step is not None else outcome.step
        if step is not None:
            text = f"{text} ({text_in_line(step.article, language)})"
        said = words.text("sheet.line", step=text, came=words.text(f"came.{outcome.came}"))
        parts = (said, measured_in_words(outcome.clock, language) if outcome.clock else "", outcome.note)
        return " – ".join(text_in_line(part, language) for part in parts if part)

    def of(came: Came) -> Sequence[StepOutcome]:
        return [one for one in approval.outcomes if one.came == came]

    times = (time_of_day(approval.began_ms, zone), time_of_day(approval.ended_ms, zone))
    about = (
        words.text("sheet.event", event=text_in_line(approval.event or "–", language)),
        words.text("sheet.when", began=text_in_line(times[0], language), end=text_in_line(times[1], language)),
        words.text("sheet.machine", system=text_in_line(approval.system, language)),
        words.text("sheet.counts", **{came: len(of(came)) for came in CAME}),
    )
    record = (
        words.text("sheet.digest", sha256=digest),
        words.text("sheet.key", key=key),
        words.text("sheet.protocol", sha256=approval.steps),
        report["word.made"].format(text_in_line(approval.program, language)),
    )
    arbiter = report["word.arbiter"]
    return ReportSheet(
        title=words.text("sheet.title"),
        language=language,
        direction=load_language(language).direction,
        about=about,
        parts=(
            Part(words.text("sheet.steps"), tuple(map(line, approval.outcomes))),
            Part(words.text("sheet.not_certified"), approval.not_certified),
        ),
        signatures=report["word.signatures"],
        signers=(f"{arbiter}, {approval.arbiter}" if approval.arbiter else arbiter,),
        remark=report["word.remark"],
        record=Part(words.text("sheet.file"), record),
    )
