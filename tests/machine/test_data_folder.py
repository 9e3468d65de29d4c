"""The data folder: private, and held by one server."""

from __future__ import annotations

import asyncio
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from server.game.values.words import Seat
from server.hall.event_profile import EventProfile, as_toml
from server.journal.sqlite.schema import write_private
from server.machine.clock import ScriptedClock
from server.machine.data_folder import DataFolder, chosen_folder, witness_folder
from server.web.door.access import Access, Place
from server.web.door.seat_cards import SeatCards
from speech.complaint import Complaint
from speech.models import whisper

HOLDER = """
import sys
from pathlib import Path
from server.machine import data_folder
from server.machine.data_folder import DataFolder
folder = DataFolder.open(Path(sys.argv[1]), lock=True)
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def held_by_another(root: Path, repo: Path) -> Iterator[subprocess.Popen[str]]:
    child = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(root)], cwd=repo, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == "held\n"
        yield child
    finally:
        child.kill()
        child.communicate()


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_folder_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with DataFolder.open(tmp_path / "new" / "data", lock=True) as folder:
            assert mode(folder.root) == 0o700
            for place in folder.audio, folder.voices, folder.log, folder.tls:
                assert place.is_dir()
                assert mode(place) == 0o700
            assert mode(folder.root / "anna-eins.lock") == 0o600
            assert folder.journal.parent == folder.admissions.parent == folder.root
    finally:
        os.umask(before)


def test_a_second_server_on_one_folder_is_refused_with_one_sentence(tmp_path: Path, repo: Path) -> None:
    root = tmp_path / "data"
    with held_by_another(root, repo) as child:
        with pytest.raises(Complaint) as told:
            DataFolder.open(root, lock=True)
        assert str(child.pid) in str(told.value)
        assert "\n" not in str(told.value)
        DataFolder.open(root, lock=False).close()  # reading a record beside a running server is no second server


def test_a_killed_server_holds_nothing(tmp_path: Path, repo: Path) -> None:
    root = tmp_path / "data"
    with held_by_another(root, repo) as child:
        child.send_signal(signal.SIGKILL)
        child.wait()
        with DataFolder.open(root, lock=True):
            pass


def test_the_lock_is_held_within_one_process_too_and_let_go_by_close(tmp_path: Path) -> None:
    first = DataFolder.open(tmp_path / "data", lock=True)
    with pytest.raises(Complaint):
        DataFolder.open(tmp_path / "data", lock=True)
    first.close()
    first.close()
    DataFolder.open(tmp_path / "data", lock=True).close()


def test_children_do_not_inherit_the_lock(tmp_path: Path) -> None:
    folder = DataFolder.open(tmp_path / "data", lock=True)
    child = subprocess.Popen(["cat"], stdin=subprocess.PIPE, close_fds=False)
    try:
        folder.close()
        DataFolder.open(tmp_path / "data", lock=True).close()
    finally:
        child.kill()
        child.communicate()


def test_an_open_folder_of_ours_is_closed_and_a_strange_one_left_alone(tmp_path: Path) -> None:
    ours = tmp_path / "ours"
    DataFolder.open(ours, lock=True).close()
    ours.chmod(0o755)
    DataFolder.open(ours, lock=True).close()
    assert mode(ours) == 0o700

    empty = tmp_path / "empty"
    empty.mkdir()
    empty.chmod(0o777)
    DataFolder.open(empty, lock=True).close()
    assert mode(empty) == 0o700

    strange = tmp_path / "strange"
    strange.mkdir()
    strange.chmod(0o755)
    (strange / "letter.txt").write_text("dear all")
    with pytest.raises(Complaint, match="other files"):
        DataFolder.open(strange, lock=True)
    assert mode(strange) == 0o755
    assert [entry.name for entry in strange.iterdir()] == ["letter.txt"]


def test_what_is_no_folder_or_cannot_be_one_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Complaint, match="not a folder"):
        DataFolder.open(tmp_path / "file", lock=True)
    with pytest.raises(Complaint, match="cannot be used"):
        DataFolder.open(tmp_path / "file" / "data", lock=True)


def test_which_folder_is_meant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, value in {"HOME": str(tmp_path), "ANNA_EINS_DATA": "/from/environment", "XDG_DATA_HOME": "/xdg"}.items():
        monkeypatch.setenv(name, value)
    assert chosen_folder(Path("given")) == tmp_path / "given"
    assert chosen_folder(Path("~/given")) == tmp_path / "given"
    assert chosen_folder() == Path("/from/environment")
    monkeypatch.setenv("ANNA_EINS_DATA", "")
    assert chosen_folder() == Path("/xdg/anna-eins")
    monkeypatch.delenv("XDG_DATA_HOME")
    assert chosen_folder() == tmp_path / ".local/share/anna-eins"
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert chosen_folder() == tmp_path / ".local/share/anna-eins"
    monkeypatch.setattr(whisper, "user_data_path", lambda *_, **__: Path("~/anna-eins"))  # no home is known
    with pytest.raises(Complaint, match="--data"):
        chosen_folder()


def test_what_is_kept_is_on_disk_before_it_takes_the_place_of_what_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a power cut a file that only looks written may be empty, and unreadable seat cards stop a start."""
    data = DataFolder(tmp_path)
    clock = ScriptedClock()
    places = [Place(table="t1", page="sighted", seat=Seat.WHITE)]
    asyncio.run(SeatCards(data.seat_cards, Access(clock)).make(places, ("t1",), anew=False))
    write_private(data.event_profile, as_toml(EventProfile(name="before")).encode())
    before = [path.read_bytes() for path in (data.seat_cards, data.event_profile)]
    seen: list[list[bytes]] = []
    monkeypatch.setattr(
        os, "fsync", lambda _: seen.append([path.read_bytes() for path in (data.seat_cards, data.event_profile)])
    )
    asyncio.run(SeatCards(data.seat_cards, Access(clock)).make(places, ("t1",), anew=True))
    assert seen[0] == before and data.seat_cards.read_bytes() != before[0]
    synced = len(seen)
    write_private(data.event_profile, as_toml(EventProfile(name="after")).encode())
    assert seen[synced][1] == before[1] and "after" in data.event_profile.read_text("utf-8")


def test_a_user_without_a_home_is_told_in_one_sentence_what_to_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a service whose user systemd makes at the start has none."""

    def no_home(*_: object, **__: object) -> Path:
        raise RuntimeError("could not determine the home directory")

    monkeypatch.setattr("server.machine.data_folder.user_state_path", no_home)
    monkeypatch.setattr("speech.models.whisper.user_data_path", no_home)
    for variable in ("ANNA_EINS_WITNESS", "ANNA_EINS_DATA"):
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(Complaint, match="ANNA_EINS_WITNESS"):
        witness_folder()
    with pytest.raises(Complaint, match="--data"):
        chosen_folder()
    monkeypatch.setenv("ANNA_EINS_WITNESS", "/srv/witness")
    assert witness_folder() == Path("/srv/witness")
