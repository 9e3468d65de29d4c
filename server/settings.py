"""The settings of the server: how it listens; from the command line and perhaps a TOML file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from server.boards.boards import BoardSettings
from server.game.laws.event_options import EventOptions
from server.game.values.words import Seat, SoundDevices
from server.machine.strongbox import AtRest
from server.wording.rules import editions, load_rule_set, read_event_options
from speech.complaint import Complaint, Phrase
from speech.words.config_file import Source, own_source_of

LARGEST_FILE = 64 * 1024
RULE_SET = "fide2023"
"""The edition of the Laws under which tables are opened where nobody chose one."""
Edition = Annotated[str, msgspec.Meta(max_length=64)]
Port = Annotated[int, msgspec.Meta(ge=0, le=65535)]
SpectatorsDelay = msgspec.Meta(ge=0, le=3_600)
LanguageTag = Annotated[str, msgspec.Meta(pattern=r"^[a-z]{2,3}\Z")]
ServerAddress = Annotated[
    str, msgspec.Meta(max_length=300, pattern=r"^(tcp://|tls://)?[A-Za-z0-9.:_\[\]-]+:[0-9]{1,5}\Z")
]
EarAddress = Annotated[
    str, msgspec.Meta(max_length=300, pattern=r"^(mdns|(tcp://|tls://)?[A-Za-z0-9.:_\[\]-]+:[0-9]{1,5})\Z")
]
LogLevel = Literal["debug", "info", "warning", "error"]
Origin = Annotated[str, msgspec.Meta(max_length=300, pattern=r"^https?://[A-Za-z0-9.:_\[\]-]+/?\Z")]
HostName = Annotated[str, msgspec.Meta(max_length=253, pattern=r"^[A-Za-z0-9.:_-]+$")]


class BackupSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings for backing up the data folder while the server runs; nowhere unless a folder is named.

    `folder`: on another disk; it must be there. `every_min`: how often, in minutes.
    """

    folder: str = ""
    every_min: Annotated[int, msgspec.Meta(ge=1, le=1_440)] = 10


class BroadcastSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings for broadcasting rounds. `rounds`: the round's name -> the address that takes its PGN.

    `token_file`: holds the bearer token; without it the variable ANNA_EINS_BROADCAST_TOKEN does. `delay_s`: everything
    is sent so many seconds late.
    """

    rounds: dict[str, Annotated[str, msgspec.Meta(max_length=500)]] = {}
    token_file: str = ""
    delay_s: Annotated[int, msgspec.Meta(ge=0, le=3_600)] = 900


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of the server: where it listens, what it is called, and what it uses.

    `anna-eins settings --sample` is made from what stands here of each key.

    `host`, `port`: plain http, by default for this computer alone. `lan`, `https_port`: also https on every interface,
    at this port. `hosts`: further names under which browsers may call it (a Host header with any other is refused);
    the first stands in the links that are printed, and the certificate has them all.
    `servers`: the addresses of all servers of one hall on PostgreSQL, as browsers open them
    ("https://10.0.0.2:8443"), so that stations find the next one by themselves (docs/scaling.md).
    `demo_table`: a demonstration table is opened where there is no table.
    `chess960`: the start of the demonstration table in Chess960: a number, letters, throws or "draw"; "": usual chess.
    `training`: the demonstration table is one for training, where the position may be asked about.
    `voice_servers`: language -> HOST:PORT of a Wyoming speech server on the local network, whose voice says that
    language; none unless named here.
    `ears`: addresses of `anna-eins ears` on other machines, which help to hear ("tls://HOST:PORT", or "mdns" for those
    that announce themselves); players' sounds then leave this machine.
    `second_opinions`: HOST:PORT of other makers' Wyoming recognisers, which may only raise a doubt; players' sounds go
    there in the open.
    `speech_key`: the file of the key that ears and voices on other machines share with this one (docs/elsewhere.md).
    `system_voices`: languages that the system's own voices say (SAPI, NSSpeech), where it has them; none unless named.
    `vosk_models`: language -> folder of a Vosk model, which listens beside the built-in recogniser.
    `devices`: table -> seat -> `microphone`, `headphones` (names of this machine's own), `headset`.
    `buttons`: table -> path of the input device whose two buttons press its clock ("/dev/input/by-id/...").
    `spectators_delay_s`: spectators may see every table, this many seconds late (0 to 3600); left out: none of them
    until the hall's arbiter says so (docs/spectators.md).
    `broadcast`: where the games of a round are sent for the public, and how late (docs/spectators.md).
    `edition`: of the Laws, by which the tables play that are opened (docs/rules.md).
    `event`: the regulations of the event for the tables that are opened, named as in `EventOptions` (docs/rules.md).
    `boards`: the sensing boards, each at a table and seat (docs/boards.md).
    `backup`: the folder on another disk in which the data folder is backed up, and how often (docs/installing.md).
    `witness`: further folders, on another disk or a memory stick, in which it is witnessed how far each table's record
    has come, so that a record that was put back as it was earlier shows it (docs/SECURITY.md).
    `sounds`: where all servers of a hall keep their sounds beside the data folder, "s3://BUCKET/PREFIX"; nowhere unless
    named; the keys stand in the environment or in AWS's own file (docs/scaling.md). `sounds_endpoint`: the address of
    such a store that is not Amazon's.
    `metrics_token_file`: a file with the token for `/metrics`; left out: this computer alone may ask.
    `log_file`: the file of the log; left out: in the data folder. `log_level`: what is logged, from this level up.
    `at_rest`: whether sounds and voice profiles are encrypted on the disk, and by which key (docs/SECURITY.md).
    """

    host: HostName = "127.0.0.1"
    port: Port = 8080
    lan: bool = False
    https_port: Port = 8443
    hosts: tuple[HostName, ...] = ()
    servers: tuple[Origin, ...] = ()
    demo_table: bool = False
    training: bool = False
    chess960: Annotated[str, msgspec.Meta(max_length=40)] = ""
    vosk_models: dict[str, str] = {}
    voice_servers: dict[LanguageTag, ServerAddress] = {}
    ears: tuple[EarAddress, ...] = ()
    second_opinions: tuple[ServerAddress, ...] = ()
    speech_key: str = ""
    system_voices: tuple[LanguageTag, ...] = ()
    devices: dict[str, dict[Seat, SoundDevices]] = {}
    buttons: dict[str, str] = {}
    boards: tuple[BoardSettings, ...] = ()
    at_rest: AtRest = AtRest()
    backup: BackupSettings = BackupSettings()
    witness: tuple[Annotated[str, msgspec.Meta(max_length=400)], ...] = ()
    sounds: Annotated[str, msgspec.Meta(max_length=300)] = ""
    sounds_endpoint: Annotated[str, msgspec.Meta(max_length=300)] = ""
    metrics_token_file: str = ""
    log_file: str = ""
    log_level: LogLevel = "info"
    spectators_delay_s: Annotated[int, SpectatorsDelay] | None = None
    broadcast: BroadcastSettings = BroadcastSettings()
    edition: Edition = RULE_SET
    event: dict[str, Any] = {}

    @property
    def regulations(self) -> EventOptions:
        """Return the regulations of the event. Raises Complaint for what is not a regulation."""
        return regulations_of(self.event, Phrase("what.settings"), self.edition)


def load_settings(path: Path | None, **given: Any) -> Settings:
    """Return the settings of a TOML file; what the command line gives (not None) replaces them.

    Raises:
        Complaint: the file cannot be read or a value is wrong; names the file and the key path.
    """
    settings = Settings()
    if path is not None:
        source = settings_source(path, Phrase("what.configuration"))
        settings = source.in_shape(Settings)
        check_edition(source, settings.edition)
        regulations_of(settings.event, source.label, settings.edition)
    return msgspec.structs.replace(settings, **{key: value for key, value in given.items() if value is not None})


def settings_source(path: Path, what: Phrase) -> Source:
    """Return a TOML file of the organiser's own, parsed; `what` it is stands in a complaint.

    Raises Complaint that names the file: it cannot be read, is too long, or is no TOML.
    """
    try:
        with path.open("rb") as file:
            text = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as wrong:
        why = getattr(wrong, "strerror", None) or str(wrong)
        raise Complaint(Phrase("file.unread", what=what, path=path, why=why)) from wrong
    if len(text) > LARGEST_FILE:
        raise Complaint(Phrase("file.too_long", what=what, path=path, most=LARGEST_FILE // 1024))
    return own_source_of(text, str(path))


def check_edition(source: Source, edition: str) -> None:
    """Complain about an edition that does not stand in `config/rules/editions`; the complaint names those that do."""
    if edition not in editions():
        raise source.complain("edition", Phrase("value.choose", names=", ".join(editions())))


def regulations_of(event: Mapping[str, Any], label: str | Phrase, edition: str = RULE_SET) -> EventOptions:
    """Return the regulations in the table `[event]`, whose `overrides` are those of an edition of the Laws.

    Raises Complaint that names `label` and the key path.
    """
    table = {"sound_needs_consent": True, **event}
    return read_event_options(table, load_rule_set(edition), label)
