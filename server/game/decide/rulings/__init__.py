"""What the arbiter decides: irregularities, conduct, the desk, adjournment."""
