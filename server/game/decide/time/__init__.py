"""Time: the next instant, the clocks, the schedule of the round."""
