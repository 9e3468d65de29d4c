"""An address as a QR code for the terminal."""

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
