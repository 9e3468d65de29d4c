"""A bridge's messages: validated, doubled and overtaken ones dropped."""

from __future__ import annotations

import pytest

from server.boards.drivers.bridge import Bridge
from server.boards.event import ClockShown, Lifted, Link, Snapshot
from speech.complaint import Complaint


def test_what_a_bridge_may_say() -> None:
    bridge, events = Bridge().read(b'{"number":1,"occupied":"8000000000000001","clock":{"white_ms":5,"black_ms":6}}', 9)
    assert events == (Link(9, "up"), Snapshot(9, "x" + "." * 62 + "x"), ClockShown(9, 5, 6))
    bridge, events = bridge.read(b'{"number":1,"lifted":"e2"}', 10)
    assert events == ()
    bridge, events = bridge.read(b'{"number":2,"lifted":"e2","piece":"P"}', 11)
    assert events == (Link(11, "up"), Lifted(11, "e2", "P"))


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"[]",
        b'{"lifted":"e9"}',
        b'{"placement":"9/8"}',
        b'{"number":-1}',
        b'{"evil":1}',
        b"{" * 9_000,
        b'{"placement":"\xff"}',
    ],
)
def test_what_is_no_message_gets_one_sentence(text: bytes) -> None:
    with pytest.raises(Complaint) as told:
        Bridge().read(text, 1)
    assert str(told.value).count("\n") == 0 and len(str(told.value)) < 400
