"""Every command has help in every language and an example; a shell completes names; long work shows how far it is."""

from __future__ import annotations

import ast
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from server.cli import SUBCOMMANDS, group
from server.cli.keeping.progress import progress_bar
from server.cli.terminal.click_words import SAID, teach_click
from server.cli.terminal.language import own_language
from server.cli.terminal.words import PART, ROOT, help_key, in_users_language
from speech.words.catalogue import load_messages
from speech.words.config_file import language_tags

OTHERS = [tag for tag in language_tags() if tag != "en"]
LOCALES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
NOT_OF_A_COMMAND = (
    *("frame", "put_in", "common", "click", "welcome", "ask", "answer", "wrong"),
    *("compared", "measured", "checked", "rated"),
)
"""The sections of the words that are not named like a command."""
LATIN = frozenset(
    re.findall(
        r"\w+",
        """Anna Eins III PDF HTML BRF PGN TRF JSON FEN UCI ZIP WAV PCM kHz TOML UTC PostgreSQL NAME HOST DATABASE
        postgresql Vosk Wyoming Python Unicode BRLTTY BrlAPI Markdown Chess BBQNNRKR https http mdns wheel info docs
        hearing md tsv scaling elsewhere approval table wav flac brf csv ics txt html fen id language event json text
        ueb draw svg none wyoming print anna eins whisper base ar de en he hu hy""",
    )
)
"""What stands in Latin letters in Armenian, Arabic and Hebrew too; commands and options do as well."""
NEVER_SAID = frozenset(
    {
        "%(prog)s, version %(version)s",
        "(dynamic)",
        "Arguments take exactly one parameter declaration, got {length}: {decls}.",
        "Boolean option {decl!r} cannot use the same flag for true/false.",
        "Choice({choices})",
        "Confirm the action without prompting.",
        "Could not determine name for option with declarations {decls!r}",
        "Could not open file {filename!r}: {message}",
        "Couldn't detect Bash version, shell completion is not supported.",
        "DeprecationWarning: The command {name!r} is deprecated.{extra_message}",
        "DeprecationWarning: The {param_type} {name!r} is deprecated.{extra_message}",
        "Do you want to continue?",
        "Invalid start character for option ({option})",
        "Missing parameter: {param_name}",
        "Missing {param_type}",
        "Name '{name}' defined twice",
        "No options defined but a name was passed ({name}). Did you mean to declare "
        "an argument instead? Did you mean to pass '--{name}'?",
        "Press any key to continue...",
        "Shell completion is not supported for Bash versions older than 4.4.",
        "Show the version and exit.",
        "Show this message and exit.",
        "Takes {nargs} values but 1 was given.",
        "Takes {nargs} values but {len} were given.",
        "Try '{command} {option}' for help.",
        "Unknown color {colour!r}",
        "Unknown standard stream '{name}'",
        "Value must be an iterable.",
        "Windows error: {error}",
        "d",
        "deprecated",
        "unknown error",
        "{editor}: Editing failed",
        "{editor}: Editing failed: {e}",
        "{len_type} values are required, but {len_value} was given.",
        "{len_type} values are required, but {len_value} were given.",
        "{name} {filename!r} is not executable.",
        "{value!r} does not match the format {format}.",
        "{value!r} does not match the formats {formats}.",
        "{value!r} is not a valid UUID.",
    }
)
"""What click can say and no command of ours lets it say: faults in code, editors, dates, colours, what is replaced."""


def speak(monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    for name in LOCALES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", language)


def commands(command: click.Command, *names: str) -> Iterator[tuple[str, click.Command]]:
    """The command and all below it, each with how it is called."""
    yield " ".join(names) or ROOT, command
    if isinstance(command, click.Group):
        with click.Context(command) as context:
            for name in command.list_commands(context):
                below = command.get_command(context, name)
                assert below is not None
                yield from commands(below, *names, name)


ALL = dict(commands(group))


@pytest.mark.parametrize("called", ALL)
def test_every_command_has_an_example_that_it_takes(
    called: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "recordings").mkdir()
    monkeypatch.chdir(tmp_path)
    speak(monkeypatch, "C")
    command = ALL[called]
    with click.Context(command, info_name=called) as context:
        told = (in_users_language(command, ROOT) if command is group else command).get_help(context)
    example = told.rpartition("Example:\n")[2].strip()
    assert example.startswith("anna-eins ") and "\n" not in example
    words = shlex.split(example.partition(" > ")[0])
    found, rest, path = group, words[1:], []
    while isinstance(found, click.Group):
        with click.Context(found) as context:
            below = found.get_command(context, rest[0])
        assert below is not None, example
        found, rest, path = below, rest[1:], [*path, rest[0]]
    assert isinstance(command, click.Group) or " ".join(path) == called
    found.make_context("example", rest)  # raises where an option or an argument is wrong


@pytest.mark.parametrize("language", OTHERS)
def test_the_help_of_every_command_is_in_every_language(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    speak(monkeypatch, f"{language}_XX.UTF-8")
    teach_click()
    known = {name for called in ALL for name in called.split()}
    for called, command in commands(in_users_language(group, ROOT)):
        with click.Context(command, info_name=f"{ROOT} {called}") as context:
            told = command.get_help(context)
        assert all(one.help for one in command.params if isinstance(one, click.Option | click.Argument))
        assert not re.search(r"Usage|Options|Commands|Example|Show th|\[default|\[required", told), told
        if language in ("hy", "ar", "he"):
            prose = re.sub(r"anna-eins .*|--?[a-z0-9-]+|\[[^\]]*\]|\S*[0-9/]\S*", " ", told)
            left = set(re.findall("[A-Za-z]{2,}", prose)) - LATIN - known
            assert not left, (called, left)


@pytest.mark.parametrize("language", OTHERS)
def test_no_sentence_of_the_command_line_is_left_in_english(language: str) -> None:
    english, other = load_messages("en", part=PART), load_messages(language, part=PART)
    same = {
        key
        for key, message in english.entries.items()
        if message.forms == other.entries[key].forms and re.search("[a-z]{3}", message.forms["other"])
    }
    assert not same


def test_every_word_of_the_catalogue_is_one_of_a_command_and_is_used(repo: Path) -> None:
    words = load_messages("en", part=PART)
    sections = {called.replace(" ", "-"): command for called, command in ALL.items()}
    used = {help_key(one, section, words) for section, command in sections.items() for one in command.params}
    used |= {f"{section}.{part}" for section in sections for part in ("about", "more")}
    of_commands = {key for key in words.entries if key.partition(".")[0] not in NOT_OF_A_COMMAND}
    assert of_commands <= used, "no command, option or argument has this name"
    assert {key for key in words.entries if key.startswith("common.")} <= used
    code = "".join(file.read_text("utf-8") for file in (repo / "server/cli").rglob("*.py"))
    for key in words.entries:
        section, _, name = key.partition(".")
        if section in ("ask", "answer", "wrong", "measured", "checked") or (section == "welcome" and "_" not in name):
            assert re.search(rf"[\"'](?:{section}\.)?{name}[\"']", code), f"{key} is said nowhere"
    assert {f"click.{key}" for key in SAID.values()} == {key for key in words.entries if key.startswith("click.")}


def test_all_that_click_says_has_words(repo: Path) -> None:
    """A newer click may say something new; then this test names it."""
    said = set()
    for file in Path(click.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("_", "ngettext"):
                texts = [one.value for one in node.args[:2] if isinstance(one, ast.Constant)]
                said |= {one for one in texts if isinstance(one, str)}
    assert said | {"required"} == SAID.keys() | NEVER_SAID


@pytest.mark.parametrize(
    ("named", "language"),
    [
        ({"LANG": "hu_HU.UTF-8"}, "hu"),
        ({"LANG": "hu_HU.UTF-8", "LC_MESSAGES": "de_AT"}, "de"),
        ({"LANG": "hu_HU.UTF-8", "LC_MESSAGES": "de_AT", "LC_ALL": "hy_AM"}, "hy"),
        ({"LANG": "hu_HU.UTF-8", "LANGUAGE": "fr:he:de"}, "he"),
        ({"LANG": "C.UTF-8", "LANGUAGE": "he"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_the_language_is_that_of_the_users_system(
    named: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    speak(monkeypatch, "")
    for name, value in named.items():
        monkeypatch.setenv(name, value)
    assert own_language() == language


def test_the_help_of_an_option_stands_in_the_catalogue(repo: Path) -> None:
    """What commands print is looked at in `tests/wording/test_sentences_in_every_language.py`."""
    for file in (repo / "server/cli").rglob("*.py"):
        nodes = ast.walk(ast.parse(file.read_text("utf-8")))
        assert not any(isinstance(node, ast.keyword) and node.arg == "help" for node in nodes), file.name


WITHOUT_FACTS = {
    **dict.fromkeys(("demo", "ears", "serve", "station", "train", "voice"), "it goes on until somebody ends it"),
    **dict.fromkeys(("record volunteer", "words serve"), "it goes on until somebody ends it"),
    **dict.fromkeys(("envelope", "score", "say", "words render"), "it makes a document, a sound or cells to read"),
    **dict.fromkeys(("words check", "words glossary"), "it tells a translator of each text"),
    "export": "--format json has the scores; its other files are for programs as they are",
    "hear": "it answers in JSON, a line for each case",
}
"""Why a command has no --json."""


def test_every_command_that_prints_facts_answers_programs_too() -> None:
    without = {called for called, one in ALL.items() if not any("--json" in param.opts for param in one.params)}
    groups = {called for called, one in ALL.items() if isinstance(one, click.Group)}
    assert without - groups == set(WITHOUT_FACTS)


def test_all_commands_were_walked() -> None:
    assert set(SUBCOMMANDS) < ALL.keys()


def test_a_slim_install_has_every_command_and_says_in_a_sentence_what_it_cannot(tmp_path: Path) -> None:
    lacking = ("ctranslate2", "espeakng_loader", "pyttsx3", "typst", "vosk")
    script = f"import sys; sys.modules.update(dict.fromkeys({lacking})); from server.cli import main; main()"
    run = [sys.executable, "-c", script]
    listed = subprocess.run([*run, "--help"], capture_output=True, text=True, check=False)
    assert listed.returncode == 0 and all(f"  {name} " in listed.stdout for name in SUBCOMMANDS), listed.stderr
    refused = subprocess.run([*run, "approve", "--data", str(tmp_path)], capture_output=True, text=True, check=False)
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1) and "cannot make a PDF" in refused.stderr


def test_a_shell_completes_commands_and_options() -> None:
    def completed(line: str) -> list[str]:
        words = {
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(line.split(" ")) - 1),
            "_ANNA_EINS_COMPLETE": "bash_complete",
        }
        command = [sys.executable, "-c", "from server.cli import main; main()"]
        done = subprocess.run(command, env=os.environ | words, capture_output=True, text=True, check=True)
        return done.stdout.split()

    assert completed("anna-eins re") == [
        "plain,reconcile",
        "plain,record",
        "plain,report",
        "plain,restore",
        "plain,results",
    ]
    assert completed("anna-eins serve --log-l") == ["plain,--log-level"]
    with pytest.MonkeyPatch.context() as patch:
        speak(patch, "ar_EG.UTF-8")
        assert completed("anna-eins record pre") == ["plain,prepare"]


def test_progress_is_shown_at_a_terminal_and_nowhere_else(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with progress_bar("Copying") as told:
        told(1, 2)
    assert capfd.readouterr() == ("", "")
    ours, theirs = os.openpty()
    with os.fdopen(theirs, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        with progress_bar("Copying") as told:
            told(1, 2)
    with os.fdopen(ours, "rb", buffering=0) as screen:
        seen = b""
        with suppress(OSError):  # the terminal was closed and all that stood on it was read
            while piece := screen.read(10_000):
                seen += piece
    assert "Copying" in seen.decode()


@pytest.mark.parametrize("name", ["say", "envelope", "record volunteer"])
def test_help_names_the_languages_there_are_and_no_text_names_them(name: str) -> None:
    """Another folder of a language is listed by itself."""
    told = CliRunner().invoke(group, [*name.split(), "--help"]).output
    assert f"[{'|'.join(language_tags())}]" in "".join(told.split()), told
    for tag in language_tags():
        texts = load_messages(tag, part="commands").entries.values()
        assert not [form for one in texts for form in one.forms.values() if re.search(r"\bhu\b.*\bhy\b", form)]
