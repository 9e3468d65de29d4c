"""`anna-eins words` writes all the words of a language for a native arbiter, and takes the corrected file back."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Iterable, Mapping
from datetime import datetime
from importlib.resources.abc import Traversable
from pathlib import Path

import click
from aiohttp import web

from server.cli.keeping.progress import progress_bar
from server.cli.terminal.elsewhere import asked_to_end
from server.cli.terminal.words import answer_text, in_own_words, tell, wrong
from server.exports.words.correction import Correction, ProofReader, correction_of, texts_to_correct
from server.exports.words.glossary import deviations_in, glossary_of
from server.exports.words.page import page_of
from server.exports.words.proof import SUBJECTS, chapter_with, labels_of, proof_of
from server.exports.words.saved import read_saved
from server.exports.words.serving import HERE, app_of
from speech.audio.sound import Sound
from speech.complaint import Complaint, Phrase
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from speech.voices.respelling import respell_words, respellings
from speech.voices.voice import Manner, Segment
from speech.words.config_file import LANGUAGES, config_root, language_tags, names_in, of_language, place_of_config
from speech.words.loading import load_scheme
from speech.words.proof import RIGHT, UNSURE, WRONG, chapter_of, read_back, tag_of

FOLDER = Path("docs/words")
VERDICTS = {RIGHT: "answer.word_is_right", WRONG: "answer.word_is_wrong", UNSURE: "answer.word_is_unsure"}
PORT = 8090
"""Where the page is served if no port is named: what a browser keeps of it belongs to its port."""


@click.group("words", epilog="\b\nExample:\n  anna-eins words render de --out de.md")
def command() -> None:
    """Let a native arbiter read and correct all the words of a language."""


@command.command("render", epilog="\b\nExample:\n  anna-eins words render de --out de.md")
@click.argument("tag", required=False, metavar="[TAG]")
@click.option("--chapter", type=click.Choice(list(SUBJECTS)))
@click.option("--all", "every", is_flag=True)
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--page", type=click.Path(path_type=Path), metavar="FILE")
def render(tag: str | None, chapter: str | None, every: bool, out: Path | None, page: Path | None) -> None:
    """Write the words of the language TAG as Markdown or as a page, with the English and with examples.

    With --all: into docs/words of a clone, or the folder that --out names.
    """
    if every == (tag is not None):
        raise Complaint(Phrase("proof.one_or_all"))
    if tag is not None:
        _check_known(tag)
        if page is not None:
            _write({page: page_of(tag, sound=False)})
        elif out is None:
            click.echo(proof_of(tag, chapter or ""), nl=False)
        else:
            _write({out: proof_of(tag, chapter or "")})
        return
    folder = out or FOLDER
    if out is None and folder.parent.is_dir():
        folder.mkdir(exist_ok=True)
    if not folder.is_dir():
        raise wrong("no_folder", folder=str(folder))
    tags = language_tags()
    pages = {}
    with progress_bar(answer_text("answer.writing_words")) as progress:
        for number, one in enumerate(tags):
            progress(number, len(tags))
            pages[folder / f"{one}.md"] = proof_of(one, chapter or "")
    _write(pages)


@command.command("serve", epilog="\b\nExample:\n  anna-eins words serve hu --open")
@click.argument("tag", metavar="TAG")
@click.option("--port", default=PORT, show_default=True, type=click.IntRange(0, 65535))
@click.option("--open", "opened", is_flag=True)
def serve(tag: str, port: int, opened: bool) -> None:
    """Open a page on which a native reads the words of the language TAG, with sound, until interrupted."""
    _check_known(tag)
    asyncio.run(_serve_proof(tag, port, opened=opened))


async def _serve_proof(tag: str, port: int, *, opened: bool) -> None:
    import webbrowser

    voice = Pyttsx3Voice()

    async def speak(text: str) -> Sound:
        return await voice.render([Segment(respell_words(text, respellings(tag)), tag)], Manner(None, 1.0, 50))

    runner = web.AppRunner(app_of(tag, speak))
    await runner.setup()
    try:
        site = web.TCPSite(runner, HERE, port)
        try:
            await site.start()
        except OSError as failed:
            raise wrong("words_port", port=port, why=failed.strerror) from failed
        address = f"http://localhost:{runner.addresses[0][1]}/"
        tell("words_served", address=address)
        if opened:
            asyncio.get_running_loop().run_in_executor(None, webbrowser.open, address)
        await asked_to_end()
    finally:
        await runner.cleanup()
        await voice.close()


@command.command("glossary", epilog="\b\nExample:\n  anna-eins words glossary de")
@click.argument("tag", metavar="TAG")
def glossary(tag: str) -> None:
    """List the glossary of the language TAG, and each text that has a word which the glossary replaces."""
    _check_known(tag)
    for term in glossary_of(tag):
        click.echo(f"{term.english}: {term.own}{f' ({term.instead_of})' if term.instead_of else ''}")
    deviations = list(deviations_in(tag))
    tell("words_deviate", number=len(deviations))
    for one in deviations:
        click.echo(f"{one.key}: {one.found} – {one.term.own}\n  {one.text}")


@command.command("check", epilog="\b\nExample:\n  anna-eins words check de.md --dry-run")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--partial", is_flag=True)
@click.option("--dry-run", is_flag=True)
@click.option("--by", default="", metavar="NAME")
@click.option("--config", type=click.Path(path_type=Path), metavar="DIR")
def check(file: Path, partial: bool, dry_run: bool, by: str, config: Path | None) -> None:
    """Take back a corrected FILE of `words render` or of the page: check it, show what it changes, mark what is ticked.

    Where a line cannot be used, one sentence names it, and nothing is written.
    """
    if not by.isprintable():
        raise Complaint(Phrase("proof.name"))
    if config is not None and not (config / LANGUAGES).is_dir():
        raise Complaint(Phrase("proof.no_config", folder=config))
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except OSError as failed:
        raise Complaint(Phrase("files.unread", place=file, why=failed.strerror)) from None
    except UnicodeDecodeError:
        raise Complaint(Phrase("proof.not_utf8", file=file)) from None
    today = datetime.now().astimezone().date().isoformat()
    tag, correction = _correction(text, file, config, by, today, partial=partial)
    if correction.complaints:
        for sentence in correction.complaints:
            click.echo(in_own_words(sentence), err=True)
        sys.exit(2)
    _try_out(correction, tag, config)
    for change in correction.changes:
        click.echo(f"{change.key}{f' [{change.form}]' if change.form else ''}")
        click.echo(f"  - {change.before}\n  + {change.after}")
    for remark in correction.remarks:
        verdict = answer_text(VERDICTS[remark.verdict]) if remark.verdict else ""
        click.echo(f"{remark.key}: {' '.join(part for part in (verdict, remark.text) if part)}")
    for sentence in correction.passed_over:
        click.echo(in_own_words(sentence))
    counts = {"changed": len(correction.changes), "reviewed": correction.reviewed, "of": correction.of}
    counted = answer_text("answer.words_changed", **counts)
    if dry_run:
        tell("words_not_written", counted=counted)
        return
    folder = config if config is not None else Path(str(config_root(None)))
    files = {Path(str(place_of_config(path, config))): text for path, text in correction.files.items()}
    _check_open(files, folder)
    _write(files)
    tell("words_anew", counted=counted, command="anna-eins words render --all")


def _correction(
    text: str, file: Path, config: Path | None, by: str, today: str, *, partial: bool
) -> tuple[str, Correction]:
    """Return the language of a file that came back, and what it changes. Raises Complaint."""
    if text.lstrip().startswith("{"):
        saved = read_saved(text, file.name)
        _check_known(saved.tag)
        return saved.tag, correction_of(
            saved.proof, saved.tag, file.name, config, reader=ProofReader(by or saved.by, today)
        )
    tag = tag_of(text)
    if tag is None:
        raise Complaint(Phrase("proof.not_rendered", file=file, command="anna-eins words render"))
    _check_known(tag)
    chapter = chapter_of(text)
    wanted = (
        {key for key in texts_to_correct(tag, config) if chapter in ("", chapter_with(key))} if not partial else set()
    )
    back = read_back(text, labels_of(tag))
    return tag, correction_of(back, tag, file.name, config, wanted=wanted, reader=ProofReader(by, today))


def _check_known(tag: str) -> None:
    """Raise Complaint where there are no words in a language."""
    if tag not in language_tags():
        raise Complaint(Phrase("words.no_words", tag=tag, known=", ".join(language_tags())))


def _try_out(correction: Correction, tag: str, config: Path | None) -> None:
    """Load the changed files from a copy, as the program does at its start. Raises Complaint: nothing is written."""
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place)
        _copy(config_root(config), copy)
        if not (own := copy / of_language(tag, "")).is_dir():
            own.mkdir()
            _copy(place_of_config(of_language(tag, "").rstrip("/"), config), own)
        for path, text in correction.files.items():
            (copy / path).write_text(text, encoding="utf-8", newline="")
        texts = texts_to_correct(tag, copy)
        for scheme in names_in(copy, "schemes"):
            load_scheme(scheme, tag, copy)
    for change in correction.changes:
        if texts[change.key].get(change.form, "") != change.after:
            raise Complaint(Phrase("proof.not_changed", key=change.key))


def _copy(folder: Traversable, to: Path) -> None:
    """Copy the TOML files and the guides of a folder of configuration, which may lie in an archive."""
    for entry in folder.iterdir():
        if entry.is_dir():
            (to / entry.name).mkdir()
            _copy(entry, to / entry.name)
        elif entry.name.endswith((".toml", ".md")):
            (to / entry.name).write_bytes(entry.read_bytes())


def _check_open(files: Iterable[Path], folder: Path) -> None:
    """Raise Complaint where one of the files cannot be written, before any is."""
    for path in files:
        try:
            path.open("r+b").close()
        except OSError:
            raise Complaint(Phrase("proof.config_unwritten", folder=folder)) from None


def _write(files: Mapping[Path, str]) -> None:
    """Write files; Complaint where one cannot be written."""
    for path, text in files.items():
        try:
            path.write_text(text, encoding="utf-8", newline="")
        except OSError as failed:
            raise Complaint(Phrase("files.unwritten", place=path, why=failed.strerror)) from None
