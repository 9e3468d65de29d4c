"""The words of the command line come from the catalogue (`commands.toml` of each language), in its user's language.

The help of a command stands in the section that is named like it ("record-copy"), and the help of an option or an
argument there by its name, or in `[common]`. The code of a command has its example alone: a command, an option or an
argument that has no words is a fault, which `tests/cli/test_help.py` finds.
"""

from __future__ import annotations

import copy
import re

import click
import msgspec

from server.cli.terminal.language import own_language
from speech.complaint import Complaint, Phrase
from speech.words.catalogue import load_messages, phrase_in
from speech.words.messages import Messages

PART = "commands"
EXAMPLE = "\b\nExample:\n  "
"""How the example of a command begins in its code; below the user reads the first word in their own language."""
ROOT = "anna-eins"
_PUT_IN = re.compile("[A-Z]+")


def words() -> Messages:
    """Return the words of the command line, in its user's language."""
    return load_messages(own_language(), part=PART)


def in_users_language(command: click.Command, path: str) -> click.Command:
    """Return a copy of a command whose help is in its user's language. `path`: how it is called, as "record copy".

    Raises KeyError where the catalogue has no words for a part of it.
    """
    told, section = words(), path.replace(" ", "-")
    made = copy.copy(command)
    if "_help_option" in vars(made):
        vars(made)["_help_option"] = None  # else click keeps it in the language in which it was first asked for
    more = f"{section}.more"
    made.help = told.text(f"{section}.about") + (f"\n\n{told.text(more)}" if more in told else "")
    if command.epilog is not None and command.epilog.startswith(EXAMPLE):
        made.epilog = EXAMPLE.replace("Example:", told.text("frame.example")) + command.epilog.removeprefix(EXAMPLE)
    made.options_metavar = told.text("frame.options")
    made.params = [_parameter(one, section, told) for one in command.params]
    if isinstance(made, click.Group):
        free = made.invoke_without_command
        made.subcommand_metavar = told.text("frame.optional_command" if free else "frame.command")
        below = "" if path == ROOT else f"{path} "
        made.commands = {name: in_users_language(one, f"{below}{name}") for name, one in made.commands.items()}
    return made


def help_key(parameter: click.Parameter, section: str, told: Messages) -> str:
    """Return the key of the help of an option or an argument: the command's own, else the common one."""
    long = [name for name in parameter.opts if name.startswith("--")]
    name = (long[0] if long else parameter.name or "").lstrip("-")
    own = f"{section}.{name}"
    return own if own in told else f"common.{name}"


def _parameter(parameter: click.Parameter, section: str, told: Messages) -> click.Parameter:
    made = copy.copy(parameter)
    if isinstance(made, click.Option | click.Argument):
        made.help = told.text(help_key(parameter, section, told))
    flag = isinstance(parameter, click.Option) and (parameter.is_flag or parameter.count)
    if not flag and not isinstance(parameter.type, click.Choice):
        made.metavar = _PUT_IN.sub(lambda one: told.text(f"put_in.{one[0]}"), _put_in(parameter))
    return made


def _put_in(parameter: click.Parameter) -> str:
    """Return the placeholder for a value in the help, in capitals of English."""
    if parameter.metavar is not None:
        return parameter.metavar
    if isinstance(parameter, click.Argument):
        name = (parameter.name or "").upper()
        return name if parameter.required else f"[{name}]"
    if isinstance(parameter.type, click.Path):
        return "DIR" if parameter.type.dir_okay and not parameter.type.file_okay else "FILE"
    return "N" if isinstance(parameter.type, click.types.IntParamType | click.types.FloatParamType) else "TEXT"


def answer_text(key: str, /, **values: object) -> str:
    """Return a sentence of the command line in its user's language. `key`: of its words, as "answer.opened"."""
    return words().text(key, **values)


QUIET = "anna-eins.quiet"
"""Under this key the context says whether only what was asked for is said, and what is wrong."""


def is_quiet() -> bool:
    """Say whether this command line was begun with --quiet."""
    ctx = click.get_current_context(silent=True)
    return ctx is not None and bool(ctx.meta.get(QUIET))


def _say_facts_alone(ctx: click.Context, _param: click.Parameter, as_json: bool) -> bool:
    """Say no sentence of what is done where a program reads the answer."""
    if as_json:
        ctx.meta[QUIET] = True
    return as_json


JSON = click.option("--json", "as_json", is_flag=True, callback=_say_facts_alone)
"""With this option a command answers programs: with its facts alone, as JSON (`tell_facts`)."""


def tell_facts(facts: object) -> None:
    """Print the facts that a command answers a program."""
    click.echo(msgspec.json.encode(facts).decode())


def tell(key: str, /, *, err: bool = False, **values: object) -> None:
    """Print what a command has done (`answer` of the words), unless it is to be quiet; `err`: where faults go."""
    if is_quiet() and not err:
        return
    click.echo(answer_text(f"answer.{key}", **values), err=err)


def wrong(key: str, /, **values: object) -> Complaint:
    """Return what is wrong with what a command was given (`wrong` of the words), to be raised."""
    return Complaint(answer_text(f"wrong.{key}", **values))


def not_written(place: object, failed: OSError, key: str = "not_written") -> Complaint:
    """Return that a file or a folder cannot be written, to be raised; `key`: with which advice."""
    return wrong(key, place=str(place), why=failed.strerror or failed)


def in_own_words(said: str | Phrase) -> str:
    """Return a complaint or an answer in the user's language, where the catalogue has it."""
    return said if isinstance(said, str) else phrase_in(said, own_language())
