"""Can a player ever mate? Sound answers within a budget counted in positions."""

from server.play.mating.answer import DEFAULT as DEFAULT
from server.play.mating.answer import Answer as Answer
from server.play.mating.answer import Budget as Budget
from server.play.mating.ever import can_ever_mate as can_ever_mate
from server.play.mating.ever import dead_position as dead_position
