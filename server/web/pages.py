"""The pages and their files are read once from the package and served from memory, with an ETag.

The words of the pages are JSON, a file a language, made from the catalogue. What players' pages have in
common stands once, in `static/player/parts.html`: there a line `<!-- part: NAME -->` begins each part, and in a page
the same line is where it goes. Types written for `tsc` (docs/rooms/web.md) and remarks are not sent.

The piece drawings of python-chess are served as one file of SVG symbols, without style attributes, which the pages'
policy forbids. GET /handout?language=hu shows the half page for the opponent, to print, and GET /guide/hu/player the
guide of one page for a reader, with .brf in braille. Both are for everyone: they say what the Laws say and how the
program is used.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath

import chess
import chess.svg
import msgspec
from aiohttp import web

from server.exports.guide import guide_braille, guide_page
from server.exports.handout import handout_page
from server.wording.pages import RARE_PARTS, foreign_words, load_act_words, page_words, part_words
from speech.complaint import Complaint
from speech.words.catalogue import awaits_review
from speech.words.config_file import language_tags
from speech.words.loading import load_language

PAGES = ("tactile", "sighted", "assistant", "arbiter", "display", "observer")
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".png": "image/png",
}
PARTS = "player/parts.html"
NO_LANGUAGES = b"export const LANGUAGES = {};"
"""In `core/language.js`: where the languages are put in."""
PART = re.compile(r"^<!-- part: (.*) -->\n", re.MULTILINE)
TYPE = re.compile(rb"/\*\* @[^*\n]*\*/ ?")
"""A comment that tells `tsc` a type; line breaks stay, so that a browser's line numbers are the file's."""
REMARK = re.compile(rb"^[ \t]*//[^\n]*", re.MULTILINE)
"""A line that is a remark for who reads the source: it is a tenth of what a page would load."""
STYLE_REMARK = re.compile(rb"/\*.*?\*/", re.DOTALL)
"""A remark in a style sheet."""


class File(msgspec.Struct, frozen=True):
    """One file as it is sent."""

    body: bytes
    type: str
    etag: str


@cache
def load_files() -> Mapping[str, File]:
    """Return every address that answers with a file: "/", "/tactile", "/static/core/...".

    A page answers under its own name, whatever folder it lies in; all else under its path.
    """
    root = resources.files("server.web").joinpath("static")
    parts = parts_of(root.joinpath(PARTS).read_text("utf-8"))
    files: dict[str, File] = {}
    for path, content in _walk(root, ""):
        place = PurePosixPath(path)
        if place.suffix not in TYPES or path == f"/{PARTS}":
            continue
        if place.suffix == ".html":
            content = put_together(place.stem, content.decode(), parts).encode()
        elif place.suffix == ".js":
            content = REMARK.sub(b"", TYPE.sub(b"", content)).replace(NO_LANGUAGES, languages_known())
        elif place.suffix == ".css":
            content = STYLE_REMARK.sub(b"", content)
        file = _file(content, TYPES[place.suffix])
        if place.suffix == ".html":
            files["/" if place.stem == "index" else f"/{place.stem}"] = file
        else:
            files[f"/static{path}"] = file
    for tag in language_tags():
        # Sorted, so that words that are alike stand beside one another and are packed smaller.
        words = msgspec.json.encode(page_words(tag), order="sorted")
        files[f"/static/words/{tag}.json"] = _file(words, TYPES[".json"])
        for part in RARE_PARTS:
            rare = msgspec.json.encode(part_words(part, tag))
            files[f"/static/words/{part}-{tag}.json"] = _file(rare, TYPES[".json"])
        foreign = msgspec.json.encode(foreign_words(tag), order="sorted")
        files[f"/static/words/foreign-{tag}.json"] = _file(foreign, TYPES[".json"])
        files[f"/static/words/acts-{tag}.json"] = _file(msgspec.json.encode(load_act_words(tag)), TYPES[".json"])
    files["/static/pieces.svg"] = _file(pieces_svg().encode(), TYPES[".svg"])
    return files


def languages_known() -> bytes:
    """Return the line of a script that says what the pages need of each language."""
    known = {
        tag: {
            "name": one.native_name,
            "direction": one.direction,
            "script": one.script,
            "comma": one.comma,
            "awaited": awaits_review(tag),
        }
        for tag, one in ((tag, load_language(tag)) for tag in language_tags())
    }
    return NO_LANGUAGES.replace(b"{}", msgspec.json.encode(known))


def parts_of(text: str) -> dict[str, str]:
    """Return the parts that players' pages share, by name. Raises Complaint where a name is there twice."""
    _, *named = PART.split(text)
    parts = dict(zip(named[::2], named[1::2], strict=True))
    if len(named) != 2 * len(parts):
        raise Complaint(f"{PARTS} has a part twice: {', '.join(named[::2])}")
    return parts


def put_together(page: str, text: str, parts: Mapping[str, str]) -> str:
    """Return a page with its parts in their places. Raises Complaint where it names one that is not there."""
    whole = PART.sub(lambda found: parts.get(found[1], found[0]), text)
    unknown = re.findall(r"<!-- part.*", whole)
    if unknown:
        raise Complaint(f"pages/{page}.html names what {PARTS} does not have: {', '.join(unknown)}")
    return whole


def routes(files: Mapping[str, File]) -> list[web.RouteDef]:
    """Return a route for every file."""
    return [web.get(path, _serving(file)) for path, file in files.items()]


def _serving(file: File) -> Callable[[web.Request], Awaitable[web.Response]]:
    kept = {"ETag": file.etag, "Cache-Control": "no-cache"}

    async def serve(request: web.Request) -> web.Response:
        if request.headers.get("If-None-Match") == file.etag:
            return web.Response(status=304, headers=kept)
        headers, body = {**kept, "Content-Type": file.type, "Vary": "Accept-Encoding"}, file.body
        if "gzip" in request.headers.get("Accept-Encoding", ""):
            headers["Content-Encoding"], body = "gzip", _pack_file(file.body)
        return web.Response(body=body, headers=headers)

    return serve


@cache
def _pack_file(body: bytes) -> bytes:
    """Return a file as it goes over the line; packed once, since all of a page's files together take 15 ms."""
    return gzip.compress(body, mtime=0)


def _file(content: bytes, type: str) -> File:
    return File(content, type, f'"{hashlib.sha256(content).hexdigest()[:20]}"')


def _walk(folder: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    for entry in sorted(folder.iterdir(), key=lambda one: one.name):
        if entry.is_dir():
            yield from _walk(entry, f"{prefix}/{entry.name}")
        else:
            yield f"{prefix}/{entry.name}", entry.read_bytes()


def pieces_svg() -> str:
    """Return an SVG file with the symbols `white-king` .. `black-pawn`, each 45 by 45."""
    symbols = []
    for letter, drawing in chess.svg.PIECES.items():
        piece = chess.Piece.from_symbol(letter)
        name = f"{'white' if piece.color else 'black'}-{chess.piece_name(piece.piece_type)}"
        inner = re.sub(r'style="([^"]*)"', _attributes, re.sub(r' (id|class)="[^"]*"', "", drawing))
        symbols.append(f'<symbol id="{name}" viewBox="0 0 45 45">{inner}</symbol>')
    return f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(symbols)}</svg>'


def _attributes(style: re.Match[str]) -> str:
    parts = (part.partition(":") for part in style[1].split(";") if part.strip())
    return " ".join(f'{name.strip()}="{value.strip()}"' for name, _, value in parts)


async def handout(request: web.Request) -> web.Response:
    """GET /handout: send the half page for the opponent.

    A language that is not there is answered with one sentence.
    """
    language = request.query.get("language", "de")[:8]
    return web.Response(text=handout_page(language), content_type="text/html")


async def guide(request: web.Request) -> web.Response:
    """GET /guide/LANGUAGE/ROLE: send the guide of one page; a guide that is not there is answered with one sentence."""
    page = guide_page(request.match_info["role"], request.match_info["language"])
    return web.Response(text=page, content_type="text/html")


async def guide_in_braille(request: web.Request) -> web.Response:
    """GET /guide/LANGUAGE/ROLE.brf: hand over that guide as a BRF file. It is made once."""
    role, language = request.match_info["role"], request.match_info["language"]
    made = await asyncio.to_thread(guide_braille, role, language)
    return web.Response(
        text=made,
        content_type="text/plain",
        charset="us-ascii",
        headers={"Content-Disposition": f'attachment; filename="{role}-{language}.brf"'},
    )
