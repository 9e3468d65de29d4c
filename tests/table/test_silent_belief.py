"""What the server believes is revised beside the table: the arbiter sees it, no player hears anything of it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.belief import BeliefQuestion, BelievedPly, most_probable_line
from server.game.values.announcement import Announcement
from server.game.values.candidates import Candidate
from server.game.views import messages as msg
from server.table.belief_worker import BeliefSearch
from speech.announcements.understand import understand, words_of_text
from speech.hearing.hearing import Verdict
from speech.recognisers.recogniser import Hypothesis, WordHeard
from speech.words.said import Heard
from speech.words.scheme import Scheme
from tests.table.open_hall import FakeEars, Played, played, reopened, turn


class DoubtfulEars(FakeEars):
    """Ears for sounds that are written words, best first: `0.6 Eva drei/Eva vier`, the first with its P(right)."""

    async def verdict_on(self, pcm: bytes, scheme: Scheme) -> Verdict:
        sure, _, texts = pcm.decode("utf-16-le").partition(" ")
        chains = [words_of_text(text, scheme) for text in texts.split("/")]
        ranked = tuple(
            Hypothesis(tuple(WordHeard(word, 0.9) for word in chain), -3.0 * place)
            for place, chain in enumerate(chains)
        )
        heard = understand(chains[0])
        return Verdict(heard.words, heard, float(sure), "accept", ranked, "whisper", 1)


class WeighedHere(BeliefSearch):
    """What was heard, weighed in this process."""

    async def weigh(self, question: BeliefQuestion) -> tuple[BelievedPly, ...]:
        return most_probable_line(question)


class NeverWeighed(WeighedHere):
    """Only the words as heard."""

    async def weigh(self, question: BeliefQuestion) -> tuple[BelievedPly, ...]:
        return ()


def revisions(game: Played) -> list[tuple[int, str]]:
    told = [one.event for one in game.ears["arbiter"].of(msg.Recorded)]
    return [(one.ply, one.uci) for one in told if isinstance(one, ev.BeliefRevised)]


def alerts(game: Played) -> list[tuple[str, int]]:
    told = [one.event for one in game.ears["arbiter"].of(msg.Recorded)]
    return [(one.kind, one.ply) for one in told if isinstance(one, ev.Alerted)]


async def weighed(game: Played) -> None:
    """The desk has done what there was to do."""
    worker = game.table.beliefs
    await turn(lambda: worker._task is None or worker._task.done())


async def a_misheard_game(game: Played) -> None:
    """White's e4 is heard as e3, the echo says e4; Black's knight goes to c6, heard as c5, which it cannot reach."""
    await game.speak("white", "0.5 Eva drei/Eva vier")
    await game.press("white")
    await weighed(game)
    await game.speak("black", "0.9 Eva vier/Eva drei")
    await weighed(game)
    await game.speak("black", "0.4 Springer Cäsar fünf/Springer Cäsar sechs")
    await game.press("black")
    await weighed(game)


@pytest.mark.law("L080", "L141")
async def test_players_get_the_same_bytes_whether_or_not_anything_is_revised(tmp_path: Path) -> None:
    heard, lines = [], []
    for name, weighing in (("with", WeighedHere()), ("without", NeverWeighed())):
        async with played(tmp_path / name, ears=DoubtfulEars(), beliefs=weighing) as game:
            await a_misheard_game(game)
            await game.told()
            heard.append({name: game.ears[name].as_bytes() for name in ("white", "black", "display")})
            lines.append((game.table.state.moves.line, revisions(game)))
    assert heard[0] == heard[1]
    assert lines[0] == (("e2e4", "b8c6"), [(1, "e2e4"), (2, "b8c6")])
    assert lines[1][0][0] == "e2e3" and lines[1][1] == []


class RejectingEars(DoubtfulEars):
    """The same; a sound that begins with `-` is not for us, whatever it may have been."""

    async def verdict_on(self, pcm: bytes, scheme: Scheme) -> Verdict:
        found = await super().verdict_on(pcm.decode("utf-16-le").removeprefix("-").encode("utf-16-le"), scheme)
        if not pcm.decode("utf-16-le").startswith("-"):
            return found
        return msgspec.structs.replace(found, heard=Heard("none"), verdict="reject")


@pytest.mark.law("L194", "L141")
async def test_what_was_rejected_stays_as_evidence_and_no_player_hears_of_it(tmp_path: Path) -> None:
    heard = []
    for name, sound in (("kept", "-0.5 Eva vier/Eva drei"), ("other", "-0.5 Springer Felix drei/Dame Hector fünf")):
        async with played(tmp_path / name, ears=RejectingEars(), beliefs=WeighedHere()) as game:
            await game.speak("white", sound)
            await game.press("white")
            await weighed(game)
            await game.told()
            heard.append({name: game.ears[name].as_bytes() for name in ("white", "black", "display")})
            told = [one.event for one in game.ears["arbiter"].of(msg.Recorded)]
            (kept,) = [one for one in told if isinstance(one, ev.SoundKept)]
            (aside,) = [one for one in told if isinstance(one, ev.SetAside)]
            assert aside.utterance == kept.utterance and aside.candidates and kept.sha256 is not None
            assert not [one for one in told if isinstance(one, ev.NotUnderstood | ev.Announced)]
            lines = game.table.state.moves.line
            assert lines == (("e2e4",) if name == "kept" else ("g1f3",))
        async with reopened(tmp_path / name, beliefs=NeverWeighed()) as (hall, _):
            assert hall.table("t1").state.moves.line == lines
    assert heard[0] == heard[1]


async def test_boards_and_scores_have_no_part_in_a_revision(tmp_path: Path) -> None:
    async with played(tmp_path, ears=DoubtfulEars(), beliefs=WeighedHere()) as game:
        await game.speak("white", "0.5 Eva drei/Eva vier")
        await game.press("white")
        before = game.table.state
        await game.speak("black", "0.9 Eva vier/Eva drei")
        await weighed(game)
        after = game.table.state
    assert (before.moves.line, after.moves.line) == (("e2e3",), ("e2e4",))
    assert (before.moves.white_board, before.scores.white) == (after.moves.white_board, after.scores.white)
    assert "pppppppp" in after.moves.black_board.position.placement


async def test_the_record_replays_to_the_same_belief(tmp_path: Path) -> None:
    async with played(tmp_path, ears=DoubtfulEars(), beliefs=WeighedHere()) as game:
        await a_misheard_game(game)
        state = game.table.state
    async with reopened(tmp_path, beliefs=NeverWeighed()) as (hall, _):
        again = hall.table("t1").state
    assert (again.moves.line, again.moves.positions, again.moves.plies) == (
        state.moves.line,
        state.moves.positions,
        state.moves.plies,
    )


async def test_a_mend_of_the_arbiter_outweighs_everything_heard(tmp_path: Path) -> None:
    async with played(tmp_path, ears=DoubtfulEars(), beliefs=WeighedHere()) as game:
        await a_misheard_game(game)
        await game.done("arbiter", cmd.Mend(ply=1, uci="d2d4"))
        await weighed(game)
        assert game.table.state.moves.line[0] == "d2d4"


async def test_what_the_ears_weigh_is_never_believed_from_a_client(tmp_path: Path) -> None:
    async with played(tmp_path, ears=DoubtfulEars(), beliefs=WeighedHere()) as game:
        ways = (Candidate(None, None, "d4", None, None, 0.01),)
        await game.done("white", cmd.Say(announcement=Announcement(to_square="e4"), candidates=ways))
        (record,) = game.table.state.moves.plies
        assert record.utterances == () and game.table.state.moves.line == ("e2e4",)


async def test_an_answer_to_what_is_no_longer_all_that_is_known_counts_for_nothing(tmp_path: Path) -> None:
    async with played(tmp_path, ears=DoubtfulEars(), beliefs=NeverWeighed()) as game:
        await game.speak("white", "0.5 Eva drei/Eva vier")
        plies = (cmd.PlyBelieved(ply=1, uci="e2e4", confidence=0.9),)
        await game.table.own(game.table.program_command(cmd.NoteBelief(about="0" * 32, plies=plies)))
        assert game.table.state.moves.line == ("e2e3",) and revisions(game) == []


async def test_an_alert_that_rested_on_the_old_belief_is_taken_back_for_the_arbiter(tmp_path: Path) -> None:
    async with played(tmp_path, ears=DoubtfulEars(), beliefs=WeighedHere()) as game:
        await game.speak("white", "0.995 König Eva drei/Bauer Eva drei")
        await weighed(game)
        await game.press("white")
        assert alerts(game) == [("not_legal", 1)]
        await game.speak("black", "0.9 Bauer Eva drei/Bauer Eva zwei")
        await weighed(game)
        assert game.table.state.moves.line == ("e2e3",)
        assert alerts(game)[-1] == ("belief_revised", 1)


async def test_the_process_beside_weighs_what_the_core_weighs(tmp_path: Path) -> None:
    question = None

    class Kept(WeighedHere):
        async def weigh(self, asked: BeliefQuestion) -> tuple[BelievedPly, ...]:
            nonlocal question
            question = asked
            return ()

    async with played(tmp_path, ears=DoubtfulEars(), beliefs=Kept()) as game:
        await game.speak("white", "0.5 Eva drei/Eva vier")
        await weighed(game)
    assert question is not None
    child = BeliefSearch()
    try:
        assert await child.weigh(question) == most_probable_line(question) != ()
    finally:
        await child.close()
    assert await child.weigh(question) == (), "then the words alone stand"
