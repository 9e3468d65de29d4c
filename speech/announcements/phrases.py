"""The meaning of a typed phrase, in whatever words and order, without any look at a position. Pure.

Every word must be known (`speech.words.language`): then the senses of all words together name one command, or the
words of a move are all there. A phrase with one word too many is not understood, so that "I do not resign" never is "I
resign"; only what tells something or claims with its reason may have a word or two unknown (`NEARLY`), and nothing in
it may deny. Words that bind are asked about once (`server/voice/intents.py`). What asks whether a move could be made,
or says "if", is no move (`wonders`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod

import msgspec

from speech.announcements.phrase_rules import NEARLY, RULES, TOPICS, Rule
from speech.words.grammar import FILE_NAMES
from speech.words.language import DENYING, FILES, RANKS, TELLING, WEIGHTLESS, Phrasebook, Senses
from speech.words.scheme import Scheme
from speech.words.spelling import bare_form, phrase_form

MOST_READINGS = 512
"""A phrase whose words may be taken in more ways than these is not understood."""
LONGEST = 24
"""A phrase has no more words."""
MOST_DIGITS = 4
SHORTEST_JOINED = 3
"""Words that are written together have at least so many letters each."""
MOST_UNKNOWN = 2
"""Words of a phrase that may be unknown, and no more than half as many as are known."""

_ALSO_PERHAPS = frozenset({*TELLING, "repeat", "draw_offer", "arbiter"})
"""Senses that a question with "perhaps" may have."""
_ABOUT_COLOUR = frozenset({"colour", "ask", "aux", "have"})
_CASTLING = {frozenset({"castle", "short"}): "short", frozenset({"castle", "long"}): "long"}
_BESIDE_CASTLING = frozenset({"mine", "want", "now", "play"})
_BESIDE_MOVES = frozenset({"mine", "play", "now", "thanks"})
"""Senses that a phrase with a move may have besides: "I play knight f3 now, thanks"."""

_FIGURINES = dict(zip("♔♕♖♗♘♙♚♛♜♝♞♟", ("king", "queen", "rook", "bishop", "knight", "pawn") * 2, strict=True))
_LOOK_ALIKE = str.maketrans("асеохАСЕОХ", "aceoxACEOX")  # Cyrillic, on a keyboard that was left in it
_ASKED = re.compile(r"[?؟՞]")
_ASKED_LAST = re.compile(r"[?؟]\W*$|՞[^,;.!:։]*$")
_END_OF_PART = re.compile(r"[,;.!?։՝،؛؟…]")
_SPLIT = re.compile(r"\s+")
_OUTSIDE = "\"'“”„«»()[]{}‹›`´’‘"


class Moved(msgspec.Struct, frozen=True):
    """Move as it was written in words.

    `from_file` or `from_rank`: where only that is said of its departure ("e takes d5").
    """

    piece: str | None = None
    from_square: str | None = None
    from_file: str | None = None
    from_rank: str | None = None
    to_square: str | None = None
    promotion: str | None = None
    castling: str | None = None


def commands_of_phrase(text: str, book: Phrasebook) -> tuple[str, ...]:
    """Return the commands that a phrase may mean, each once: one is understood, several are not."""
    found = dict.fromkeys(_commands(text, book))
    if asks(text):
        for command in ("resign", "claim_time", "claim_draw"):  # "Would you resign?", "Is his flag down?"
            found.pop(command, None)
        if _ASKED_LAST.search(_plain(text)) and found.pop("draw_decline", found) is None:
            found["draw_offer"] = None  # "Shouldn't it be a draw?"
        # "Do you agree to a draw?" accepts nothing: it offers one, where it names a draw.
        if found.pop("draw_accept", found) is None and "draw" in senses_known(text, book):
            found["draw_offer"] = None
    if len(found) == 2 and not {*found}.isdisjoint(TELLING):
        found.pop("repeat", None)  # Arabic "thaniya" is a second, and once more
    if {"last", "moves"} == set(found):
        found.pop("last")  # "How many moves have they made?"
    if not found and not asks(text):
        found = dict.fromkeys(_nearly(text, book))
    elif not found:
        found = dict.fromkeys(one for one in _nearly(text, book) if one in _ALSO_PERHAPS)
    return tuple(found)


def asks(text: str) -> bool:
    """Say whether a text is written as a question."""
    return _ASKED.search(_plain(text)) is not None


def wonders(text: str, book: Phrasebook) -> bool:
    """Say whether a text asks about something instead of saying it: "can the knight go to f3", "if I play e4"."""
    runs = (some for part in _parts(text) for some in _runs(_words(part), book) if some is not None)
    return asks(text) or any("whether" in one for some in runs for one in some)


def _commands(text: str, book: Phrasebook) -> Iterator[str]:
    asked = asks(text)
    for senses in _readings(text, book):
        if "maybe" not in senses:
            yield from _names_of(senses)
        elif asked:  # "A draw, perhaps?" offers one; "perhaps I resign" does nothing
            yield from (one for one in _names_of(senses - {"maybe"}) if one in _ALSO_PERHAPS)


def _nearly(text: str, book: Phrasebook) -> Iterator[str]:
    """Yield what a phrase with a few unknown words asks for or claims, where nothing in it may deny."""
    options: list[tuple[Senses, ...]] = []
    unknown = 0
    for part in _parts(text):
        for some in _runs(_words(part), book):
            if some is None:
                unknown += 1
            else:
                options.append(some)
    denies = any(one & DENYING for some in options for one in some)
    if denies or not 0 < unknown <= min(MOST_UNKNOWN, len(options) // 2) or any(map(str.isdecimal, _plain(text))):
        return
    if prod(len(one) for one in options) <= MOST_READINGS:
        for senses in product(*options):
            yield from _names_of(WEIGHTLESS.union(*senses), NEARLY)


def _names_of(senses: Senses, rules: tuple[Rule, ...] = RULES) -> Iterator[str]:
    if "theirs" in senses:
        senses -= {"mine"}  # "my opponent"
    if senses != {"no", "thanks"}:
        senses -= {"thanks"}
    if {"ask", "want"} <= senses:
        senses -= {"mine"}  # "I want to know"
    if {"last", "move", "again"} <= senses:
        senses -= {"again"}  # "the last move again" is that move, not whatever was said last
    for command, needs, may in rules:
        if needs <= senses and senses - needs <= may:
            yield command


def _readings(text: str, book: Phrasebook) -> Iterator[Senses]:
    """Yield the senses of all words together, in each way to take them; nothing where a word is unknown."""
    options: list[tuple[Senses, ...]] = []
    for part in _parts(text):
        words = _words(part)
        found = _senses(words, book)
        if found is None:
            return
        # Set apart by a comma, "no" answers; it denies nothing ("No, I accept").
        if len(words) == 1 and any("no" in one for one in found[0]):
            found = [tuple(one for one in found[0] if "not" not in one)]
        options += found
    if options and prod(len(one) for one in options) <= MOST_READINGS:
        for some in product(*options):
            yield WEIGHTLESS.union(*some)


def senses_known(text: str, book: Phrasebook) -> Senses:
    """Return the senses of the words that are known, in any way to take them; other words are left out."""
    found = WEIGHTLESS
    for part in _parts(text):
        words = _words(part)
        place = 0
        while place < len(words):
            for length in range(min(book.longest, len(words) - place), 0, -1):
                some = _senses(words[place : place + length], book)
                if some is not None and len(some) == 1:
                    found = found.union(*some[0])
                    break
            place += length
    return found


def topics_of_phrase(text: str, book: Phrasebook) -> tuple[str, ...]:
    """Return word ids that say what a phrase seems to be about; () where it denies something, or nothing is known."""
    senses = senses_known(text, book)
    if "not" in senses or "no" in senses:
        return ()
    return next((words for sense, words in TOPICS if sense in senses), ())


def is_offer(text: str, book: Phrasebook) -> bool:
    """Say whether these words offer a draw."""
    return "draw_offer" in commands_of_phrase(text, book)


def asks_colour(text: str, book: Phrasebook) -> bool:
    """Say whether these words ask for a colour, its square left out: "what colour is"."""
    return any("colour" in senses and senses <= _ABOUT_COLOUR for senses in _readings(text, book))


_BESIDE_MEN = frozenset({"ask", "aux", "have", "where", "place", "mine", "now", "want"})
_ABOUT: tuple[tuple[frozenset[str], frozenset[str], str], ...] = (
    (frozenset({"result"}), frozenset({"game"}), "last"),
    (frozenset({"board"}), frozenset({"piece", "game"}), "position"),
    (frozenset({"piece"}), WEIGHTLESS, "position"),
    (frozenset({"white"}), frozenset({"piece"}), "white"),
    (frozenset({"black"}), frozenset({"piece"}), "black"),
)


def board_asked(text: str, book: Phrasebook) -> str | None:
    """Return what of a board a phrase asks for: the result with the last move, the position, one side; else None."""
    for senses in _readings(text, book):
        rest = senses - _BESIDE_MEN
        for needs, may, about in _ABOUT:
            if needs <= rest and rest - needs <= may:
                return about
    return None


def place_of_phrase(text: str, scheme: Scheme, book: Phrasebook) -> tuple[str, str] | None:
    """Return the one square, file, rank or piece that a question names: its kind (S, f, r, p) and its name.

    Of a piece the side may be said too: "where are the white knights". None for any other phrase.
    """
    reader, around = _MoveReader(scheme, book), _BESIDE_MEN | {"white", "black", "piece"}
    options: list[tuple[tuple[Item, ...], ...]] = []
    for part in _parts(text):
        found = reader.items(" ".join(_without(_words(part), book, around)))
        if found is None:
            return None
        options += found
    if not options or prod(len(one) for one in options) > MOST_READINGS:
        return None
    named = set()
    for some in product(*options):
        items = [item for item in _square_parts([item for items in some for item in items]) if item[0] != "x"]
        if len(items) == 1 and items[0][0] in "Sfrp":
            named.add(items[0][:2])
    return named.pop() if len(named) == 1 else None


def _without(words: Sequence[str], book: Phrasebook, senses: Senses) -> list[str]:
    """Return the words that are not wholly of these senses, and single letters, which may be files."""
    kept: list[str] = []
    place = 0
    while place < len(words):
        for length in range(min(book.longest, len(words) - place), 0, -1):
            some = _senses(words[place : place + length], book) if len(words[place]) > 1 or length > 1 else None
            if some is not None and len(some) == 1 and any(one and one <= senses for one in some[0]):
                place += length
                break
        else:
            kept.append(words[place])
            place += 1
    return kept


def last_moves_of_phrase(text: str, scheme: Scheme, book: Phrasebook) -> int | None:
    """Return how many last moves a phrase asks for ("the last three moves", "my last two moves"); None for any other.

    The number is written in figures, or as the words for ranks are.
    """
    words = _words(_plain(text))
    for place, word in enumerate(words):
        number = _number(word, scheme, book)
        rest = " ".join((*words[:place], *words[place + 1 :]))
        if number is not None and any(_asks_for_last(senses) for senses in _readings(rest, book)):
            return number
    return None


def _asks_for_last(senses: Senses) -> bool:
    return bool({"last", "repeat"} & set(_names_of(senses - {"mine"})))


def _number(word: str, scheme: Scheme, book: Phrasebook) -> int | None:
    if word.isdecimal() and len(word) < MOST_DIGITS:
        return int(word) or None
    for rank in RANKS:
        forms = (form for form, id in scheme.written_forms.items() if id == f"rank.{rank}")
        if word in map(bare_form, forms) or (f"rank.{rank}",) in book.moves.get(word, ()):
            return int(rank)
    return None


def castling_of_phrase(text: str, book: Phrasebook) -> str | None:
    """Return the side to which a phrase castles ("rochiere kurz"); None where it says none, or both."""
    found = {_CASTLING.get(senses - _BESIDE_CASTLING) for senses in _readings(text, book)} - {None}
    return next(iter(found)) if len(found) == 1 else None


def without_courtesies(text: str, book: Phrasebook) -> str:
    """Return a text without the words that have no weight beside a move; all else as it was written."""
    kept = [word for word in _SPLIT.split(text.strip()) if not _may_be_left_out(word, book)]
    return " ".join(kept).strip(" ,;")


def without_offer(text: str, book: Phrasebook) -> str:
    """Return a text without the offer of a draw at its end or its beginning; "" where there is no offer."""
    words = _SPLIT.split(text.strip())
    for cut in range(1, len(words)):
        if is_offer(" ".join(words[cut:]), book):
            return " ".join(words[:cut]).strip(" ,;.")
        if is_offer(" ".join(words[:cut]), book):
            return " ".join(words[cut:]).strip(" ,;.")
    return ""


def _may_be_left_out(word: str, book: Phrasebook) -> bool:
    if re.fullmatch(r"[\w][\d]|\w", word) and not _END_OF_PART.search(word):
        return False  # a letter may be a file
    found = book.phrases.get(bare_form(phrase_form(word)), ())
    return any(one <= _BESIDE_MOVES for one in found)


def _parts(text: str) -> list[str]:
    return [part for part in _END_OF_PART.split(_plain(text)) if part.strip(f"-{_OUTSIDE} ")]


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).translate(_LOOK_ALIKE)


def _words(part: str) -> list[str]:
    return bare_form(phrase_form(part)).split()[: LONGEST + 1]


def _senses(words: Sequence[str], book: Phrasebook) -> list[tuple[Senses, ...]] | None:
    """Return the senses of each run of words, the longest runs first; None at an unknown word."""
    found: list[tuple[Senses, ...]] = []
    for some in _runs(words, book):
        if some is None:
            return None
        found.append(some)
    return found if len(words) <= LONGEST else None


def _runs(words: Sequence[str], book: Phrasebook) -> Iterator[tuple[Senses, ...] | None]:
    """Yield what each run of words may say, the longest runs first; None for an unknown word."""
    place = 0
    while place < len(words):
        for length in range(min(book.longest, len(words) - place), 0, -1):
            some = book.phrases.get(" ".join(words[place : place + length]))
            if some is None and length == 1:
                some = _take_apart_changed(words[place], book) or _take_apart_joined(words[place], book)
            if some is not None:
                yield some
                place += length
                break
        else:
            yield None
            place += 1


def _take_apart_changed(word: str, book: Phrasebook) -> tuple[Senses, ...] | None:
    """Return what a word says with something joined to it ("הזמן", "ձին"); never more than one thing on each side."""
    return next((book.phrases[stem] for stem in _stems(word, book) if stem in book.phrases), None)


def _stems(word: str, book: Phrasebook) -> Iterator[str]:
    fronts = [word[len(one) :] for one in book.before if word.startswith(one) and len(word) - len(one) > 1]
    yield from fronts
    for one in (word, *fronts):
        yield from (one[: -len(end)] for end in book.after if one.endswith(end) and len(one) - len(end) > 2)


def _take_apart_joined(word: str, book: Phrasebook) -> tuple[Senses, ...] | None:
    """Return what words say that are written together ("ichgebeauf"); None where that can be taken in two ways."""
    ways = list(_splits(word, {form.replace(" ", ""): form for form in book.phrases}))
    if not ways:
        return None
    found: set[Senses] = set()
    for way in ways:
        for some in product(*(book.phrases[form] for form in way)):
            found.add(WEIGHTLESS.union(*some))
    return tuple(sorted(found, key=sorted)) if len(found) <= MOST_READINGS else None


def _splits(word: str, forms: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    """Yield the ways to write a word as known forms of some length, one after the other."""
    if len(word) > 60:
        return
    ends: dict[int, list[tuple[str, ...]]] = {0: [()]}
    for place in range(len(word)):
        for end in range(place + SHORTEST_JOINED, len(word) + 1):
            form = forms.get(word[place:end])
            if form is not None and place in ends:
                ends.setdefault(end, []).extend((*way, form) for way in ends[place][:8])
    yield from ends.get(len(word), [])[:8]


# Moves

Item = tuple[str, str, str]
"""A part of a move: its kind (one letter), what it is, and for a square whether it is named as from or to."""
_KINDS = {"piece": "p", "rank": "r", "castle": "c"} | dict.fromkeys(FILE_NAMES, "f")
_CONNECTING = {"takes": "x", "from": "F", "to": "t", "check": "k", "mate": "k", "ep": "e", "promotes": "m"}
_SHAPES = (
    re.compile(r"(?P<piece>p)?(?P<left>[frS])?(?:x(?:p(?=S))?)?(?P<to>S)x?m?(?P<new>p)?e?k*"),
    re.compile(r"(?P<to>S)(?P<piece>p)k*"),
    re.compile(r"(?P<piece>p)?m(?P<new>p)(?P<to>S)k*"),
    re.compile(r"(?P<left>S)(?P<piece>p)x?(?P<to>S)k*"),
    re.compile(r"(?P<left>S)x?(?P<to>S)(?P<piece>p)k*"),
)
_SQUARE_FIRST = _SHAPES[3]
"""A square before its piece ("the h1 rook to e1"): the second is marked, and no comma stands between two moves."""


def moves_of_phrase(text: str, scheme: Scheme, book: Phrasebook) -> tuple[Moved, ...]:
    """Return the moves that words may mean, each once, whatever small words stand between them.

    The words of `scheme` and of the phrasebook; squares in any letters of its players. Castling has its own function.
    """
    reader = _MoveReader(scheme, book)
    options: list[tuple[tuple[Item, ...], ...]] = []
    for part in _parts(text):
        found = reader.items(part)
        if found is None:
            return ()
        options += found
    if not options or prod(len(one) for one in options) > MOST_READINGS:
        return ()
    whole = len(_parts(text)) == 1
    moves = (_move(tuple(item for items in some for item in items), whole) for some in product(*options))
    return tuple(dict.fromkeys(move for move in moves if move is not None))


class _MoveReader:
    """The words of a move in one scheme and one phrasebook."""

    def __init__(self, scheme: Scheme, book: Phrasebook) -> None:
        self._book = book
        self._forms: dict[str, tuple[tuple[str, ...], ...]] = {}
        for form, word in scheme.written_forms.items():
            if not word.startswith(("cmd.", "digit.")):
                self._forms[bare_form(form)] = ((word,),)
        for form, chains in book.moves.items():
            self._forms[form] = tuple(dict.fromkeys((*self._forms.get(form, ()), *chains)))
        self._longest = max(scheme.longest_form, book.longest)
        own = dict(zip(scheme.listener.notation.files, FILES, strict=True))
        letters = [(form, word) for form, ways in self._forms.items() for way in ways for word in way if len(form) == 1]
        own |= {form: word[-1] for form, word in letters if word.startswith("letter.")}  # a piece's letter may be one
        self._files = own | {file: file for file in FILES}
        square = f"[{''.join(map(re.escape, self._files))}]-?[1-8]"
        self._square = re.compile(square)
        self._two = re.compile(rf"([x:]?)({square})(?:(?:-|([x:]))?({square}))?([x:]?)([+#]*)")
        self._file_takes = re.compile(rf"([{''.join(map(re.escape, self._files))}])[x:]({square})([+#]*)")
        self._inside = re.compile(rf"(.*?)-?({square})(?:-?(\D+))?")

    def items(self, part: str) -> list[tuple[tuple[Item, ...], ...]] | None:
        """Return the items that each run of words may be; None at an unknown word."""
        for figurine in _FIGURINES:
            part = part.replace(figurine, f" {figurine} ")
        words = [bare_form(word.strip(_OUTSIDE)) for word in phrase_form(part, hyphens=True).split()]
        words = [word for word in words if word.strip("-")]
        if len(words) > LONGEST:
            return None
        found: list[tuple[tuple[Item, ...], ...]] = []
        place = 0
        while place < len(words):
            for length in range(min(self._longest, len(words) - place), 0, -1):
                some = self._run(" ".join(words[place : place + length]).replace("-", " "), single=length == 1)
                if not some and length == 1:
                    some = self._word(words[place])
                if some:
                    found.append(some)
                    place += length
                    break
            else:
                return None
        return found

    def _run(self, run: str, *, single: bool) -> tuple[tuple[Item, ...], ...]:
        ways = [tuple(_item(word) for word in chain) for chain in self._forms.get(run, ())]
        weightless = any(one <= _BESIDE_MOVES for one in self._book.phrases.get(run, ()))
        if weightless and not any(item[0] == "F" for way in ways for item in way):
            ways.append(())
        if single and run in RANKS:
            ways.append((("r", run, ""),))
        if single and run in _FIGURINES:
            ways.append((("p", _FIGURINES[run], ""),))
        if single and run in ("x", "×", ":"):
            ways.append((("x", "", ""),))
        if single and run in ("+", "#", "++"):
            ways.append((("k", "", ""),))
        return tuple(dict.fromkeys(ways))

    def _word(self, word: str) -> tuple[tuple[Item, ...], ...]:
        """Return what one word may be: squares, something with a square in it, a word with something joined to it."""
        two = self._two.fullmatch(word)
        if two:
            first, second = two[2], two[4]
            items = [("x", "", "")] if two[1] else []
            items += [self._at(first)]
            items += [("x", "", "")] if two[3] else []
            items += [self._at(second)] if second else []
            items += [("k", "", "")] if two[6] else []
            return (tuple(items),)
        takes = self._file_takes.fullmatch(word)
        if takes:
            end = (("k", "", ""),) if takes[3] else ()
            return ((("f", self._files[takes[1]], ""), ("x", "", ""), self._at(takes[2]), *end),)
        inside = self._inside.fullmatch(word)
        if inside and (inside[1] or inside[3]):
            return self._beside_a_square(*inside.groups())
        # Never without weight: Hebrew "melech" (king) is no "to you" with something before it.
        stems = (tuple(way for way in self._run(stem, single=False) if way) for stem in _stems(word, self._book))
        return next((some for some in stems if some), ()) or self._together(word)

    def _beside_a_square(self, front: str, square: str, end: str | None) -> tuple[tuple[Item, ...], ...]:
        """Return a word with a square in it: "knightf3", "לf3", "f3-ra"."""
        before: tuple[tuple[Item, ...], ...] = ((),)
        front = front.rstrip("-")
        if front and front not in self._book.before:
            before = self._run(front, single=False) or self._together(front)
            before = tuple(way for way in before if len(front) > 1 or all(item[0] == "p" for item in way))
        mark = ""
        if end:
            marks = {word for chain in self._forms.get(end, ()) for word in chain} & {"word.to", "word.from"}
            if len(marks) == 1:
                mark = next(iter(marks)).removeprefix("word.")
            elif end not in self._book.after:
                after = self._run(end, single=False) or self._together(end)
                return tuple((*some, self._at(square), *more) for some in before for more in after)
        return tuple((*some, self._at(square, mark)) for some in before)

    def _together(self, word: str) -> tuple[tuple[Item, ...], ...]:
        """Return words that are written together ("springerfelixdrei")."""
        joined = {form.replace(" ", ""): form for form in self._forms}
        ways = [tuple(_item(word) for form in way for word in self._forms[form][0]) for way in _splits(word, joined)]
        return tuple(dict.fromkeys(ways))

    def _at(self, square: str, mark: str = "") -> Item:
        return "S", self._files[square[0]] + square[-1], mark


def _item(word: str) -> Item:
    kind, _, name = word.partition(".")
    return (_CONNECTING[name], "", "") if kind == "word" else (_KINDS[kind], name, "")


def _square_parts(items: Sequence[Item]) -> list[Item]:
    """Return the parts with each file and rank as a square, and each "from" and "to" on the square after it."""
    found: list[Item] = []
    mark = ""
    place = 0
    while place < len(items):
        kind, name, own = items[place]
        place += 1
        if kind in "Ft":
            mark = "from" if kind == "F" else "to"
            continue
        if kind == "f" and place < len(items) and items[place][0] == "r":
            kind, name = "S", name + items[place][1]
            place += 1
        if kind in "Sfr":
            own, mark = own or mark, ""
        found.append((kind, name, own))
    return found if mark != "from" else []


def _move(items: Sequence[Item], whole: bool) -> Moved | None:
    """Return the move that these parts are, in their order; None where they are none. `whole`: no comma parts them."""
    parts = _square_parts(items)
    kinds = "".join(kind for kind, _, _ in parts)
    if re.fullmatch("ck*", kinds):
        return Moved(castling=parts[0][1])
    squares = [place for place, kind in enumerate(kinds) if kind == "S"]
    if len(squares) == 2 and parts[squares[1]][2] == "from" and parts[squares[0]][2] != "from":
        first, second = squares
        parts[first], parts[second] = parts[second], parts[first]
    for shape in _SHAPES:
        fits = shape.fullmatch(kinds)
        if fits and (shape is not _SQUARE_FIRST or (whole and parts[fits.start("to")][2] == "to")):
            return _of_shape(parts, fits)
    return None


def _of_shape(parts: Sequence[Item], fits: re.Match[str]) -> Moved | None:
    def part(name: str) -> Item | None:
        return parts[fits.start(name)] if name in fits.re.groupindex and fits[name] else None

    piece, left, to, new = part("piece"), part("left"), part("to"), part("new")
    assert to is not None
    last_rank = to[1][1] in "18"
    mover = piece[1] if piece is not None else None
    taken = "x" in (kind for kind, _, _ in parts) and new is not None and (mover not in (None, "pawn") or not last_rank)
    new = None if taken else new  # "the queen takes the b2 pawn"
    if to[2] == "from" or (fits.re in (_SHAPES[1], _SHAPES[4]) and last_rank):
        return None
    pawn = mover == "pawn" or (mover is None and (left is None or left[0] != "S"))
    if new is not None and (mover not in (None, "pawn") or new[1] in ("king", "pawn") or not last_rank):
        return None
    if (pawn and last_rank and new is None) or (left is not None and left[0] == "r" and mover is None):
        return None
    moved = Moved(mover, to_square=to[1], promotion=None if new is None else new[1])
    match left:
        case ("S", square, _):
            return msgspec.structs.replace(moved, from_square=square)
        case ("f", file, _):
            return msgspec.structs.replace(moved, piece=mover or "pawn", from_file=file)
        case ("r", rank, _):
            return msgspec.structs.replace(moved, from_rank=rank)
    return moved
