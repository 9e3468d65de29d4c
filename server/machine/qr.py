"""An address as a QR code for the terminal.

An address as a QR code for a page: SVG without any style attribute, as the pages' policy demands.
"""

from __future__ import annotations

import io

import segno


def qr_text(url: str) -> str:
    """The QR code of `url` as lines of half-block characters; no final newline.

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
    """The QR code as one <svg> element; dark modules on white, a quiet zone of four modules."""
    code = segno.make(url, micro=False, error="m")
    out = io.BytesIO()
    code.save(out, kind="svg", xmldecl=False, svgclass="qr", lineclass=None, light="#fff", border=4, omitsize=True)
    return out.getvalue().decode()
