"""In this run alone: the C library of wine 10 has no `cexp`, so numpy's exp of complex numbers is put together.

The runner copies this file into the environment as its `sitecustomize`.
"""

from __future__ import annotations

from typing import Any

import numpy

_exp: Any = numpy.exp


def exp(x: Any, *args: Any, **more: Any) -> Any:
    """Give numpy's exp; for complex numbers by their parts."""
    given = numpy.asarray(x)
    if numpy.iscomplexobj(given) and not args and not more:
        return _exp(given.real) * (numpy.cos(given.imag) + 1j * numpy.sin(given.imag))
    return _exp(x, *args, **more)


numpy.exp = exp  # type: ignore[assignment]
