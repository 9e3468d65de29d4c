"""The word graph: what may be said, told a second time as a regular expression, and the two agree."""

from __future__ import annotations

import itertools
import random
import re

import pytest

from speech.announcements.understand import understand
from speech.words.grammar import FILE_NAMES, Grammar, announcement_grammar, sentences

SQUARE = r"(?:file\.[a-h] rank\.[1-8] )"
LAST = r"(?:file\.[a-h] rank\.[18] )"
SIXTH = r"(?:file\.[a-h] rank\.[36] )"
JOIN = r"(?:word\.(?:takes|to) )?"
OFFICER = r"(?:piece\.(?:king|queen|rook|bishop|knight) )"
PAWN = r"(?:piece\.pawn )"
PROMOTED = r"(?:(?:word\.promotes )?piece\.(?:queen|rook|bishop|knight) )"
BESIDE = "|".join(rf"file\.{a} word\.takes file\.{b}" for a, b in zip("abcdefghgfedcb", "bcdefghgfedcba", strict=True))
END = r"(?:word\.(?:check|mate) )?"
DEPARTURE = rf"(?:(?:word\.from )?{SQUARE})"
LEADING = r"(?:rank\.[1-8] |digit\.9 )"
DIGIT = r"(?:rank\.[1-8] |digit\.[09] )"
ORACLE = re.compile(
    rf"(?:{OFFICER}{DEPARTURE}?{JOIN}{SQUARE}{END}"
    rf"|{PAWN}?{DEPARTURE}?{JOIN}(?:(?!{LAST}){SQUARE}|{LAST}{PROMOTED}|{SIXTH}word\.ep ){END}"
    rf"|{DEPARTURE}{JOIN}{LAST}{END}"
    rf"|{PAWN}?(?:{BESIDE}) (?:rank\.[2-7] |rank\.[18] {PROMOTED}|rank\.[36] word\.ep ){END}"
    rf"|castle\.\w+ {END}|cmd\.\w+ |cmd\.score_move (?:{LEADING}{DIGIT}{{0,2}}|digit\.1[012] ))"
)


def oracle(words: tuple[str, ...]) -> bool:
    return ORACLE.fullmatch("".join(f"{word} " for word in words)) is not None


@pytest.mark.law("L017", "L170", "L183", "L184", "L185", "L186", "L187")
def test_drawn_sentences_and_their_near_misses_are_judged_as_the_oracle_judges_them() -> None:
    grammar = announcement_grammar()
    chance = random.Random(7)
    vocabulary = grammar.words()
    verdicts = {True: 0, False: 0}
    for words in itertools.islice(sentences(grammar, chance), 4000):
        assert grammar.accepts(words) and oracle(words), words
        assert understand(words).kind in ("move", "command")
        near = list(words)
        place = chance.randrange(len(near))
        match chance.randrange(4):
            case 0:
                del near[place]
            case 1:
                near[place] = chance.choice(vocabulary)
            case 2:
                near.insert(place, chance.choice(vocabulary))
            case _:
                near.append(chance.choice(vocabulary))
        verdict = grammar.accepts(near)
        verdicts[verdict] += 1
        assert verdict == oracle(tuple(near)), near
        assert (understand(near).kind != "none") == verdict
    assert min(verdicts.values()) > 300, verdicts


def test_every_state_is_reached_and_reaches_an_end() -> None:
    grammar = announcement_grammar(FILE_NAMES)
    onward = {grammar.start}
    backward = set(grammar.finals)
    for _ in range(grammar.states):
        onward |= {arc.target for arc in grammar.arcs if arc.source in onward}
        backward |= {arc.source for arc in grammar.arcs if arc.target in backward}
    assert onward == backward == set(range(grammar.states))
    assert len({(arc.source, arc.word) for arc in grammar.arcs}) == len(grammar.arcs), "deterministic"
    assert grammar.states < 100


@pytest.mark.law("L184")
def test_fallback_names_of_the_files_are_in_the_graph_only_where_asked_for() -> None:
    plain, both = announcement_grammar(), announcement_grammar(("file", "letter"))
    assert not any(word.startswith(("letter.", "nato.")) for word in plain.words())
    assert not plain.accepts(("letter.e", "rank.4"))
    assert both.accepts(("letter.e", "rank.2", "file.e", "rank.4"))
    assert announcement_grammar(("nato",)).accepts(("piece.knight", "nato.f", "rank.3"))
    assert not announcement_grammar(commands=False).accepts(("cmd.time",))


def following(grammar: Grammar, words: tuple[str, ...]) -> set[str]:
    """The word ids that may follow a beginning; none where it is no beginning at all."""
    state = grammar.walk(words)
    return set() if state is None else set(grammar.table[state])


def test_what_may_follow_a_beginning() -> None:
    grammar = announcement_grammar()
    assert following(grammar, ("piece.pawn", "file.e", "rank.8")) == {
        *(f"piece.{piece}" for piece in ("queen", "rook", "bishop", "knight")),
        "word.promotes",
        "word.takes",
        "word.to",
        *(f"file.{file}" for file in "abcdefgh"),
    }
    assert following(grammar, ("rank.4",)) == set()
    assert "piece.king" not in following(grammar, ("file.e", "rank.7", "file.e", "rank.8"))
