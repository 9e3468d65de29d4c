"""Values drawn from a type: every message that the protocol knows, with fields that mean something, and then spoilt."""

from __future__ import annotations

import random
import re
from typing import Any

import msgspec
from msgspec import inspect

TEXTS = (
    "",
    "e4",
    "Springer Felix drei",
    "(=)",
    "1/2-1/2",
    "\u202e",
    "\ud7ff",
    "0" * 200,
    "<b>&amp;",
    "\x00",
    "de",
    "en",
)
MOVES = ("e2e4", "e7e5", "g1f3", "b8c6", "e1g1", "a7a8q", "e1e8", "0000", "z9z9")
NAMED: dict[str, tuple[str, ...]] = {
    "uci": MOVES,
    "square": ("e2", "e4", "e8", "a1", "i9"),
    "from_square": ("e2", "g1", "a7"),
    "to_square": ("e4", "f3", "a8"),
    "placement": ("8/8/8/8/8/8/8/8", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "9/8"),
    "name": ("machine_announces", "sighted_press_without_announcement", "voice_recording", "no_such"),
    "value": ("on", "approved", "ignore", "note"),
    "language": ("de", "en", "he", "tlh", "x" * 36),
    "control": ("5400+30", "40/5400+30:1800+30", "no control"),
}
NUMBERS = (0, 1, 2, 9, 300, 1_200, 60_000, -1, 2**31, 2**53, 2**63, -(2**63))
SPOILT = ("[" * 400, '{"a":' * 200, "NaN", "1e999", "-", '"', "\\ud800", "\x00", "}", "null", "9" * 400, ",,", "é")


def drawn(kind: inspect.Type, chance: random.Random, name: str = "") -> Any:
    """Return a value of a type as JSON would carry it; some texts and numbers are outside of what is allowed."""
    match kind:
        case inspect.UnionType():
            return drawn(chance.choice(kind.types), chance, name)
        case inspect.StructType():
            return _struct(kind, chance)
        case inspect.LiteralType():
            return chance.choice(kind.values)
        case inspect.EnumType():
            return chance.choice(list(kind.cls)).value
        case inspect.StrType():
            return _text(kind, chance, name)
        case inspect.IntType():
            return chance.choice(NUMBERS) if chance.random() < 0.3 else chance.randrange(10)
        case inspect.FloatType():
            return chance.choice((0.0, -90.0, 1e300))
        case inspect.BoolType():
            return chance.random() < 0.5
        case inspect.NoneType():
            return None
        case inspect.TupleType():
            return [drawn(one, chance, name) for one in kind.item_types]
        case inspect.VarTupleType() | inspect.ListType() | inspect.CollectionType():
            return [drawn(kind.item_type, chance, name) for _ in range(chance.randrange(3))]
        case inspect.DictType():
            return {
                str(drawn(kind.key_type, chance)): drawn(kind.value_type, chance) for _ in range(chance.randrange(3))
            }
    return chance.choice(TEXTS)


def _struct(kind: inspect.StructType, chance: random.Random) -> dict[str, Any]:
    made = {} if kind.tag_field is None else {kind.tag_field: kind.tag}
    for field in kind.fields:
        if field.required or chance.random() < 0.5:
            made[field.encode_name] = drawn(field.type, chance, field.name)
    return made


def _text(kind: inspect.StrType, chance: random.Random, name: str) -> str:
    if name == "id" or (kind.pattern and "32" in kind.pattern):
        return f"{chance.getrandbits(128):032x}"
    if kind.pattern and "2800" in kind.pattern:
        return "".join(chr(0x2800 + chance.randrange(256)) for _ in range(chance.randrange(1, 20)))
    return chance.choice(NAMED.get(name, TEXTS))


def spoilt(text: str, chance: random.Random) -> str:
    """Return the text with something cut out, doubled, put in or exchanged."""
    if not text:
        return chance.choice(SPOILT)
    at, end = sorted((chance.randrange(len(text)), chance.randrange(len(text))))
    match chance.randrange(6):
        case 0:
            return text[:at] + text[end:]
        case 1:
            return text[:end] + text[at:]
        case 2:
            return text[:at] + chance.choice(SPOILT) + text[at:]
        case 3:
            return text[:at] + chr(chance.choice((chance.randrange(128), chance.randrange(0xD800)))) + text[at + 1 :]
        case 4:
            return re.sub(r"\d+", lambda found: str(chance.choice(NUMBERS)), text, count=chance.randrange(1, 4))
    return text[:at]


def spoilt_bytes(data: bytes, chance: random.Random) -> bytes:
    """Return the bytes with some flipped, cut out, doubled or put in, several times where chance wants it."""
    made = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 5, 20))):
        at, end = sorted((chance.randrange(len(made) + 1), chance.randrange(len(made) + 1)))
        match chance.randrange(6):
            case 0 if made:
                made[at % len(made)] ^= 1 << chance.randrange(8)
            case 1:
                del made[at : min(end, at + chance.choice((1, 4, 1_000)))]
            case 2:
                made[at:at] = made[at:end][:2_000]
            case 3:
                made[at : at + 4] = chance.choice(
                    (b"\xff\xff\xff\xff", b"\0\0\0\0", b"\x80", b"\r\n", b"[[[[", b"{{{{", b'"""')
                )
            case 4:
                made[at:at] = chance.choice(SPOILT).encode("utf-8", "surrogatepass")
            case 5 if chance.random() < 0.2:
                made = made[:at]
    return bytes(made)


def type_of(kind: Any) -> inspect.Type:
    """What msgspec knows of a type."""
    return msgspec.inspect.type_info(kind)
