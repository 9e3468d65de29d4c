"""An address as a QR code for a page: SVG without any style attribute, as the pages' policy demands."""

from __future__ import annotations

import io

import segno


def qr_svg(url: str) -> str:
    """The QR code as one <svg> element; dark modules on white, a quiet zone of four modules."""
    code = segno.make(url, micro=False, error="m")
    out = io.BytesIO()
    code.save(out, kind="svg", xmldecl=False, svgclass="qr", lineclass=None, light="#fff", border=4, omitsize=True)
    return out.getvalue().decode()
