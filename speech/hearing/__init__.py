"""Several recognisers put together into one verdict."""
