"""Several recognisers are put together into one verdict."""
