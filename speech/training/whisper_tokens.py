"""The tokens of all that Whisper may write (`config/whisper/tokens.json`).

    python -m speech.training.whisper_tokens MODEL_FOLDER [--check]

It needs the package `tokenizers` (speech/training/requirements.txt) and the `tokenizer.json` of any Whisper model that
knows many languages. Every word of every scheme in every language is in it; to be run again whenever a word changes.
"""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from speech.recognisers.lexicon import languages_heard
from speech.recognisers.vocabulary import vocabulary_of
from speech.recognisers.whisper.settings import load_whisper
from speech.recognisers.whisper.spellings import TOKENS_FILE, spellings_of
from speech.words.config_file import config_root, names_in
from speech.words.loading import load_scheme


def every_text() -> list[str]:
    """Return every text that a word of any scheme may be written as, sorted."""
    names = load_whisper().letter_names
    found: set[str] = set()
    for scheme in names_in(config_root(None), "schemes"):
        for language in languages_heard():
            vocabulary = vocabulary_of(load_scheme(scheme, language))
            for word, forms in vocabulary.forms.items():
                found.update(spellings_of(word, forms, names.get(vocabulary.languages[word], {})))
    return sorted(found)


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), default=Path("config") / TOKENS_FILE)
def main(folder: Path, out: Path) -> None:
    """Write the tokens of all that Whisper may write (JSON, a line a text)."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    lines = []
    for text in every_text():
        tokens = tokenizer.encode(text, add_special_tokens=False).ids
        lines.append(f"{msgspec.json.encode(text).decode()}: {msgspec.json.encode(tokens).decode()}")
    out.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    click.echo(f"{len(lines)} texts in {out}.")


if __name__ == "__main__":
    main()
