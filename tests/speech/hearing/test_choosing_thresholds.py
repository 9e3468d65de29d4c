"""The thresholds that cost least: what each outcome costs a player, and what is chosen for which doubts."""

from __future__ import annotations

import msgspec

from speech.announcements.understand import understand
from speech.hearing.settings import Thresholds
from speech.hearing.verdict import judgement_of
from speech.training.curves.thresholds import Choice, Costs, Judgeable, choice, choices, told_choices, told_letters
from speech.words.said import Heard

STEPS = Thresholds(accept=0.95, confirm=0.93, for_us=0.1, word=0.02, against=0.975)
MOVE = understand(("piece.queen", "file.f", "rank.8"))
YES = understand(("cmd.yes",))


def heard(right: float, true: bool, *, ours: bool = True, for_us: float = 0.9, what: Heard = MOVE) -> Judgeable:
    return Judgeable(what, right, for_us, true, ours)


def test_a_wrong_move_accepted_costs_more_than_one_read_back_and_that_more_than_asking_again() -> None:
    costs = Costs()
    assert costs.of("accept", True) == 0 < costs.of("confirm", True) < costs.of("repeat", True)
    assert costs.of("repeat", True) < costs.of("confirm", False) < costs.of("accept", False) / 3
    # To be asked again costs the same whatever was heard.
    assert costs.of("repeat", True) == costs.of("repeat", False) == costs.of("reject", True)


def test_a_command_is_obeyed_from_its_own_threshold_on_and_never_read_back() -> None:
    eased = msgspec.structs.replace(STEPS, command=0.9)
    assert [judgement_of(YES, right, 0.9, eased) for right in (0.89, 0.9, 0.96)] == ["repeat", "accept", "accept"]
    assert [judgement_of(YES, right, 0.9, STEPS) for right in (0.94, 0.95)] == ["repeat", "accept"]
    assert [judgement_of(MOVE, right, 0.9, eased) for right in (0.92, 0.94, 0.96)] == ["repeat", "confirm", "accept"]


def test_what_names_a_file_by_its_letter_is_read_back_where_a_name_is_recorded() -> None:
    letter, careful = understand(("letter.b", "rank.4")), msgspec.structs.replace(STEPS, letters=0.99)
    assert [judgement_of(letter, right, 0.9, careful) for right in (0.92, 0.97, 0.99)] == [
        "repeat",
        "confirm",
        "accept",
    ]
    assert judgement_of(MOVE, 0.97, 0.9, careful) == judgement_of(letter, 0.97, 0.9, STEPS) == "accept"


def test_a_letter_in_doubt_is_read_back_earlier_than_a_name() -> None:
    steps = msgspec.structs.replace(STEPS, letters_confirm=0.6)
    letter = understand(("letter.e", "rank.4"))
    assert [judgement_of(letter, right, 0.9, steps) for right in (0.55, 0.65, 0.94)] == ["repeat", "confirm", "confirm"]
    assert [judgement_of(MOVE, right, 0.9, steps) for right in (0.65, 0.94, 0.97)] == ["repeat", "confirm", "accept"]
    assert judgement_of(letter, 0.65, 0.9, STEPS) == "repeat", "where there is no such threshold, as a name"
    assert judgement_of(letter, 0.65, 0.9, steps, named=True) == "repeat", "a name was heard about as well"


def test_what_was_hardly_meant_for_the_program_is_asked_again_however_sure_the_words_are() -> None:
    steps = msgspec.structs.replace(STEPS, taken=0.7, letters_confirm=0.6)
    for what, sure in ((MOVE, "accept"), (YES, "accept"), (understand(("letter.e", "rank.4")), "accept")):
        assert judgement_of(what, 0.99, 0.7, steps) == sure == judgement_of(what, 0.99, 0.2, STEPS)
        assert judgement_of(what, 0.99, 0.69, steps) == "repeat"
    assert judgement_of(MOVE, 0.94, 0.69, steps) == "repeat", "nor is it read back"
    assert judgement_of(MOVE, 0.99, 0.05, steps) == "reject"
    assert judgement_of(MOVE, 0.99, 0.2, steps.all_from(0.5)) == "accept", "a curve is drawn over all"


def test_letters_and_commands_may_sound_less_meant_for_the_program_than_names() -> None:
    steps = msgspec.structs.replace(STEPS, taken=0.8, short_taken=0.6, letters_confirm=0.6)
    letter = understand(("letter.e", "rank.4"))
    for what in (YES, letter):
        assert [judgement_of(what, 0.99, for_us, steps) for for_us in (0.59, 0.6)] == ["repeat", "accept"]
    assert [judgement_of(MOVE, 0.99, for_us, steps) for for_us in (0.6, 0.79, 0.8)] == ["repeat", "repeat", "accept"]
    assert judgement_of(letter, 0.65, 0.6, steps) == "confirm"
    assert judgement_of(letter, 0.99, 0.2, steps.all_from(0.5)) == "accept", "a curve is drawn over all"


def test_letters_cost_less_where_they_are_read_back_than_where_they_are_in_doubt_again() -> None:
    letter = understand(("letter.b", "rank.4"))
    doubtful = heard(0.65, True, what=letter)
    steps = msgspec.structs.replace(STEPS, accept=0.95, confirm=0.75)
    lines = told_letters([(doubtful, doubtful), (heard(0.5, False, what=letter), doubtful)], steps).splitlines()
    costs = Costs()
    asked_twice = costs.asked_again + costs.of("repeat", True)
    assert f"read back from 0.75: {asked_twice:.2f} s" in lines[-1] and "of 2 right at once 0" in lines[-1]
    assert f"read back from 0.6: {(costs.yes + costs.asked_again + costs.yes) / 2:.2f} s" in lines[2]
    assert "of 2 right at once 1, accepted wrong 0, read back wrong 1" in lines[1]
    assert told_letters([], steps) == ""


def test_what_thresholds_do_is_counted_in_shares_of_what_was_for_us() -> None:
    every = [
        *(heard(0.99, True),) * 5,
        *(heard(0.94, True), heard(0.94, False), heard(0.5, True), heard(0.97, False)),
        heard(0.94, True, what=YES),  # a command has no read-back: it is asked again
        heard(0.99, False, ours=False),  # free speech that is accepted costs as a wrong move does
        heard(0.99, False, ours=False, for_us=0.05),  # and nothing where nobody answers it
    ]
    done, costs = choice(every, STEPS, Costs()), Costs()
    assert (done.right, done.accepted_wrong, done.read_back_wrong, done.asked_again) == (0.6, 0.1, 0.1, 0.2)
    seconds = costs.yes + costs.of("confirm", False) + 2 * costs.of("accept", False) + 2 * costs.of("repeat", True)
    assert abs(done.seconds - seconds / 10) < 1e-9


def test_a_read_back_is_cheaper_than_asking_where_most_doubts_are_right_and_dearer_where_they_are_wrong() -> None:
    sure = [heard(0.999, True)] * 50
    best = choices([*sure, *[heard(0.72, True)] * 18, heard(0.72, False)], STEPS)[0]
    assert best.confirm <= 0.7 and best.asked_again == 0
    best = choices([*sure, *[heard(0.72, True)] * 8, *[heard(0.72, False)] * 11], STEPS)[0]
    assert best.confirm > 0.72 and best.read_back_wrong == 0


def test_one_wrong_of_twenty_is_too_many_to_accept() -> None:
    every = [*[heard(0.999, True)] * 50, *[heard(0.955, True)] * 19, heard(0.955, False)]
    found = choices(every, STEPS)
    assert found[0].accept > 0.955 and found[0].accepted_wrong == 0
    assert found == sorted(found, key=lambda one: one.seconds) and all(one.confirm <= one.accept for one in found)
    assert isinstance(found[0], Choice) and "(in force)" in told_choices(every, STEPS).splitlines()[-1]
