"""The bill of materials (CycloneDX) of all that the lock installs: `python -m tests.machine.bill_of_materials`.

It is made from `requirements.lock` and from what the installed packages say of their licences, and is the same whenever
these are. The wheel carries it (PEP 770, `sbom-files` in `pyproject.toml`).
"""

from __future__ import annotations

import re
import sys
import tomllib
import uuid
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # to import them takes a second: only who makes a bill does
    from cyclonedx.model.component import Component
    from cyclonedx.model.license import License

REPO = Path(__file__).resolve().parents[2]
PLACE = REPO / "docs" / "sbom.cdx.json"
_PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([^\s\\]+)", re.MULTILINE)
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_VIA = re.compile(r"^ +# +(?:via +)?([A-Za-z0-9._-]+)(?: \(.*\))?$", re.MULTILINE)


def locked(lock: str) -> dict[tuple[str, str], str]:
    """Every package that a lock file names, by name and version, with what it says: hashes, and who asks for it.

    One name may stand there in two versions, each for other systems.
    """
    found = list(_PINNED.finditer(lock))
    ends = [one.start() for one in found[1:]] + [len(lock)]
    return {(one[1], one[2]): lock[one.start() : end] for one, end in zip(found, ends, strict=True)}


def licence_of(name: str) -> License | None:
    """What the installed package says of its licence; None where it says nothing or only other systems need it."""
    from cyclonedx.contrib.license.factories import LicenseFactory

    try:
        said = metadata(name)
    except PackageNotFoundError:
        return None
    classified = [one for one in said.get_all("Classifier", []) if one.startswith("License :: OSI Approved :: ")]
    for text in (said.get("License-Expression"), said.get("License"), *classified):
        if text and text != "UNKNOWN" and "\n" not in text:
            return LicenseFactory().make_from_string(text.rpartition(" :: ")[2])
    return None


def component_of(name: str, version: str, said: str) -> Component:
    """A package; its hashes are those of its files, of which one is installed."""
    from cyclonedx.model import ExternalReference, ExternalReferenceType, HashAlgorithm, HashType, XsUri
    from cyclonedx.model.component import Component
    from packageurl import PackageURL

    purl = PackageURL("pypi", name=name, version=version)
    files = ExternalReference(
        type=ExternalReferenceType.DISTRIBUTION,
        url=XsUri(str(purl)),
        comment="The lock allows each file of this version that has one of these hashes.",
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=one) for one in _HASH.findall(said)],
    )
    licence = licence_of(name)
    return Component(
        name=name,
        version=version,
        bom_ref=str(purl),
        purl=purl,
        licenses=[licence] if licence is not None else [],
        external_references=[files],
    )


def bill(lock: str, version: str) -> str:
    """The whole bill, as CycloneDX 1.6 in JSON."""
    from cyclonedx.contrib.license.factories import LicenseFactory
    from cyclonedx.model.bom import Bom, BomMetaData
    from cyclonedx.model.component import Component, ComponentType
    from cyclonedx.output.json import JsonV1Dot6

    packages = locked(lock)
    parts = {one: component_of(*one, said) for one, said in packages.items()}
    itself = Component(
        name="anna-eins",
        version=version,
        type=ComponentType.APPLICATION,
        bom_ref="anna-eins",
        licenses=[LicenseFactory().make_from_string("GPL-3.0-or-later")],
    )
    bom = Bom(
        components=parts.values(),
        metadata=BomMetaData(component=itself),
        serial_number=uuid.uuid5(uuid.NAMESPACE_URL, lock + version),
    )
    bom.metadata.timestamp = None  # the same lock gives the same bill
    for owner in (itself, *parts.values()):
        bom.register_dependency(
            owner, [parts[one] for one, said in packages.items() if owner.name in _VIA.findall(said)]
        )
    return JsonV1Dot6(bom).output_as_string(indent=1) + "\n"


def bill_of_the_lock() -> str:
    """The bill of `requirements.lock` and the version in `pyproject.toml`."""
    project = tomllib.loads((REPO / "pyproject.toml").read_text("utf-8"))["project"]
    return bill((REPO / "requirements.lock").read_text("utf-8"), project["version"])


if __name__ == "__main__":
    PLACE.write_text(bill_of_the_lock(), encoding="utf-8")
    sys.stdout.write(f"{PLACE}\n")
