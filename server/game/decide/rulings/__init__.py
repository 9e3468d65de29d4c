"""This folder holds what the arbiter decides: irregularities, conduct, the desk, adjournment."""
