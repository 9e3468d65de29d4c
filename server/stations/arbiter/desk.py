"""The reconciliation desk at a line of text (D.2.9): what it says, which acts it has now, what a decision is made of.

It reads what the arbiter's page reads (`GET /api/desk`), and decides nothing the page would not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import chess

from server.game.values.words import Seat
from server.stations.braille import digits
from server.wording.pages import move_number

Shown = Mapping[str, Any]
Cell = tuple[int, str]
"""A cell of a score: the half-move, and whose score."""
ALIKE = ("same_record", "out_of_step")
"""Verdicts of the scores where they agree to the end."""


def is_shown(desk: Shown) -> bool:
    """Return whether there is anything to do at the desk."""
    return bool(desk.get("open") or desk.get("setting"))


def cells_asked(desk: Shown) -> dict[Cell, Shown]:
    """Return the cells that the desk asks for, in the order of the moves."""
    return {(line["ply"], seat.value): line[seat.value] for line in desk.get("lines", ()) for seat in Seat}


def is_known(cell: Shown) -> bool:
    """Return whether a cell has been read: typed, or written by its player, and nothing in it is to be listened to."""
    return bool(cell["text"]) and not cell["provisional"]


def next_cell(desk: Shown, after: Cell | None = None) -> Cell | None:
    """Return the next cell that is still to be read, the one after this first; None where all are."""
    asked = cells_asked(desk)
    left = [one for one, cell in asked.items() if not is_known(cell) and one != after]
    places = list(asked)
    behind = [one for one in left if after in places and places.index(one) > places.index(after)]
    return next(iter(behind or left), None)


def cell_name(cell: Cell, words: Mapping[str, str]) -> str:
    """Return whose score it is, and at which move."""
    return _put(words["desk.cell_of"], who=words[f"score_of.{cell[1]}"], ply=move_number(cell[0], words))


def _put(text: str, **values: object) -> str:
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", str(value))
    return text


def man_name(man: chess.Piece | None, words: Mapping[str, str]) -> str:
    """Return a man in words, or that there is none."""
    if man is None:
        return words["desk.empty"]
    return words[f"piece.{'white' if man.color else 'black'}.{chess.piece_name(man.piece_type)}"]


def men(words: Mapping[str, str]) -> dict[str, chess.Piece | None]:
    """Return word -> man of all that may stand on a square; the empty square too."""
    found: dict[str, chess.Piece | None] = {words["desk.empty"]: None}
    for letter in "KQRBNPkqrbnp":
        man = chess.Piece.from_symbol(letter)
        found[man_name(man, words)] = man
    return found


def placement_of(desk: Shown, side: str) -> str:
    """Return what stands on a board as far as the arbiter has said, else as it was kept."""
    return str((desk.get("seen") or {}).get(side) or (desk.get("kept") or {}).get(side) or "8/8/8/8/8/8/8/8")


def wanted_placement(desk: Shown) -> str | None:
    """Return what shall stand on the boards, once that is known."""
    setting = desk.get("setting")
    return setting["placement"] if setting else desk.get("placement")


def differing_lines(desk: Shown, words: Mapping[str, str]) -> tuple[str, ...]:
    """Return a line for each square on which the boards differ, from one another or from what shall stand there."""
    boards = {seat: chess.BaseBoard(placement_of(desk, seat)) for seat in Seat}
    wanted = wanted_placement(desk)
    should = chess.BaseBoard(wanted) if wanted else None
    lines = []
    for square in sorted(chess.SQUARES, key=chess.square_name):
        men_there = [boards[seat].piece_at(square) for seat in Seat]
        if len(set(men_there)) == 1 and (should is None or should.piece_at(square) == men_there[0]):
            continue
        values = {"square": chess.square_name(square)}
        values |= {seat.value: man_name(man, words) for seat, man in zip(Seat, men_there, strict=True)}
        if should is None:
            lines.append(_put(words["desk.differ"], **values))
        else:
            lines.append(_put(words["desk.differ.should"], **values, man=man_name(should.piece_at(square), words)))
    return tuple(lines)


def desk_lines(desk: Shown, words: Mapping[str, str]) -> tuple[str, ...]:
    """Return what the desk says now: its squares, what is to be copied, what the Laws say, or the boards to set."""
    setting = desk.get("setting")
    if setting:
        return (words["desk.setting"], *_setting_lines(setting, words))
    lines = [words["desk"], *(differing_lines(desk, words) or (words["desk.differ_none"],))]
    if desk.get("out_of_step") and not desk.get("verdict"):
        lines.append(words["desk.out_of_step"])
    for one in desk.get("explanations", ()):
        instead = one["instead"] and f"{'/' if one['where'] == 'scores' else '→'} {one['instead']}"
        move = " ".join(filter(None, (move_number(one["ply"], words), one["recorded"] or "-", instead)))
        kind, where = words[f"desk.kind.{one['kind']}"], words[f"desk.where.{one['where']}"]
        lines.append(f"{move}: {kind} ({where})")
    left = [cell_name(one, words) for one, cell in cells_asked(desk).items() if not is_known(cell)]
    if left:
        lines.append(f"{words['desk.lines']}: {'; '.join(left)}")
    return (*lines, *_law_lines(desk, words))


def _setting_lines(setting: Shown, words: Mapping[str, str]) -> Iterable[str]:
    for seat in Seat:
        who = words[f"board_of.{seat.value}"]
        squares = [f"{one['square']} {_letter_name(one['should_be'], words)}" for one in setting[seat.value]]
        if not squares:
            yield _put(words["desk.nothing_to_set"], who=who)
        else:
            yield _put(words["desk.to_set"], who=words[seat.value], squares=", ".join(squares))
        asked = setting["asked"][seat.value]
        if seat.value in setting["confirmed"]:
            yield _put(words["desk.confirmed"], who=who)
        elif seat.value not in setting["said"] and asked:
            yield _put(words["desk.asked"], number=asked["number"], of=asked["of"], square=asked["square"])
    for one in setting["differs"]:
        if one["what"] == "line":
            yield _put(words["desk.open_line"], ply=move_number(one["ply"], words))
        else:
            there = ", ".join(one["squares"])
            yield _put(words["desk.open_board"], who=words[f"board_of.{one['what']}"], squares=there)


def _letter_name(letter: str | None, words: Mapping[str, str]) -> str:
    return man_name(chess.Piece.from_symbol(letter) if letter else None, words)


def _law_lines(desk: Shown, words: Mapping[str, str]) -> Iterable[str]:
    if desk.get("undecided"):
        yield str(desk["undecided"])
    if desk.get("verdict"):
        yield words[f"desk.verdict.{desk['verdict']}"]
        yield _put(words["desk.agree"], ply=_agreement_line(desk["agree_plies"], words))
        if desk["verdict"] == "same_record":
            yield from _deviating(desk["against"], words)
        if desk["provisional"]:
            yield _put(words["desk.provisional_answer"], plies=_plies(desk["unread"], words))
        else:
            yield words["desk.settled" if desk["settled"] else "desk.unsettled"]
        if desk["accepted"]:
            yield _put(words["desk.accepted"], plies=_plies(desk["unread"], words))
    for one in desk.get("listen", ()):
        yield f"{cell_name((one['ply'], one['side']), words)}: {words['desk.provisional']}"


def _deviating(against: Iterable[Shown], words: Mapping[str, str]) -> Iterable[str]:
    found = False
    for seat, one in zip(Seat, against, strict=True):
        if one["deviates"]:
            found = True
            told = (_square_is(wrong, words) for wrong in one["squares"])
            yield _put(words["desk.deviates"], who=words[f"board_of.{seat.value}"], squares="; ".join(told))
    if not found:
        yield words["desk.deviates_none"]


def _square_is(wrong: Shown, words: Mapping[str, str]) -> str:
    there, man = _letter_name(wrong["is"], words), _letter_name(wrong["should_be"], words)
    return _put(words["desk.square_is"], **{"square": wrong["square"], "is": there, "man": man})


def _agreement_line(ply: int, words: Mapping[str, str]) -> str:
    return move_number(ply, words) if ply else "0"


def _plies(plies: Iterable[int], words: Mapping[str, str]) -> str:
    """Return half-moves as people number moves, those in a row as one range: "1 (White)–2 (White), 4 (Black)"."""
    rows: list[list[int]] = []
    for ply in plies:
        if rows and rows[-1][-1] == ply - 1:
            rows[-1] = [rows[-1][0], ply]
        else:
            rows.append([ply])
    return ", ".join("–".join(move_number(ply, words) for ply in row) for row in rows)


def decisions(desk: Shown) -> tuple[str, ...]:
    """Return the decisions that may be given now; nothing is decided on what was not read, unless that will do."""
    if not desk.get("open") or desk.get("setting"):
        return ()
    verdict = desk.get("verdict")
    stands = bool(verdict) and not desk["provisional"] and not desk["listen"]
    alike = verdict in ALIKE
    found = {"adjust": alike and stands, "back": stands, "mend": stands or not alike}
    return tuple(kind for kind, may in found.items() if may)


def decision_body(body: Mapping[str, Any], desk: Shown) -> dict[str, Any]:
    """Return a decision with the game as both scores give it, which the server then takes for its own.

    Where the scores do not agree to the end, "only the server is wrong" takes what both boards show.
    """
    kind, verdict = body["kind"], desk.get("verdict") or ""
    made: dict[str, Any] = {"do": "decide_desk", "kind": kind, "verdict": verdict}
    moves = desk.get("moves")
    if moves and kind == "back":
        made["moves"] = moves[: desk["agree_plies"]]
    elif verdict and (kind == "back" or verdict in ALIKE):
        made |= {"moves": moves, "placement": desk["placement"], "turn": desk["turn"]}
    if kind == "back":
        made["ply"] = desk["agree_plies"]
        made |= {name: body[name] for name in ("times", "white_ms", "black_ms") if name in body}
    if not made.get("moves") and (body.get("position_alone") or made.get("placement")):
        made["position_alone"] = True
    return made


def times_offered(desk: Shown, words: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Return word -> what happens to the clocks, and the same in full, with the times; stored ones only where known."""
    found = {}
    if desk.get("clock"):
        key = "desk.times.read" if desk["clock_read"] else "desk.times.stored"
        found[words["desk.times.stored_none"]] = ("stored", _with_time_of_day(words[key], desk["clock"]))
    if desk.get("now"):
        found[words["desk.times.keep"]] = ("leave", _with_time_of_day(words["desk.times.leave"], desk["now"]))
    else:
        found[words["desk.times.leave_none"]] = ("leave", words["desk.times.leave_none"])
    typed = words["desk.times.typed"].rstrip(":")
    return {**found, typed: ("typed", typed)}


def _with_time_of_day(text: str, times: Shown) -> str:
    return _put(text, white=digits(times["white"]), black=digits(times["black"]))


def compared_lines(found: Shown, words: Mapping[str, str]) -> tuple[str, ...]:
    """Return what comparing both whole scores found."""
    if found["missing"]:
        return (_put(words["desk.sheets.missing"], plies=_plies(found["missing"], words)),)
    lines = [
        words[f"desk.verdict.{found['verdict']}"],
        _put(words["desk.agree"], ply=_agreement_line(found["agree_plies"], words)),
    ]
    if found["verdict"] == "same_record":
        lines += _deviating(found["against"], words)
    for one in found["shifts"]:
        who = words["score_of.white" if one["score"] == "first" else "score_of.black"]
        lines.append(_put(words[f"desk.shift.{one['kind']}"], who=who, ply=move_number(one["ply"], words)))
    for one in found["questions"]:
        ply, moves = move_number(one["ply"], words), ", ".join(one["candidates"]) or "-"
        white, black = one["first"] or "-", one["second"] or "-"
        lines.append(_put(words["desk.question"], ply=ply, white=white, black=black, moves=moves))
    return tuple(lines)


def shown_after_comparing(desk: Shown, found: Shown) -> Shown:
    """Return the desk as the whole scores, compared, answer it: what is decided next rests on them."""
    if found["missing"]:
        return desk
    placement, turn, *_ = found["position"].split(" ")
    known = {name: found[name] for name in ("verdict", "agree_plies", "moves", "clock", "clock_read", "against")}
    turn_of = {"w": "white", "b": "black"}[turn]
    return {
        **desk,
        **known,
        "placement": placement,
        "turn": turn_of,
        "provisional": False,
        "listen": (),
        "settled": True,
    }
