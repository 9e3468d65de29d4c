"""The plan of what a volunteer says: well-formed, even, the same for a seed, and measurable in every language."""

from __future__ import annotations

import random
from collections import Counter

import chess
import pytest

from speech.announcements.understand import said_of_text, understand
from speech.recording.plan import PARTS, Plan, Wish, announcements, draw_plan, letters
from speech.words.config_file import language_tags
from speech.words.grammar import FILE_NAMES, announcement_grammar
from speech.words.language import COMMANDS, FILES, PIECES, PROMOTIONS, RANKS
from speech.words.loading import load_scheme

GRAMMAR = announcement_grammar(FILE_NAMES)
SEEDS = (1, 2, 3)


def plan_of(seed: int = 1, language: str = "de", scheme: str = "d21", **more: object) -> Plan:
    wish = Wish(language, scheme, seed, **more)  # type: ignore[arg-type]
    return draw_plan(wish, load_scheme(scheme, language), random.Random(seed))


@pytest.mark.law("L182", "L183")
@pytest.mark.parametrize("seed", SEEDS)
def test_files_ranks_and_pieces_come_about_equally_often_and_all_is_well_formed(seed: int) -> None:
    chains = announcements(60, "file", random.Random(seed))
    assert len(chains) == 60 and all(GRAMMAR.accepts(chain) for chain in chains)
    said = Counter(word for chain in chains for word in chain)
    for kind, names in (("file", FILES), ("rank", RANKS), ("piece", PIECES)):
        counts = [said[f"{kind}.{name}"] for name in names]
        assert min(counts) >= 6 and max(counts) - min(counts) <= 3, (kind, counts)
    assert said["castle.short"] == said["castle.long"] == 2
    assert said["word.takes"] == 10
    meant = [understand(chain).said for chain in chains]
    assert sum(one is not None and one.from_square is not None for one in meant) == 15, "a quarter from where"
    assert {one.promotion for one in meant if one is not None} >= set(PROMOTIONS)
    assert any(chain[0].startswith("file.") for chain in chains), "a pawn's move without its word"


@pytest.mark.parametrize("seed", SEEDS)
def test_what_names_its_departure_square_is_possible_on_an_empty_board(seed: int) -> None:
    for chain in announcements(200, "file", random.Random(seed)):
        said = understand(chain).said
        assert said is not None
        if said.from_square is None or said.to_square is None:
            continue
        start, end = chess.parse_square(said.from_square), chess.parse_square(said.to_square)
        kind = chess.PIECE_NAMES.index(said.piece or "pawn")
        if kind != chess.PAWN:
            board = chess.Board(None)
            board.set_piece_at(start, chess.Piece(kind, chess.WHITE))
            assert end in board.attacks(start), chain
            continue
        aside = abs(chess.square_file(start) - chess.square_file(end))
        ahead = abs(chess.square_rank(start) - chess.square_rank(end))
        assert (aside, ahead) in ({(1, 1)} if "word.takes" in chain else {(0, 1), (0, 2)}), chain
        assert ahead == 1 or (said.from_square[1], said.to_square[1]) in {("2", "4"), ("7", "5")}


@pytest.mark.parametrize("seed", SEEDS)
def test_letters_have_every_file_and_every_rank_twice_and_no_square_twice(seed: int) -> None:
    chains = letters(random.Random(seed))
    said = Counter(word for chain in chains for word in chain if not word.startswith("piece."))
    assert said == Counter({f"letter.{file}": 2 for file in FILES} | {f"rank.{rank}": 2 for rank in RANKS})
    assert all(GRAMMAR.accepts(chain) for chain in chains)
    assert len({chain[-2:] for chain in chains}) == 16


@pytest.mark.parametrize("language", language_tags())
@pytest.mark.parametrize("scheme_name", ["d21", "letters", "national"])
def test_what_the_table_will_say_is_read_as_what_was_asked_for(scheme_name: str, language: str) -> None:
    scheme = load_scheme(scheme_name, language)
    plan = plan_of(7, language, scheme_name)
    for prompt in plan.prompts:
        if prompt.part != "talk":
            meant, read = understand(prompt.words), said_of_text(prompt.said, scheme)
            assert meant.kind != "none" and (read.kind, read.said, read.command) == (
                meant.kind,
                meant.said,
                meant.command,
            ), prompt.said


def test_a_plan_has_all_commands_once_the_talk_last_and_numbers_from_one() -> None:
    plan = plan_of()
    assert [prompt.number for prompt in plan.prompts] == list(range(1, 60 + 16 + len(COMMANDS) + 2))
    assert {prompt.words for prompt in plan.prompts if prompt.part == "commands"} == {(f"cmd.{c}",) for c in COMMANDS}
    assert list(dict.fromkeys(prompt.part for prompt in plan.prompts)) == list(PARTS)
    assert (plan.prompts[-1].part, plan.prompts[-1].said) == ("talk", "")


def test_a_seed_gives_one_plan_and_another_seed_another() -> None:
    assert plan_of(4) == plan_of(4) and plan_of(4).prompts != plan_of(5).prompts


def test_a_part_alone_and_few_announcements() -> None:
    assert [p.part for p in plan_of(announcements=2, parts=("announcements", "talk")).prompts] == [
        *("announcements", "announcements", "talk")
    ]
    assert [len(announcements(count, "letter", random.Random(1))) for count in range(8)] == list(range(8))
