"""Points of the Laws in short words, read to a player by the arbiter's release alone (11.9)."""

from __future__ import annotations

import re
import shutil
import unicodedata
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.values.words import Duty, Role, Seat, Station
from server.game.views import messages as msg
from server.game.views.view import view
from server.wording.laws import check_laws, law_words
from speech.complaint import Complaint
from speech.words.catalogue import load_messages, texts_in
from speech.words.config_file import language_tags
from tests.game.core_table import CoreTable, only
from tests.table.open_hall import STATIONS, played

ARTICLE_NUMBER = re.compile(r"D\.2(?:\.\d+)?|9\.[23]")

AT_THE_BOARD = [
    "1.3",
    "4.1",
    "4.2",
    "4.3",
    "4.4",
    "4.5",
    "4.6",
    "4.7",
    "4.8",
    "5.1.1",
    "5.1.2",
    "5.2.1",
    "5.2.2",
    "5.2.3",
    "6.2.1",
    "6.2.2",
    "6.2.3",
    "6.2.4",
    "6.7",
    "6.8",
    "6.9",
    "6.11.2",
    "7.5.1",
    "7.5.2",
    "7.5.3",
    "7.5.4",
    "7.5.5",
    "8.1",
    "8.4",
    "8.5",
    "9.1",
    "9.2",
    "9.3",
    "9.4",
    "9.5",
    "9.6",
    "11.3",
    "11.5",
    "11.9",
    "12.9",
    "D.2.1",
    "D.2.2",
    "D.2.3",
    "D.2.4",
    "D.2.5",
    "D.2.6",
    "D.2.7",
    "D.2.8",
    "D.2.9",
    "D.2.10",
    "D.2.11",
]


@pytest.mark.law("L130")
@pytest.mark.parametrize("language", language_tags())
@pytest.mark.parametrize("article", AT_THE_BOARD)
def test_every_article_at_the_board_has_short_words(language: str, article: str) -> None:
    text, tag = law_words(article, "fide2023", language)
    assert tag == language and 20 < len(text) < 420 and text.endswith((".", "։"))


@pytest.mark.law("L130")
@pytest.mark.parametrize("language", sorted(set(language_tags()) - {"de", "en"}))
def test_a_proposal_says_so_keeps_the_numbers_and_is_in_its_own_script(language: str) -> None:
    entries = load_messages(language, part="laws").entries
    assert {message.review for message in entries.values()} <= {"needs native review", "reviewed"}
    english, own = texts_in("laws", "en"), texts_in("laws", language)
    assert len(own) >= len(AT_THE_BOARD)
    script = {"hu": "LATIN", "hy": "ARMENIAN", "ar": "ARABIC", "he": "HEBREW"}[language]
    for article, words in own.items():
        numbers = set(ARTICLE_NUMBER.findall(english[article]))
        assert set(ARTICLE_NUMBER.findall(words)) == numbers, article
        letters = [letter for letter in re.sub(r"D\.2|Anna|Hector", "", words) if letter.isalpha()]
        assert all(unicodedata.name(letter).startswith(script) for letter in letters), article
        assert words != english[article]


@pytest.mark.law("L130")
def test_the_words_follow_the_edition_and_fall_back_to_english() -> None:
    assert law_words("5.1.2", "fide2018", "en") != law_words("5.1.2", "fide2023", "en")
    assert law_words("4.3", "fide2018", "de") == law_words("4.3", "fide2023", "de")
    assert "third" in law_words("7.5.5", "short", "en")[0]
    assert law_words("4.1", "fide2023", "fr") == law_words("4.1", "fide2023", "en")
    assert law_words("3.8", "fide2023", "de") == ("", "de")


@pytest.mark.law("L130")
@pytest.mark.parametrize(
    ("toml", "named"),
    [
        ('[articles]\n"4.1" = ""', 'articles."4.1"'),
        ('[articles]\n"four" = "x"', "articles.four"),
        ('[articles]\n"4.1" = "x"\n[fide1999]\n"4.1" = "y"', "fide1999"),
        ('[articles]\n"4.1" = "x"\n[fide2018]\n"4.2" = "y"', 'fide2018."4.2"'),
        ("[fide2018]", "articles"),
        ("articles = 3", "articles"),
        ("[articles", "TOML"),
    ],
)
def test_a_bad_file_is_named_with_its_key(tmp_path: Path, toml: str, named: str) -> None:
    file = laws_in(tmp_path, "en", toml)
    with pytest.raises(Complaint) as wrong:
        check_laws(tmp_path)
    assert file in str(wrong.value) and named in str(wrong.value)


@pytest.mark.law("L130")
def test_a_language_that_lacks_an_article_is_a_complaint(tmp_path: Path) -> None:
    laws_in(tmp_path, "en", '[articles]\n"4.1" = "a"\n"4.2" = "b"\n')
    laws_in(tmp_path, "de", '[articles]\n"4.1" = "a"\n')
    with pytest.raises(Complaint, match=r'de/words/laws.toml, key articles."4.2"'):
        load_messages("de", tmp_path, part="laws")


def laws_in(root: Path, tag: str, toml: str) -> str:
    """Write the words of one language; return the name of the file in a complaint."""
    folder = root / "languages" / tag / "words"
    folder.mkdir(parents=True)
    shutil.copy(str(files("config") / "languages" / tag / "language.toml"), folder.parent)
    (folder / "laws.toml").write_text(f'origin = "proposal"\nreview = "source"\n{toml}', "utf-8")
    return f"config/languages/{tag}/words/laws.toml"


@pytest.mark.law("L130")
def test_the_request_goes_to_the_arbiter_and_the_core_holds_the_number_alone() -> None:
    table = CoreTable()
    helper = table.assistant(Seat.WHITE, Duty.INFORM)
    for station in ("white", helper):
        events = table.done(station, cmd.AskLaw(article="9.2"))
        assert only(events, ev.LawAsked)[0].seat is Seat.WHITE
        assert [(one.kind, "9.2" in one.detail) for one in only(events, ev.Alerted)] == [("law_asked", True)]
        for event in events:
            for one in table.state.stations.admitted:
                assert (view(event, table.state, one) is not None) is (one.role is Role.ARBITER)
    assert table.do("white", cmd.ReleaseLaw(seat=Seat.WHITE, article="9.2")) == Refusal("only_the_arbiter", "12.3")
    table.own(cmd.Admit(station="other", role=Role.ASSISTANT, seat=Seat.WHITE, duties=(Duty.EXECUTE,)))
    assert table.do("other", cmd.AskLaw(article="9.2")) == Refusal("not_your_duty", "D.2.10.4")
    (released,) = table.done("arbiter", cmd.ReleaseLaw(seat=Seat.WHITE, article="9.2"))
    assert view(released, table.state, Station("white", Role.PLAYER, Seat.WHITE)) == msg.LawRead(article="9.2")
    for one in (Station("b", Role.PLAYER, Seat.BLACK), Station("d", Role.DISPLAY), Station("o", Role.OBSERVER)):
        assert view(released, table.state, one) is None
    assert table.state.time.clock.running is Seat.WHITE


@pytest.mark.law("L130")
async def test_the_player_hears_it_in_their_language_when_the_arbiter_releases_it(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        await game.done("white", cmd.AskLaw(article="9.2"))
        assert not game.ears["white"].of(msg.LawRead)
        await game.done("arbiter", cmd.ReleaseLaw(seat=Seat.WHITE, article="9.2"))
        (read,) = game.ears["white"].of(msg.LawRead)
        assert (read.text, read.language) == law_words("9.2", "fide2023", "de")
        await game.told()
        events = [one.event for one in game.ears["arbiter"].of(msg.Recorded)]
        pieces = [one.text for one in events if isinstance(one, ev.SpokenPrivately)]
        assert " ".join(pieces) == read.text
        assert not game.ears["black"].of(msg.LawRead)
        refused = await game.do("arbiter", cmd.ReleaseLaw(seat=Seat.WHITE, article="3.8"))
        assert not refused.outcome.ok and "3.8" in refused.text


@pytest.mark.law("L130")
async def test_before_the_release_nothing_differs_whatever_was_asked(tmp_path: Path) -> None:
    """A position where 9.2 would be right and one where it would not, asked and not asked about: the same bytes."""
    got = []
    for number, (fen, article) in enumerate(
        [("4k3/8/8/8/8/8/8/4K1N1 w - - 99 80", "9.2"), ("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", "3.8")]
    ):
        async with played(tmp_path / str(number), fen=fen, stations=STATIONS[:3]) as game:
            await game.speak("white", "Springer Felix drei")
            await game.done("white", cmd.AskLaw(article=article))
            await game.press("white")
            got.append([msgspec.json.encode(one) for ear in ("white", "black") for one in game.ears[ear].messages])
    assert got[0] == got[1] and got[0]
