"""This package puts several recognisers together into one verdict."""
