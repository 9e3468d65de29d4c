"""Changes to a scheme, as the arbiter settles it for one table. Pure.

The arbiter chooses the language of each class of words. `config/schemes` has three whole schemes;
"d21+ranks=listener+file_names=letter" is one of them with some classes settled otherwise (D.2.1), and an adaptation on
record does the same in mid-game.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from speech.complaint import Complaint, Phrase

LISTENER = "listener"
"""The language of a class that each listener hears in their own language."""
NOTHING = "none"
"""How a name of a scheme writes that no other names of the files are listened for."""
FileNames = Literal["file", "letter", "nato"]
"""Names that a table may use for the files."""
AlsoHeard = Literal["file", "letter", "nato", "spelling"]
"""Names that a player may use all the same: a scheme suggests names and forbids none (L184)."""


class SchemeFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Contents of `config/schemes/NAME.toml`.

    It has for each class of words a language tag or "listener", and says which ids name the files. `also_heard`: the
    other names of the files that are listened for.
    """

    article: str
    file_names: FileNames
    also_heard: tuple[AlsoHeard, ...]
    language: dict[str, str]


class SchemeChanges(msgspec.Struct, frozen=True):
    """Differences that one table settles from its scheme (D.2.1).

    They say which ids name the files, which others are listened for ("nato,letter", or "none"), and the languages of
    classes.
    """

    file_names: str | None = None
    also_heard: str | None = None
    ranks: str | None = None
    pieces: str | None = None
    castling: str | None = None
    connecting: str | None = None
    files: str | None = None
    letters: str | None = None
    nato: str | None = None
    spelling: str | None = None
    commands: str | None = None

    def of(self, parsed: SchemeFile) -> SchemeFile:
        """Return the scheme with these changes.

        Raises ValidationError for names of the files that do not exist.
        """
        given = self.classes_settled()
        names = given.pop("file_names", parsed.file_names)
        also = list_kinds(given.pop("also_heard")) if "also_heard" in given else parsed.also_heard
        changed = {
            "article": parsed.article,
            "file_names": names,
            "also_heard": also,
            "language": {**parsed.language, **given},
        }
        return msgspec.convert(changed, SchemeFile)

    def classes_settled(self) -> dict[str, str]:
        """Return the classes that are settled otherwise."""
        return {kind: value for kind, value in msgspec.structs.asdict(self).items() if value is not None}

    def under(self, stronger: SchemeChanges) -> SchemeChanges:
        """Return these changes, with the stronger ones over them."""
        return SchemeChanges(**{**self.classes_settled(), **stronger.classes_settled()})

    def name_for(self, name: str) -> str:
        """Return a name of its own for the changed scheme: recognisers and voices keep things by name."""
        return "+".join([name, *(f"{kind}={value}" for kind, value in self.classes_settled().items())])


NO_CHANGES = SchemeChanges()


def list_kinds(also_heard: str) -> tuple[str, ...]:
    """Return the kinds of names in a list as it is written in the name of a scheme.

    >>> listed("nato,letter"), listed("none")
    (('nato', 'letter'), ())
    """
    return () if also_heard == NOTHING else tuple(also_heard.split(","))


def name_and_changes(name: str) -> tuple[str, SchemeChanges]:
    """Return the name of a scheme and the changes that follow it.

    "d21+ranks=hu" gives "d21" and the ranks in Hungarian. Raises Complaint at a part that is no change.
    """
    base, *parts = name.split("+")
    given: dict[str, str] = {}
    for part in parts:
        kind, equals, value = part.partition("=")
        if kind not in SchemeChanges.__struct_fields__ or not equals or not value:
            kinds = ", ".join(SchemeChanges.__struct_fields__)
            raise Complaint(Phrase("scheme.unread", name=name, part=part, kinds=kinds))
        if kind in given:
            raise Complaint(Phrase("scheme.twice", name=name, kind=kind))
        given[kind] = value
    return base, SchemeChanges(**given)
