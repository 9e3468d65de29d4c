"""A small model that looks like one of Whisper, two packages that hold it, and a hub on the loopback."""

from __future__ import annotations

import base64
import hashlib
import random
import threading
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from speech.models.known import KnownModel, load_known_models
from tests.waiting import PATIENCE_S

NAME = "whisper-tiny"
HEAD = b"\x06\0\0\0\x0c\0WhisperSpec\0\x03\0\0\0"
LOCK = "whisper-tiny.lock"


def small_model(seed: int = 1) -> dict[str, bytes]:
    """The files of a model, by name."""
    return {
        "config.json": b'{"seed": %d}' % seed,
        "tokenizer.json": b"{}\n",
        "vocabulary.txt": b"a\nb\n",
        "model.bin": HEAD + random.Random(seed).randbytes(900_000),
    }


def write_model(folder: Path, files: Mapping[str, bytes]) -> Path:
    folder.mkdir(parents=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


def write_packages(folder: Path, files: Mapping[str, bytes]) -> str:
    """Write two wheels with the files into a folder; return their lock."""
    half = len(files["model.bin"]) // 2
    small = {f"part_one/data/{name}": data for name, data in files.items() if name != "model.bin"}
    small["part_one/data/model.bin.1"] = files["model.bin"][:half]
    lines = []
    for name, data in (("part_one", small), ("part_two", {"part_two/data/model.bin.2": files["model.bin"][half:]})):
        wheel = folder / f"{name}-1.0-py3-none-any.whl"
        about = {
            f"{name}-1.0.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n".encode(),
            f"{name}-1.0.dist-info/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        }
        rows = [f"{file},sha256={_digest(said)},{len(said)}" for file, said in (data | about).items()]
        record = "\n".join([*rows, f"{name}-1.0.dist-info/RECORD,,", ""])
        with zipfile.ZipFile(wheel, "w") as packed:
            for file, said in (data | about | {f"{name}-1.0.dist-info/RECORD": record.encode()}).items():
                packed.writestr(file, said)
        lines.append(f"{name.replace('_', '-')}==1.0 --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n")
    return "".join(lines)


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def write_config(root: Path, files: Mapping[str, bytes], hub: str, lock: str = "") -> KnownModel:
    """Write config/models.toml and its lock as the program reads them; return the model."""
    (root / "locks").mkdir(parents=True, exist_ok=True)
    (root / "locks" / LOCK).write_text(lock)
    lines = [
        f'hub = "{hub}/{{repository}}/{{revision}}/{{file}}"',
        f"[models.{NAME}]",
        'licence = "MIT"',
        'repository = "Systran/faster-whisper-tiny"',
        f'revision = "{"0" * 40}"',
        'sources = ["hub", "packages"]' if lock else 'sources = ["hub"]',
        f"[models.{NAME}.files]",
        *(
            f'"{name}" = {{ bytes = {len(data)}, sha256 = "{hashlib.sha256(data).hexdigest()}" }}'
            for name, data in files.items()
        ),
    ]
    if lock:
        lines += [f"[models.{NAME}.packages]", f'lock = "{LOCK}"', f"[models.{NAME}.packages.files]"]
        lines += [f'"{name}" = ["part_one/data/{name}"]' for name in files if name != "model.bin"]
        lines += ['"model.bin" = ["part_one/data/model.bin.1", "part_two/data/model.bin.2"]']
    (root / "models.toml").write_text("\n".join(lines))
    load_known_models.cache_clear()
    return load_known_models(root)[NAME]


class Hub:
    """What the hub serves, by the last part of the address, and how it fails.

    `break_after`: so many bytes of an answer come, once for each number, and then the line breaks. `ranges`: whether
    it knows the header. `asked`: the file and the range of each question.
    """

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = dict(files)
        self.break_after: list[int] = []
        self.ranges = True
        self.asked: list[tuple[str, str]] = []
        self.address = ""


@contextmanager
def serving(files: Mapping[str, bytes]) -> Iterator[Hub]:
    """A hub on a free port, until the end of the block."""
    hub = Hub(files)

    class Answering(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            name = self.path.rpartition("/")[2]
            wanted = self.headers.get("Range", "")
            hub.asked.append((name, wanted))
            data = hub.files.get(name)
            if data is None:
                self.send_error(404)
                return
            begin = int(wanted.removeprefix("bytes=").rstrip("-") or 0) if hub.ranges else 0
            if begin >= len(data):
                self.send_error(416)
                return
            self.send_response(206 if begin else 200)
            if begin:
                self.send_header("Content-Range", f"bytes {begin}-{len(data) - 1}/{len(data)}")
            self.send_header("Content-Length", str(len(data) - begin))
            self.end_headers()
            most = hub.break_after.pop(0) if hub.break_after and name == "model.bin" else len(data)
            self.wfile.write(data[begin : begin + most])
            self.close_connection = True

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    hub.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join(PATIENCE_S)
