"""The links between pages of docs: each leads to a file that is there, and to a heading that it has."""

import re
from pathlib import Path

import pytest

REPO = Path(__file__).parents[1]
PAGES = sorted([REPO / "README.md", *(REPO / "docs").rglob("*.md"), *(REPO / "speech/training").rglob("*.md")])
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]+))?\)")
BUILT = {"words", "spoken", "protocol.md"}  # by `make docs`: in no commit


def anchor(heading: str) -> str:
    """The name that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()).replace(" ", "-")


def anchors_of(page: Path) -> set[str]:
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.S | re.M)
    named = set(re.findall(r'(?:id|name)="([^"]+)"', text))
    return named | {anchor(line.lstrip("#")) for line in text.splitlines() if re.match(r"#+ ", line)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(REPO)))
def test_each_link_leads_somewhere(page: Path) -> None:
    lost = []
    for place, part in LINK.findall(page.read_text(encoding="utf-8")):
        target = (page.parent / place).resolve() if place else page
        if BUILT & {target.name, target.parent.name}:
            continue
        if not target.exists() or (part and target.suffix == ".md" and part not in anchors_of(target)):
            lost.append(f"{place}#{part}" if part else place)
    assert not lost, f"{page.relative_to(REPO)} names what is not there: {', '.join(lost)}"
