"""Texts of the library click itself ("Usage", "Missing option"), in the user's language.

Click asks Python's `gettext` for each such text. That reads compiled files alone, and so would need words beside the
catalogue; here the function that click's modules call is one that asks the catalogue, by the English text.
"""

from __future__ import annotations

import sys

from server.cli.terminal.words import words
from speech.words.messages import ONLY

SAID = {
    "Usage:": "usage",
    "Options": "options",
    "Commands": "commands",
    "Positional arguments": "arguments",
    "default: {default}": "default",
    "env var: {var}": "environment",
    "required": "required",
    "Show this message and exit.": "help",
    "path": "path",
    "file": "file",
    "directory": "directory",
    "Error: {message}": "error",
    "Aborted!": "abort",
    "No such option {name!r}.": "no_such_option",
    "No such command {name!r}.": "no_such_command",
    "Did you mean {possibility}?": "did_you_mean",
    "(Did you mean one of: {possibilities}?)": "did_you_mean_one",
    "Missing argument": "missing_argument",
    "Missing option": "missing_option",
    "Missing parameter": "missing_parameter",
    "Missing command.": "missing_command",
    "Invalid value: {message}": "invalid",
    "Invalid value for {param_hint}: {message}": "invalid_for",
    "{value!r} is not {choice}.": "no_choice",
    "{value!r} is not one of {choices}.": "no_choices",
    "Choose from:\n\t{choices}": "choose",
    "{value!r} is not a valid {number_type}.": "no_number",
    "{value} is not in the range {range}.": "out_of_range",
    "{value!r} is not a valid boolean. Recognized values: {states}": "no_boolean",
    "{name} {filename!r} does not exist.": "not_there",
    "{name} {filename!r} is a file.": "is_file",
    "{name} {filename!r} is a directory.": "is_directory",
    "{name} {filename!r} is not readable.": "not_readable",
    "{name} {filename!r} is not writable.": "not_writable",
    "Option {name!r} does not take a value.": "no_value",
    "Option {name!r} requires {nargs} arguments.": "needs_values",
    "Option {name!r} requires an argument.": "needs_value",
    "Argument {name!r} takes {nargs} values.": "argument_takes",
    "Got unexpected extra argument ({args})": "unexpected",
    "Got unexpected extra arguments ({args})": "unexpected",
    "Error: The two entered values do not match.": "unlike",
    "Repeat for confirmation": "again",
    "Error: invalid input": "wrong_input",
}
"""Text of click -> its key in `click` of the words."""


def in_own_language(text: str) -> str:
    """Return a text of click in the user's language, its places not yet filled in."""
    key = SAID.get(text)
    return text if key is None else words().entries[f"click.{key}"].forms[ONLY]


def teach_click() -> None:
    """Let every module of click ask the catalogue; to be done before a command is loaded."""
    for name, module in tuple(sys.modules.items()):
        if name.startswith("click."):
            texts = vars(module)
            if "_" in texts:
                texts["_"] = in_own_language
            if "ngettext" in texts:
                texts["ngettext"] = lambda one, many, n: in_own_language(one if n == 1 else many)
