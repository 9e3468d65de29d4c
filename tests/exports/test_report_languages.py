"""A table's report in six languages: its own words and those of the pages, no word of another one."""

from __future__ import annotations

import re
from pathlib import Path

from server.exports.exports import report_from
from server.game import acts as cmd
from server.game.values.words import Seat
from speech.words.messages import FIRST_STRONG
from tests.table.open_hall import played

FOREIGN_SCRIPT = ("ar", "he", "hy")
LATIN = re.compile(r"[A-Za-zÄÖÜäöüß]{2,}")
DIGEST = re.compile(r"\b[0-9a-f]{64}\b")
OWN_NAMES = {"FIDE", "white", "black", "arbiter", "display", "Anna", "Eins", "UTC", "SHA"}  # names of stations too


async def test_the_report_has_no_word_of_another_language(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        await game.done("arbiter", cmd.RecordAdaptation(name="position_readout", value="on"))
        await game.done("arbiter", cmd.NoteIncident(kind="noise", text="1", seat=None))
        await game.done("arbiter", cmd.Penalise(seat=Seat.WHITE, penalty="warning", reason="2"))
        await game.done("arbiter", cmd.RuleResult(result="1-0", reason="forfeit", article="6.7.1"))
        envelopes = await game.hall.journal.read("t1")
    for tag in FOREIGN_SCRIPT:
        text = report_from(envelopes, "t1", tag).decode()
        found = set(LATIN.findall(DIGEST.sub("", text))) - OWN_NAMES
        assert found == set(), tag
        if tag != "hy":
            assert f"{FIRST_STRONG}1-0" in text, "a bare result would be turned round after Arabic letters"
    hungarian = report_from(envelopes, "t1", "hu").decode()
    assert "Remis" not in hungarian and "zaj" in hungarian
    assert b"noise" in report_from(envelopes, "t1", "xx"), "English where there is no such language"
