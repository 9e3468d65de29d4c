"""This folder decides about time: the next instant, the clocks, the schedule of the round."""
