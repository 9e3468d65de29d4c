"""The bill of materials that the wheel carries is that of the lock, and names no place to fetch anything from."""

from __future__ import annotations

import json
import re

from tests.machine.bill_of_materials import PLACE, REPO, bill, bill_of_the_lock

OF_OTHER_SYSTEMS = {"colorama", "comtypes", "pyobjc-core", "pyobjc-framework-cocoa", "pypiwin32", "pywin32"}
"""They are installed on Windows or macOS alone, so nothing here says what their licences are."""


def test_the_bill_is_that_of_the_lock() -> None:
    assert PLACE.read_text("utf-8") == bill_of_the_lock(), "make it anew with `make sbom`"


def test_every_locked_package_is_there_with_its_hashes_and_who_asks_for_it() -> None:
    lock = (REPO / "requirements.lock").read_text("utf-8")
    told = json.loads(PLACE.read_text("utf-8"))
    assert (told["bomFormat"], told["specVersion"]) == ("CycloneDX", "1.6")
    hashes = {one["content"] for part in told["components"] for one in part["externalReferences"][0]["hashes"]}
    assert hashes == set(re.findall(r"sha256:([0-9a-f]{64})", lock))
    asked = {one["ref"].partition("@")[0]: one.get("dependsOn", []) for one in told["dependencies"]}
    assert any(one.startswith("pkg:pypi/cffi@") for one in asked["pkg:pypi/cryptography"])
    assert {one.split("/")[1].split("@")[0] for one in asked["anna-eins"]} >= {"aiohttp", "chess", "cryptography"}
    unlicensed = {part["name"] for part in told["components"] if not part.get("licenses")}
    assert unlicensed - OF_OTHER_SYSTEMS == {"espeakng-loader"}, "its package says nothing of its licence"


def test_no_place_to_fetch_from_is_named() -> None:
    told = re.findall(r"https?://[^\"]+", PLACE.read_text("utf-8"))
    assert told == ["http://cyclonedx.org/schema/bom-1.6.schema.json"], "the name of the format, and nothing else"


def test_a_changed_lock_makes_another_bill() -> None:
    lock = (REPO / "requirements.lock").read_text("utf-8")
    assert bill(lock, "0.1.0") == bill(lock, "0.1.0") != bill(lock.replace("tqdm==", "tqdm==9"), "0.1.0")
