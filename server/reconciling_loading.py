"""Reading the settings of the reconciliation desk, `config/reconciling`, once, at wiring."""

from __future__ import annotations

from functools import lru_cache

from server.scoresheets.explaining import ExplainingCosts
from server.scoresheets.slips import SlipCosts
from speech.settings_file import read_settings


@lru_cache(maxsize=1)
def load_explaining_costs() -> ExplainingCosts:
    """`config/reconciling/explaining.toml`. Raises Complaint where it is missing or wrong."""
    return read_settings("reconciling/explaining.toml", ExplainingCosts)


@lru_cache(maxsize=1)
def load_slip_costs() -> SlipCosts:
    """`config/reconciling/slips.toml`. Raises Complaint where it is missing or wrong."""
    return read_settings("reconciling/slips.toml", SlipCosts)
