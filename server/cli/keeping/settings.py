"""`anna-eins settings` prints a sample of the file of settings, with a remark on each, and checks such a file."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path
from textwrap import wrap
from typing import Any

import click
import msgspec
import tomlkit

from server.cli.terminal.words import JSON, tell, tell_facts, wrong
from server.settings import BackupSettings, Settings, load_settings

WIDTH = 118
HEAD = """\
# The settings of Anna Eins: every key, with a remark and the value that counts where nothing is said, or an example.
# Take the "#" away in front of a line to settle it. `anna-eins serve --config FILE` takes this file, and
# `anna-eins settings --check FILE` looks whether it is right.
"""
EXAMPLES: dict[str, Any] = {
    "hosts": ["chess.example.org"],
    "chess960": "draw",
    "vosk_models": {"de": "/home/anna/vosk-model-de"},
    "voice_servers": {"de": "192.168.1.20:10200"},
    "ears": ["tls://192.168.1.20:10300"],
    "second_opinions": ["192.168.1.30:10300"],
    "speech_key": "/home/anna/speech.key",
    "system_voices": ["de"],
    "devices": {"demo": {"white": {"microphone": "USB Headset", "headphones": "USB Headset", "headset": True}}},
    "buttons": {"demo": "/dev/input/by-id/usb-two-buttons-event-kbd"},
    "boards": [{"name": "board-1", "table": "demo", "seat": "white", "driver": "livechess", "serial": "12345"}],
    "broadcast": {
        "rounds": {"5": "https://lichess.org/api/broadcast/round/abcd1234/push"},
        "token_file": "/home/anna/broadcast.token",
        "delay_s": 900,
    },
    "at_rest": {"key_file": "/media/stick/hall.key"},
    "backup": {"folder": "/media/stick/backups", "every_min": BackupSettings().every_min},
    "witness": ["/media/stick/witness"],
    "sounds": "s3://hall/2026-open",
    "sounds_endpoint": "https://s3.example.org",
    "metrics_token_file": "/home/anna/metrics.token",
    "log_file": "/var/log/anna-eins/anna-eins.log",
    "spectators_delay_s": 900,
}
"""The keys that are empty where nothing is said, as somebody may set them."""
_ENTRY = re.compile(r"((?:`\w+`, )*`\w+`): (.*?)(?=\s(?:`\w+`, )*`\w+`: |\Z)", re.DOTALL)


def remarks() -> dict[tuple[str, ...], str]:
    """Map each settings key to its help text."""
    told = (Settings.__doc__ or "").partition("\n\n")[2].partition("\n\n")[2]
    return {
        tuple(re.findall(r"\w+", names)): " ".join(text.split()).rstrip(".") + "."
        for names, text in _ENTRY.findall(told)
    }


def sample() -> str:
    """Return the sample: remarks, and every setting behind a "#" without a space."""
    values: dict[str, Any] = msgspec.structs.asdict(Settings()) | EXAMPLES
    plain: list[str] = []
    tables: list[str] = []
    for keys, remark in remarks().items():
        told = [f"# {line}" for line in wrap(remark[:1].upper() + remark[1:], WIDTH)]
        if keys == ("event",):
            tables += ["", *told, *_event_part()]
            continue
        written = tomlkit.dumps({key: values[key] for key in keys})
        lines = [f"#{line}" for line in written.splitlines() if line]
        (tables if "[" in {line[1] for line in lines} else plain).extend(["", *told, *lines])
    return HEAD + "\n".join([*plain, *tables]) + "\n"


def _fields() -> tuple[msgspec.structs.FieldInfo, ...]:
    return msgspec.structs.fields(Settings)


def _event_part() -> list[str]:
    """Return the regulations as the sample of an event's profile has them."""
    text = resources.files("config").joinpath("event.toml").read_text("utf-8")
    part = text[text.index("[event]") : text.index("# [event.overrides]")]
    return [line if line.startswith("#") else f"#{line}" for line in part.rstrip().splitlines()]


@click.command("settings", epilog="\b\nExample:\n  anna-eins settings --sample > settings.toml")
@click.option("--sample", "wanted", is_flag=True)
@click.option("--check", "file", type=click.Path(path_type=Path), metavar="FILE")
@JSON
def command(wanted: bool, file: Path | None, as_json: bool) -> None:
    """Print sample settings, or check a settings file."""
    if wanted == (file is not None):
        raise wrong("sample_or_check")
    if file is None:
        click.echo(sample(), nl=False)
        return
    settings = load_settings(file)
    usual = Settings()
    changed = [one.name for one in _fields() if getattr(settings, one.name) != getattr(usual, one.name)]
    if as_json:
        tell_facts({"file": str(file), "sets": changed})
    elif changed:
        tell("settings_right", file=str(file), names=", ".join(changed))
    else:
        tell("settings_nothing", file=str(file))
