"""Sound cards that are none: a PulseAudio of our own with null sinks, and ALSA names for their two ends."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.waiting import wait_until


@contextmanager
def pulseaudio(home: Path, sinks: Sequence[str], channels: int = 1) -> Iterator[dict[str, str]]:
    """A server with these sinks while the block runs; the environment in which programs find it."""
    # A socket's path may have about 100 characters.
    home.mkdir(mode=0o700)
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("PULSE_", "XDG_"))},
        "HOME": str(home),
        "XDG_RUNTIME_DIR": str(home),
        "PULSE_RUNTIME_PATH": str(home),
        "PULSE_SERVER": f"unix:{home}/native",
    }
    with subprocess.Popen(
        [
            *("pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--log-level=error"),
            *("-L", f"module-native-protocol-unix auth-anonymous=1 socket={home}/native"),
            *(
                word
                for sink in sinks
                for word in ("-L", f"module-null-sink sink_name={sink} rate=16000 channels={channels} norewinds=1")
            ),
        ],
        env=environment,
        stderr=subprocess.PIPE,
    ) as server:
        try:
            asked: subprocess.CompletedProcess[bytes] | None = None

            def is_there() -> bool:
                nonlocal asked
                assert server.poll() is None, server.stderr.read().decode() if server.stderr else ""
                asked = subprocess.run(["pactl", "list", "short", "sinks"], env=environment, capture_output=True)
                return sinks[-1].encode() in asked.stdout

            wait_until(is_there, lambda: f"the virtual sound card did not come up: {asked and asked.stderr.decode()}")
            yield environment
        finally:
            server.terminate()


def name_devices(home: Path, names: dict[str, str]) -> None:
    """ALSA names for PulseAudio's: sinks to play on, `SINK.monitor` to hear what was played."""
    lines = [f'pcm.{name} {{ type pulse device "{device}" hint {{ show on }} }}' for name, device in names.items()]
    (home / ".asoundrc").write_text("\n".join(lines) + "\n")
