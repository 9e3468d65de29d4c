"""The question whether a player can ever mate, answered soundly and within a budget of positions."""

from server.game.mating.answer import DEFAULT as DEFAULT
from server.game.mating.answer import Answer as Answer
from server.game.mating.answer import Budget as Budget
from server.game.mating.can_mate import can_ever_mate as can_ever_mate
from server.game.mating.can_mate import dead_position as dead_position
