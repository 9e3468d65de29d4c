"""The acts of the game: frozen commands, validated at the edge, and frozen events, one file a subject.

A command names its kind in the field `do`, an event in `event`. A voice never carries a UCI move: it carries an
`Announcement` (`Say`). Announced, made, completed, echoed and executed are five moments (1.3, D.2.3, 6.2.1, D.2.1),
each with its time and its origin. A board changes only by `BoardMoved` and `BoardSet`; a score only by `ScoreWritten`.

The room is imported as `cmd` where commands are meant and as `ev` where events are.
"""

# ruff: noqa: F403  (an act is found here because its class stands in a file of this room, and for no other reason)

from __future__ import annotations

from server.game.acts.adjournment import *
from server.game.acts.base import *
from server.game.acts.clock import *
from server.game.acts.command import *
from server.game.acts.conduct import *
from server.game.acts.desk import *
from server.game.acts.endings import *
from server.game.acts.moves import *
from server.game.acts.program import *
from server.game.acts.questions import *
from server.game.acts.rulings import *
from server.game.acts.schedule import *
from server.game.acts.scores import *
from server.game.acts.sound import *
from server.game.acts.stations import *
from server.game.acts.table import *
