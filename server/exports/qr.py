"""An address becomes a QR code, for the terminal as text and for a page as SVG.

The SVG has no style attribute, because the pages' policy forbids those.
"""

from __future__ import annotations

import io

import segno


def qr_text(url: str) -> str:
    """Return the QR code of `url` as lines of half-block characters, without a final newline.

    Raises:
        ValueError: the text is empty or too long for a QR code.
    """
    if not url:
        raise ValueError("nothing to show as a QR code")
    try:
        code = segno.make(url, micro=False, error="m")
    except segno.DataOverflowError as wrong:
        raise ValueError("the address is too long for a QR code") from wrong
    text = io.StringIO()
    code.terminal(text, compact=True)
    return text.getvalue().rstrip("\n")


def qr_svg(url: str) -> str:
    """Return the QR code as one <svg> element: dark modules on white, a quiet zone of four modules."""
    code = segno.make(url, micro=False, error="m")
    out = io.BytesIO()
    code.save(out, kind="svg", xmldecl=False, svgclass="qr", lineclass=None, light="#fff", border=4, omitsize=True)
    return out.getvalue().decode()
