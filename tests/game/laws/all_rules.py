"""All that `config/rules` says about the Laws, read at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources.abc import Traversable

from server.game.laws.adaptations import Adaptation, ChecklistItem
from server.game.laws.penalties import Penalty
from server.game.laws.rule_set import RuleSet
from server.wording.rules import editions, load_adaptations, load_checklist, load_penalties, load_rule_set


@dataclass(frozen=True)
class Rules:
    """The rule sets by name, the adaptations by name, the penalties and the checklist."""

    rule_sets: Mapping[str, RuleSet]
    adaptations: Mapping[str, Adaptation]
    penalties: tuple[Penalty, ...]
    checklist: tuple[ChecklistItem, ...]


def load_rules(root: Traversable | None = None) -> Rules:
    """Read every file; raises Complaint naming the file and the key path."""
    rule_sets = {name: load_rule_set(name, root) for name in editions(root)}
    return Rules(rule_sets, load_adaptations(root), load_penalties(root), load_checklist(root))
