"""A scheme as the arbiter settles it for one table: which language each class of words takes, class by class. Pure.

`config/schemes` has three whole schemes; "d21+ranks=listener+file_names=letter" is one of them with some classes
settled otherwise (D.2.1), and an adaptation on record does the same in mid-game.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from speech.complaint import Complaint

LISTENER = "listener"
"""Whose language a class takes that is in each listener's own."""


class SchemeFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`config/schemes/NAME.toml`: for each class of words a language tag or "listener"; which ids name the files."""

    article: str
    file_names: Literal["file", "letter", "nato"]
    language: dict[str, str]


class SchemeChanges(msgspec.Struct, frozen=True):
    """What one table says otherwise than its scheme (D.2.1): which ids name the files, and languages of classes."""

    file_names: str | None = None
    ranks: str | None = None
    pieces: str | None = None
    castling: str | None = None
    connecting: str | None = None
    files: str | None = None
    letters: str | None = None
    nato: str | None = None
    commands: str | None = None

    def of(self, parsed: SchemeFile) -> SchemeFile:
        """The scheme with these changes. Raises ValidationError for other names of the files than there are."""
        given = self.given()
        names = given.pop("file_names", parsed.file_names)
        changed = {"article": parsed.article, "file_names": names, "language": {**parsed.language, **given}}
        return msgspec.convert(changed, SchemeFile)

    def given(self) -> dict[str, str]:
        """What is settled otherwise."""
        return {kind: value for kind, value in msgspec.structs.asdict(self).items() if value is not None}

    def under(self, stronger: SchemeChanges) -> SchemeChanges:
        """These changes, with the stronger ones over them."""
        return SchemeChanges(**{**self.given(), **stronger.given()})

    def named(self, name: str) -> str:
        """A name of its own for the changed scheme: what recognisers and voices keep is kept by name."""
        return "+".join([name, *(f"{kind}={value}" for kind, value in self.given().items())])


NO_CHANGES = SchemeChanges()


def settled(name: str) -> tuple[str, SchemeChanges]:
    """The name of a scheme and what stands behind it: "d21+ranks=hu" -> "d21" and the ranks in Hungarian.

    Raises Complaint at a part that is none.
    """
    base, *parts = name.split("+")
    given: dict[str, str] = {}
    for part in parts:
        kind, equals, value = part.partition("=")
        if kind not in SchemeChanges.__struct_fields__ or not equals or not value:
            kinds = ", ".join(SchemeChanges.__struct_fields__)
            raise Complaint(
                f'The scheme "{name}" cannot be read at "{part}"; settle one of {kinds}, as in d21+ranks=hu.'
            )
        if kind in given:
            raise Complaint(f'The scheme "{name}" settles {kind} twice; leave one of them out.')
        given[kind] = value
    return base, SchemeChanges(**given)
