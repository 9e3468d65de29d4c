"""The page on which a native arbiter corrects a language is complete, of today in docs, and read back as it was."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from server.exports.guide import ROLES
from server.exports.samples import MOST_EXAMPLES, examples_of
from server.exports.words.correction import correction_of, english_of, texts_to_correct
from server.exports.words.guides import guides_of, passages_by_key, signs_of
from server.exports.words.proof import MAY_WAIT, SUBJECTS, chapter_with, chapters_of, labels_of, minutes_of, proof_of
from speech.words.catalogue import PARTS, load_messages, places_of
from speech.words.config_file import language_tags
from speech.words.messages import FIRST_STRONG, POP, isolate_text
from speech.words.proof import (
    ENGLISH,
    Labels,
    Pair,
    Proof,
    ProofItem,
    Subject,
    chapter_of,
    proof_markdown,
    read_back,
    tag_of,
)

TAGS = language_tags()
LABELS = Labels("Deutsch", "Beispiel")
NUMBERED = Labels("Deutsch", "Beispiel", {"one": "1", "other": "0, 2, 3 .."}, {"one": "1", "other": "0, 2, 3 .."})


def german(*items: ProofItem, labels: Labels = LABELS) -> str:
    return proof_markdown(
        Proof(
            "de",
            labels,
            "Deutsch",
            ["Bitte lesen."],
            [Subject("Gesagt", items), Subject("Gehört", (), [Pair("Yes.", "Ja.")])],
        )
    )


@pytest.mark.parametrize("tag", TAGS)
def test_a_page_comes_back_as_it_went(tag: str) -> None:
    page = proof_of(tag)
    assert tag_of(page) == tag
    back = read_back(page, labels_of(tag))
    texts = texts_to_correct(tag)
    assert not back.complaints
    assert {key: {form: text.text for form, text in item.own.items()} for key, item in back.items.items()} == texts
    correction = correction_of(back, tag, "page.md")
    assert (correction.changes, correction.complaints) == ((), ())
    english = {key: {form: text.text for form, text in item.english.items()} for key, item in back.items.items()}
    assert tag == "en" or english == english_of(texts)


def test_every_text_has_its_chapter_and_what_is_said_comes_before_the_pages() -> None:
    heads = [head for heads in SUBJECTS.values() for head in heads]
    assert all(any(key.startswith(head) for key in texts_to_correct("de")) for head in heads)
    assert list(SUBJECTS)[:5] == ["said", "heard", "player", "laws", "arbiter"]
    assert tuple(SUBJECTS)[-len(MAY_WAIT) :] == MAY_WAIT
    assert {f"subject.{name}" for name in SUBJECTS} | {"proof.example"} <= load_messages(
        "en", part="proof"
    ).entries.keys()


@pytest.mark.parametrize("tag", TAGS)
def test_every_sentence_with_a_place_has_examples_without_one(tag: str) -> None:
    for part in PARTS:
        messages = load_messages(tag, part=part)
        for key, message in messages.entries.items():
            examples = examples_of(f"{part}.{key}", tag)
            forms = {form if message.plural else "" for form, text in message.forms.items() if places_of(text)}
            assert {form for form, _ in examples} == forms
            assert len(examples) <= MOST_EXAMPLES * len(message.forms)
            # One name in braces is explained by the page itself.
            assert all("{" not in text for _, text in examples) or f"{part}.{key}" == "proof.proof.leave"


def test_a_plural_is_shown_in_each_of_its_forms_and_a_player_in_both_colours() -> None:
    assert examples_of("messages.clock.to_control", "en") == [
        ("one", "1 move to the time control."),
        ("other", "2 moves to the time control."),
    ]
    arabic = load_messages("ar").entries["unit.hour"].forms
    assert {form for form, text in arabic.items() if "{" in text} == {
        form for form, _ in examples_of("messages.unit.hour", "ar")
    }
    assert examples_of("messages.detail.calls", "en") == [
        ("", "White calls the arbiter (6.11.2)"),
        ("", "Black calls the arbiter (6.11.2)"),
    ]


def test_what_is_put_into_arabic_is_isolated_and_each_line_to_correct_begins_with_its_letters() -> None:
    (first, _) = examples_of("messages.detail.on_record", "ar")
    assert isolate_text("1-0") in first[1]
    page = proof_of("ar")
    own = labels_of("ar").own
    lines = [line for line in page.splitlines() if line.startswith(f"{own}:") or line.startswith(f"{own} [")]
    assert len(lines) > 2000 and not any(mark in line for line in lines for mark in (FIRST_STRONG, POP, "\u200f"))


def test_a_block_is_a_key_the_english_the_own_text_and_the_examples() -> None:
    item = ProofItem(
        "messages.unit.hour",
        {"one": "{count} hour", "other": "{count} hours"},
        {"one": "eine Stunde", "other": "{count} Stunden"},
        [("other", "2 Stunden")],
    )
    page = german(item, labels=NUMBERED)
    assert page == (
        "<!-- anna-eins words: de -->\n\n# Deutsch\n\nBitte lesen.\n\n## Gesagt\n\n### [ ] messages.unit.hour\n"
        "English [one: 1]: {count} hour\n\nEnglish [other: 0, 2, 3 ..]: {count} hours\n\n"
        "Deutsch [one: 1]: eine Stunde\n\nDeutsch [other: 0, 2, 3 ..]: {count} Stunden\n\n"
        "Beispiel [other]: 2 Stunden\n\n## Gehört\n\nEnglish: Yes.\n\nBeispiel: Ja.\n"
    )
    back = read_back(page, LABELS).items["messages.unit.hour"]
    assert {form: (text.text, text.line) for form, text in back.own.items()} == {
        "one": ("eine Stunde", 14),
        "other": ("{count} Stunden", 16),
    }


@pytest.mark.parametrize(
    "saved",
    [
        lambda page: page.replace("\n", "\r\n"),
        lambda page: "\ufeff" + page,
        lambda page: page.replace("\n\n", "\n"),
        lambda page: page.replace("Deutsch: ", "  Deutsch:\t"),
        lambda page: page.replace("Deutsch: J", "\u200fDeutsch:\u200e J"),
        lambda page: page.replace("ü", "u\u0308"),
    ],
)
def test_what_an_editor_does_to_a_file_changes_no_text(saved) -> None:  # type: ignore[no-untyped-def]
    page = german(ProofItem("say.yes", {"": "Yes"}, {"": "Ja, übrigens"}))
    back = read_back(saved(page), LABELS)
    assert tag_of(saved(page)) == "de" and not back.complaints
    assert back.items["say.yes"].own[""].text == "Ja, übrigens"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("eine Bemerkung", r"it begins with none of \"Deutsch:\", \"English:\", \"Beispiel:\"; write each text behind"),
        ("Deutsch: Nein", r"this text of say\.yes stands here a second time; keep one line"),
        ("### say.yes", r"the key say\.yes stands here a second time; keep one of them"),
        ("### say yes", "a key is ### and one word; restore it as it was"),
    ],
)
def test_a_line_that_cannot_be_placed_is_named(line: str, told: str) -> None:
    page = german(ProofItem("say.yes", {"": "Yes"}, {"": "Ja"})).replace("Deutsch: Ja\n", f"Deutsch: Ja\n{line}\n")
    (wrong,) = read_back(page, LABELS).complaints
    assert wrong.line == page.splitlines().index(line) + 1 or line.startswith("### say.yes")
    assert re.match(told, str(wrong.text))


def test_a_tick_a_remark_and_a_wrapped_line_come_back() -> None:
    long = "Die Ansage passt nicht zur Stellung auf dem Brett, deshalb wird sie nicht ausgeführt"
    page = german(
        ProofItem("say.no", {"": "No"}, {"": "Nein"}, reviewed=True),
        ProofItem("say.long", {"": "Long"}, {"": long}, [("", "Die Stellung auf dem Brett ist eine ganz andere")]),
        ProofItem("say.yes", {"": "Yes"}, {"": "Ja"}),
    )
    assert "### say.no\n" in page, "what is reviewed has no box"
    page = page.replace("### [ ] say.yes", "### [x] say.yes").replace("dem Brett, ", "dem Brett,\n").replace(
        "ist eine ganz", "ist\neine ganz"
    ).replace("Deutsch: Ja\n", "Deutsch: Ja\n> Man sagt hier wohl eher Jawohl, wenn\nman es sagt.\n")  # fmt: skip
    back = read_back(page, LABELS)
    assert not back.complaints
    assert {key: item.verdict for key, item in back.items.items()} == {"say.no": "", "say.long": "", "say.yes": "right"}
    assert back.items["say.long"].own[""].text == long
    assert back.items["say.yes"].own[""].text == "Ja"
    assert back.items["say.yes"].remarks == ["Man sagt hier wohl eher Jawohl, wenn man es sagt."]


@pytest.mark.parametrize("tag", TAGS)
def test_each_chapter_can_be_written_alone_and_says_its_minutes(tag: str) -> None:
    chapters = chapters_of(tag)
    assert sum(map(len, chapters.values())) == len(texts_to_correct(tag))
    page = proof_of(tag, "laws")
    assert (tag_of(page), chapter_of(page)) == (tag, "laws")
    items = read_back(page, labels_of(tag)).items
    assert set(items) == {key for key in texts_to_correct(tag) if key.startswith("laws.")}
    assert f" {len(items)}" in page.split("\n## ", 1)[1].splitlines()[0]
    matter = [name for name in chapters if name not in (*MAY_WAIT, "heard")]
    minutes = {name: minutes_of(chapters[name]) for name in matter}
    assert minutes["said"] <= 45 and minutes["player"] <= 45 and minutes["laws"] <= 20 and minutes["arbiter"] <= 65


@pytest.mark.parametrize("tag", TAGS)
def test_a_guide_stands_in_the_chapter_of_its_reader_beside_its_english(tag: str, repo: Path) -> None:
    there = {file.stem for file in (repo / "config" / "languages" / tag / "guides").glob("*.md")}
    assert guides_of(tag).keys() == there, "a guide has the passages of the English one, in their order"
    english, texts = texts_to_correct("en"), texts_to_correct(tag)
    shown = {key: name for name, items in chapters_of(tag).items() for key in (item.key for item in items)}
    for key, one in passages_by_key(tag).items():
        assert shown[key] == chapter_with(key) and texts[key] == {"": one.text}
        assert signs_of(one.text) == signs_of(english[key][""]), key
    assert {role: chapter_with(f"guide.{role}.1") for role in ROLES} == {
        "player": "player",
        "opponent": "rare",
        "assistant": "pages",
        "arbiter": "pages",
        "organiser": "pages",
    }


def test_the_labels_of_a_language_differ() -> None:
    for tag in TAGS:
        labels = labels_of(tag)
        assert len({labels.own, labels.example, ENGLISH}) == (2 if tag == "en" else 3)
