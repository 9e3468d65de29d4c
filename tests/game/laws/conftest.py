"""The rule sets as the program ships them."""

from __future__ import annotations

import pytest

from server.game.laws.rule_set import RuleSet
from tests.game.laws.all_rules import Rules, load_rules


@pytest.fixture(scope="session")
def rules() -> Rules:
    return load_rules()


@pytest.fixture(scope="session")
def fide2023(rules: Rules) -> RuleSet:
    return rules.rule_sets["fide2023"]


@pytest.fixture(scope="session")
def fide2018(rules: Rules) -> RuleSet:
    return rules.rule_sets["fide2018"]


@pytest.fixture(scope="session")
def short(rules: Rules) -> RuleSet:
    return rules.rule_sets["short"]


@pytest.fixture(scope="session")
def fide2017h2(rules: Rules) -> RuleSet:
    return rules.rule_sets["fide2017h2"]
