"""Decisions of the arbiter: irregularities, conduct, the desk, adjournment."""
