"""Whatever is said into an ear can also be read: lines of at most forty cells, the move first, in six languages."""

from __future__ import annotations

import typing
import unicodedata

import pytest

from server.exports.samples import POSITIONS, START, messages_said
from server.game.values.words import Mode, Seat, Talking
from server.game.views import messages as msg
from server.protocol import SealedWords
from server.wording.aloud.spoken import spoken_message
from server.wording.pieces import lines_of
from server.wording.words import scheme_of
from speech.announcements.cells import CELLS, count_cells, pages
from speech.words.messages import without_isolation

TAGS = ("de", "en", "hu", "hy", "ar", "he")
NEVER_SAID = (
    msg.ClockShown, msg.ScoreLine, msg.BoardShown, msg.Recorded, msg.Shown,
    msg.BoardsShown, msg.PressKeysShown,
)  # fmt: skip


def test_every_kind_of_message_is_here_or_is_never_said() -> None:
    kinds = {*typing.get_args(msg.AnyMessage), SealedWords}
    shown = {type(message) for message in messages_said(scheme_of("d21", "de"))}
    assert shown | set(NEVER_SAID) == kinds and not shown & set(NEVER_SAID)


def test_what_is_called_never_said_is_silent() -> None:
    scheme = scheme_of("d21", "de")
    silent: list[msg.AnyMessage] = [
        msg.ClockShown(white_ms=1, black_ms=1, running=Seat.WHITE, first_flag=None, at=0),
        msg.ScoreLine(index=1, text="e4", source="typed"),
        msg.BoardShown(placement=START),
        msg.Shown(placement=START, words=(), text=""),
        msg.BoardsShown(white=START, black=START),
        msg.PressKeysShown(stage="learn"),
    ]
    silent_kinds = {type(one) for one in silent}
    unasked = msg.SoundShown(talking=Talking.HELD, voice_activity=False, device=False, known_voice=False)
    assert lines_of(unasked, scheme) == (), "said only where the player asked for another speed"
    assert lines_of(msg.DrawReply(accepted=False, by_move=True), scheme) == (), "a move rejects it without a word"
    assert lines_of(msg.Started(), scheme) == (), "the arbiter who starts the clock by hand says so"
    assert lines_of(msg.ModeShown(mode=Mode.TABLE), scheme) == (), "before the game nobody needs to know"
    assert silent_kinds == set(NEVER_SAID) - {msg.Recorded}
    assert [lines_of(one, scheme) for one in silent] == [()] * len(silent)


@pytest.mark.law("L207")
@pytest.mark.parametrize("name", ["d21", "national", "letters"])
@pytest.mark.parametrize("tag", TAGS)
def test_all_that_is_said_is_also_text_of_forty_cells_with_the_move_first(tag: str, name: str) -> None:
    scheme = scheme_of(name, tag)
    moves = 0
    for message in messages_said(scheme):
        lines = lines_of(message, scheme)
        said = spoken_message(message, scheme, read_back=True)
        if said is None:
            assert isinstance(message, msg.TimeCue) and message.way == "ticks", message
            assert lines == (str(message.left_s),)
            continue
        text = without_isolation(said[0])
        assert lines, message
        assert all(0 < count_cells(line) <= CELLS for line in lines), (message, lines)
        assert not any(unicodedata.category(letter) in ("Cf", "Cc") for line in lines for letter in line)
        words = getattr(message, "words", ())
        if words:
            moves += 1
            if count_cells(text) <= CELLS:
                assert lines == (text,)
                continue
            short, *lines_of_text = lines
            assert short[-1] in "abcdefgh12345678+#=QDVKLTBRNSHFPԹՁՆՓמצרפה.0", short
            assert 2 <= count_cells(short) <= 12
        else:
            lines_of_text = list(lines)
        assert "".join("".join(lines_of_text).split()) == "".join(unicodedata.normalize("NFC", text).split()), message
    assert moves == 4 * len(POSITIONS)


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("", ()),
        ("Ihre Zeit läuft: eine Stunde 5 Minuten.", ("Ihre Zeit läuft: eine Stunde 5 Minuten.",)),
        ("A" * 85, ("A" * 40, "A" * 40, "A" * 5)),
        ("Is. " + "B" * 41, ("Is.", "B" * 40, "B")),
        ("Eins. Zwei. Drei.", ("Eins. Zwei. Drei.",)),
        ("Artikel 7.5.5 sagt, dass der Gegner zwei Minuten erhält. Gut.",
         ("Artikel 7.5.5 sagt, dass der Gegner zwei", "Minuten erhält. Gut.")),
        ("Weiß:\nKönig Eva eins", ("Weiß: König Eva eins",)),
    ],
)  # fmt: skip
def test_a_page_ends_at_a_sentence_else_between_words(text: str, made: tuple[str, ...]) -> None:
    assert pages(text) == made
