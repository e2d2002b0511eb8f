"""Compare the grade filter with one large least squares solution, and test what is public."""

import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import numpy
import pytest
from django.core.management import CommandError, call_command

from clubs.file_fields import UnusableFile
from seasons.grades.grades_file import build_grades_data, read_grades
from seasons.grades.rating import (
    BoardPlay,
    ClubRatings,
    GradedEvening,
    GradeModelConstants,
    compute_evening_input,
    grade_evening,
    list_shown_grades,
    update_ratings_from_input,
)
from seasons.grades.rating.evenings import (
    compute_quadratic_form,
    make_partnership,
    solve_system,
)
from seasons.grades.rating.filter import predict_results
from seasons.grades.rating.fit import fit_best_constants, grade_evenings
from seasons.grades.rating.serialization import (
    deserialize_club_ratings,
    deserialize_evening_input,
    serialize_club_ratings,
    serialize_evening_input,
)

NAMES = [f"P{n}" for n in range(12)]


def generate_evenings(
    evenings: int = 6, *, seed: int = 3, has_fixed_pairs: bool = False
) -> list[GradedEvening]:
    """Return evenings of five pairs over ten boards, one of which is played only once."""
    chance = Random(seed)
    graded_evenings = []
    for number in range(evenings):
        people = NAMES[:10] if has_fixed_pairs else chance.sample(NAMES, 10)
        pairs = [make_partnership(people[n : n + 2]) for n in range(0, 10, 2)]
        plays = []
        for board in range(10):
            chance.shuffle(pairs)
            tables = [(pairs[0], pairs[1]), (pairs[2], pairs[3])][: 1 if board == 9 else 2]
            plays += [BoardPlay(str(board), ns, ew, chance.randint(3, 10)) for ns, ew in tables]
        graded_evenings.append(GradedEvening(f"e{number}", 700_000 + 30 * number, tuple(plays)))
    return graded_evenings


def test_filter_equals_one_large_least_squares_solution() -> None:
    """All people, boards and forms of all evenings at once, with the noise of the last one."""
    evenings = generate_evenings(4)
    constants = GradeModelConstants(s0=0.25, tau=0.05, q=0.0)
    club, columns, normal, right_hand_side = build_normal_equations(evenings, constants)
    whole, covariance_matrix = (
        numpy.linalg.solve(normal, right_hand_side),
        numpy.linalg.inv(normal),
    )
    for person in club.percentage_grades_by_person:
        mean, spread = club.get_strength(person)
        assert mean == pytest.approx(whole[columns[person]], abs=1e-10)
        assert spread == pytest.approx(
            covariance_matrix[columns[person], columns[person]], abs=1e-10
        )


def test_likelihood_differences_match_one_large_least_squares_solution() -> None:
    """The density of all results, with unknown strengths and forms and free board means."""
    evenings = generate_evenings(3)

    def compute_likelihoods(constants: GradeModelConstants) -> tuple[float, float]:
        club, columns, normal, right = build_normal_equations(evenings, constants)
        prior_precisions = [compute_prior_precision(key, constants) for key in columns]
        whole = (
            right @ numpy.linalg.solve(normal, right)
            - numpy.linalg.slogdet(normal)[1]
            + sum(
                numpy.log(prior_precision)
                for prior_precision in prior_precisions
                if prior_precision
            )
        ) / 2
        return club.log_likelihood, whole

    likelihood, whole = compute_likelihoods(GradeModelConstants(s0=0.25, tau=0.05, q=0.0))
    for s0, tau in ((0.25, 0.3), (0.6, 0.05), (0.1, 0.1)):
        other_likelihood, other_direct_likelihood = compute_likelihoods(
            GradeModelConstants(s0=s0, tau=tau, q=0.0)
        )
        assert other_likelihood - likelihood == pytest.approx(
            other_direct_likelihood - whole, abs=1e-8
        )


def build_normal_equations(
    evenings: list[GradedEvening], constants: GradeModelConstants
) -> tuple[ClubRatings, dict[Any, int], Any, Any]:
    """Return the graded club, the columns, and the normal equations of all evenings."""
    club = ClubRatings(constants)
    noises = []
    for evening in evenings:
        grade_evening(club, evening)
        noises.append(club.noise_variance)
    people = sorted(club.percentage_grades_by_person)
    columns: dict[Any, int] = {person: n for n, person in enumerate(people)}
    rows = [
        (build_matrix_row(columns, evening, play), play.ns_tricks, noise)
        for evening, noise in zip(evenings, noises, strict=True)
        for play in evening.plays
    ]
    normal = numpy.diag([compute_prior_precision(key, constants) for key in columns])
    right = numpy.zeros(len(columns))
    for entries, tricks, noise in rows:
        row_vector = numpy.zeros(len(columns))
        for column, coefficient in entries.items():
            row_vector[column] = coefficient
        normal += numpy.outer(row_vector, row_vector) / noise
        right += row_vector * tricks / noise
    return club, columns, normal, right


def build_matrix_row(
    columns: dict[Any, int], evening: GradedEvening, play: BoardPlay
) -> dict[int, float]:
    """Return the matrix row of a play: people, forms of the evening, and the board."""
    coefficients_by_column = {}
    for side, sign in ((play.ns_partnership, 1.0), (play.ew_partnership, -1.0)):
        coefficients_by_column[
            columns.setdefault(("form", evening.evening_key, side), len(columns))
        ] = sign
        coefficients_by_column |= {columns[person]: sign / 2 for person in side}
    coefficients_by_column[
        columns.setdefault(("board", evening.evening_key, play.board_key), len(columns))
    ] = 1.0
    return coefficients_by_column


def compute_prior_precision(key: Any, constants: GradeModelConstants) -> float:
    if isinstance(key, str):
        return 1 / constants.s0**2
    return 1 / constants.tau**2 if key[0] == "form" else 0.0


def test_order_of_plays_does_not_affect_grades() -> None:
    evenings = generate_evenings()
    graded_evenings = [
        GradedEvening(evening.evening_key, evening.day_number, tuple(reversed(evening.plays)))
        for evening in evenings
    ]
    first_ratings, reversed_ratings = (
        grade_evenings(evenings, GradeModelConstants()),
        grade_evenings(graded_evenings, GradeModelConstants()),
    )
    for person in first_ratings.percentage_grades_by_person:
        assert first_ratings.get_strength(person) == pytest.approx(
            reversed_ratings.get_strength(person), abs=1e-12
        )
        assert first_ratings.percentage_grades_by_person[person] == pytest.approx(
            reversed_ratings.percentage_grades_by_person[person], abs=1e-12
        )


def test_one_more_trick_never_lowers_own_grade() -> None:
    evenings = generate_evenings(3)
    ratings_before = grade_evenings(evenings, GradeModelConstants())
    last = evenings[-1]
    for place, play in enumerate(last.plays[:-1]):
        plays = list(last.plays)
        plays[place] = BoardPlay(
            play.board_key, play.ns_partnership, play.ew_partnership, play.ns_tricks + 0.01
        )
        changed_evenings = [
            *evenings[:-1],
            GradedEvening(last.evening_key, last.day_number, tuple(plays)),
        ]
        ratings_after = grade_evenings(changed_evenings, GradeModelConstants())
        for person in play.ns_partnership:
            assert (
                ratings_after.get_strength(person)[0]
                >= ratings_before.get_strength(person)[0] - 1e-12
            )
        for person in play.ew_partnership:  # one less for that person
            assert (
                ratings_after.get_strength(person)[0]
                <= ratings_before.get_strength(person)[0] + 1e-12
            )


def test_grade_is_kept_after_two_years_of_absence() -> None:
    first_evening = generate_evenings(1)[0]
    club = ClubRatings(GradeModelConstants())
    grade_evening(club, first_evening)
    person = next(iter(club.person_keys))
    strength = club.get_strength(person)
    other_board_plays = tuple(
        BoardPlay(p.board_key, ("A", "B"), ("C", "D"), p.ns_tricks) for p in first_evening.plays
    )
    grade_evening(
        club, GradedEvening("later", first_evening.day_number + 731, other_board_plays)
    )
    assert person not in club.person_keys
    assert club.get_strength(person) == strength


def test_session_without_repeated_boards_changes_no_grade() -> None:
    club = ClubRatings(GradeModelConstants())
    grade_evening(
        club, GradedEvening("e", 700_000, (BoardPlay("1", ("A", "B"), ("C", "D"), 7),))
    )
    assert (club.person_keys, club.last_day_number, club.noise_variance) == ([], None, 1.69)


def test_grades_show_fixed_partners_jointly_and_only_known_players() -> None:
    fixed_pair_evenings = generate_evenings(120, has_fixed_pairs=True)
    pairs = {play.ns_partnership for evening in fixed_pair_evenings for play in evening.plays}
    fixed = [
        GradedEvening(
            e.evening_key,
            e.day_number,
            tuple(
                BoardPlay(p.board_key, p.ns_partnership, p.ew_partnership, p.ns_tricks)
                for p in e.plays
            ),
        )
        for e in fixed_pair_evenings
    ]
    club = grade_evenings(fixed, GradeModelConstants(q=0.0))
    shown_grades = list_shown_grades(club, pairs)
    assert {len(item.person_keys) for item in shown_grades} == {2}
    assert all(
        item.reliability_word in ("evolving", "mature") and item.range > 0
        for item in shown_grades
    )
    mixed_pair_grades = list_shown_grades(
        grade_evenings(generate_evenings(160), GradeModelConstants(q=0.0))
    )
    assert {len(item.person_keys) for item in mixed_pair_grades} == {1}
    assert list_shown_grades(grade_evenings(generate_evenings(3), GradeModelConstants())) == []


def test_expected_result_has_no_favourite_among_new_players() -> None:
    predictions = predict_results(ClubRatings(GradeModelConstants()), generate_evenings(1)[0])
    assert {item.mean for item in predictions} == {0.0}
    assert all(item.sd > 0 for item in predictions)


def test_too_few_sessions_keep_default_constants() -> None:
    assert fit_best_constants(generate_evenings(3)) == GradeModelConstants()


def test_linear_algebra_solves_systems_and_computes_rank() -> None:
    solution, log_determinant = solve_system([[0.0, 2.0], [4.0, 0.0]], [[2.0], [8.0]])
    assert solution == [[2.0], [1.0]]
    assert log_determinant == pytest.approx(numpy.log(8))
    assert compute_quadratic_form([[1.0, -1.0], [-1.0, 1.0]], [2.0, -2.0]) == (4.0, 1)
    assert compute_quadratic_form([[0.0]], [0.0]) == (0.0, 0)


def build_grades_file(**more: Any) -> dict[str, Any]:
    return {
        "format": "whist-grades/1",
        "constants": {"s0": 0.25, "tau": 0.05, "q": 0.07},
        "evenings": [
            {
                "event": "e1",
                "date": "2026-03-10",
                "plays": [[1, ["A", "B"], ["C", "D"], 9], [1, ["E", "F"], ["G", "H"], 5]],
            }
        ],
        **more,
    }


def test_file_is_graded_session_by_session() -> None:
    constants, evenings = read_grades(build_grades_file())
    (evening_data,) = build_grades_data(constants, evenings, should_include_each_evening=True)[
        "evenings"
    ]
    ann = evening_data["players"]["A"]
    assert ann["mean"] > 0 > evening_data["players"]["C"]["mean"]
    assert (ann["boards"], evening_data["sigma2"]) == (1, 1.69)
    assert ann["ngs"] == 50 + 2 / 300 * 50


def test_evenings_of_a_file_are_sorted_by_date_and_then_by_event() -> None:
    (evening,) = build_grades_file()["evenings"]
    dates_by_event = {
        "b": "2026-03-10",
        "c": "2026-03-03",
        "a": "2026-03-10",
        "d": "2025-12-30",
    }
    evenings_data = [
        {**evening, "event": event, "date": day} for event, day in dates_by_event.items()
    ]
    _constants, evenings = read_grades(build_grades_file(evenings=evenings_data))
    assert [item.evening_key for item in evenings] == ["d", "c", "a", "b"]
    assert read_grades(build_grades_file(evenings=[]))[1] == []


@pytest.mark.parametrize("tricks", [0, 13, "0", "13/2"])
def test_file_accepts_zero_to_thirteen_tricks(tricks: object) -> None:
    file_data = build_grades_file()
    file_data["evenings"][0]["plays"][0][3] = tricks
    _constants, (evening,) = read_grades(file_data)
    assert evening.plays[0].ns_tricks == {0: 0, 13: 13, "0": 0, "13/2": 6.5}[tricks]


@pytest.mark.parametrize("tricks", [-1, "-1/100", "1301/100", 14, None, True, "many"])
def test_file_refuses_other_numbers_of_tricks(tricks: object) -> None:
    invalid_file = build_grades_file()
    invalid_file["evenings"][0]["plays"][0][3] = tricks
    with pytest.raises(UnusableFile, match="a number of tricks from 0 to 13") as exc_info:
        read_grades(invalid_file)
    assert [problem.partition(": ")[0] for problem in exc_info.value.problems] == [
        "evenings[0].plays[0][3]"
    ]


@pytest.mark.parametrize("key", ["s0", "tau", "q"])
@pytest.mark.parametrize(
    ("value", "is_accepted"),
    [
        *((13, True), ("1/1000000000000", True), (0.01, True), (0, None)),
        *((14, False), (2**40, False), (2**70, False), (10**29, False), (-1, False)),
    ],
)
def test_constant_is_used_or_reported_with_its_path(
    key: str, value: object, is_accepted: bool | None, tmp_path: Path
) -> None:
    file = tmp_path / "grades.json"
    file.write_text(
        json.dumps(
            build_grades_file(constants={"s0": 0.25, "tau": 0.05, "q": 0.07, key: value})
        )
    )
    arguments = ("season", "grades", "--from", str(file), "--each", "--format", "json")
    if is_accepted or (is_accepted is None and key != "s0"):
        call_command(*arguments, stdout=(output := StringIO()))
        assert "NaN" not in output.getvalue()
        return
    with pytest.raises(CommandError, match=f"constants.{key}: Enter a number of tricks"):
        call_command(*arguments)


@pytest.mark.parametrize("sign", ["\ud800", "\x00", "\n"])
def test_unprintable_name_is_refused_with_its_path(sign: str) -> None:
    faulty = build_grades_file()
    faulty["evenings"][0]["plays"][0][2] = ["C", f"D{sign}"]
    with pytest.raises(UnusableFile, match="can’t be printed") as exc_info:
        read_grades(faulty)
    assert [problem.partition(": ")[0] for problem in exc_info.value.problems] == [
        "evenings[0].plays[0][2]"
    ]


def test_errors_in_file_of_plays_are_reported_by_path() -> None:
    plays = [[1, ["A", "A"], ["C", "D"], 9], [1, ["A", "B"], ["B", "C"], 9], [1], [2, 3, 4, 14]]
    faulty = build_grades_file(constants={"s0": 0, "tau": -1, "r": 1})
    faulty["evenings"][0]["plays"] = plays
    with pytest.raises(UnusableFile) as exc_info:
        read_grades(faulty)
    assert {problem.partition(": ")[0] for problem in exc_info.value.problems} == {
        "constants.s0",
        "constants.tau",
        "constants.r",
        "evenings[0].plays[0][1]",
        "evenings[0].plays[1]",
        "evenings[0].plays[2]",
        "evenings[0].plays[3][1]",
        "evenings[0].plays[3][2]",
        "evenings[0].plays[3][3]",
    }


def test_mean_of_unchanged_club_is_stable_for_five_years() -> None:
    chance = Random(11)
    strength = {f"P{n:02}": chance.gauss(0, 0.28) for n in range(16)}
    club = ClubRatings(GradeModelConstants())
    for week in range(260):
        people = chance.sample(sorted(strength), 12)
        pairs = [make_partnership(people[n : n + 2]) for n in range(0, 12, 2)]
        plays = []
        for board in range(8):
            for table in range(3):
                ns, ew = pairs[table], pairs[3 + (table + board) % 3]
                gap = sum(strength[p] for p in ns) / 2 - sum(strength[p] for p in ew) / 2
                plays.append(BoardPlay(str(board), ns, ew, 6.5 + gap + chance.gauss(0, 1.25)))
        grade_evening(club, GradedEvening(f"e{week}", 700_000 + 7 * week, tuple(plays)))
    assert abs(sum(club.mean) / len(club.mean)) < 0.01
    spread = max(strength.values()) - min(strength.values())
    assert max(club.mean) - min(club.mean) > spread / 2  # it does distinguish people


def test_filter_state_round_trips_bit_for_bit() -> None:
    evenings = generate_evenings(8)
    whole, club = (
        grade_evenings(evenings, GradeModelConstants()),
        grade_evenings(evenings[:5], GradeModelConstants()),
    )
    club = deserialize_club_ratings(json.loads(json.dumps(serialize_club_ratings(club))))
    for evening in evenings[5:]:
        evening_input = compute_evening_input(evening)
        assert evening_input is not None
        update_ratings_from_input(
            club,
            deserialize_evening_input(
                json.loads(json.dumps(serialize_evening_input(evening_input)))
            ),
        )
    assert serialize_club_ratings(club) == serialize_club_ratings(whole)


def test_expected_spread_includes_strength_form_and_noise() -> None:
    """G0 S G0 + noise G0, with S of people and form, computed with numpy."""
    evenings = generate_evenings(5)
    club = grade_evenings(evenings[:4], GradeModelConstants(q=0.0))
    facts = compute_evening_input(evenings[4])
    assert facts is not None
    predicted = predict_results(club, evenings[4])
    assert club.last_day_number == evenings[3].day_number  # the prediction changes nothing
    people = club.person_keys + sorted(
        {p for u in facts.partnerships for p in u} - set(club.person_keys)
    )
    strength_covariance = numpy.eye(len(people)) * 0.25**2
    known_person_count = len(club.person_keys)
    strength_covariance[:known_person_count, :known_person_count] = club.covariance
    sides = numpy.zeros((len(facts.partnerships), len(people)))
    for row, pair in enumerate(facts.partnerships):
        for person in pair:
            sides[row, people.index(person)] = 0.5
    spread = sides @ strength_covariance @ sides.T + 0.05**2 * numpy.eye(
        len(facts.partnerships)
    )
    matrix = numpy.array(facts.equations.matrix)
    expected = matrix @ spread @ matrix + club.noise_variance * matrix
    assert [item.sd**2 for item in predicted] == pytest.approx(list(numpy.diag(expected)))


def test_grade_column_equals_direct_computation() -> None:
    """Board by board and comparison by comparison, from the grades before the evening."""
    grades: dict[str, float] = {}
    boards_played_by_person: dict[str, list[tuple[int, int]]] = {}
    evenings = generate_evenings(7)
    evenings += [
        GradedEvening(
            f"late {one_evening.evening_key}", one_evening.day_number + 1095, one_evening.plays
        )
        for one_evening in evenings
    ]
    for evening in evenings:
        changes = compute_grade_changes(evening, grades, boards_played_by_person)
        for person, change in changes.items():
            grades[person] = grades.get(person, 50.0) + change
    club = grade_evenings(evenings, GradeModelConstants())
    assert club.percentage_grades_by_person == pytest.approx(grades, abs=1e-9)


def compute_grade_changes(
    evening: GradedEvening, grades: dict[str, float], played: dict[str, list[tuple[int, int]]]
) -> dict[str, float]:
    made: dict[Any, list[tuple[float, float]]] = {}  # of a unit: points and opponents' grades
    boards: dict[Any, int] = {}
    for pair, rows in list_comparisons(evening, grades):
        boards[pair] = boards.get(pair, 0) + 1
        made.setdefault(pair, []).extend(rows)
    for pair, count in boards.items():
        for person in pair:
            played.setdefault(person, []).append((evening.day_number, count))
    actual: dict[str, float] = {}
    for pair, rows in made.items():
        own_grade = sum(grades.get(person, 50.0) for person in pair) / 2
        expected_score = (
            50
            + own_grade
            - sum(opponents_grade for _points, opponents_grade in rows) / len(rows)
        )
        score = 100 * sum(points for points, _opponents_grade in rows) / len(rows)
        for person in pair:
            recent_board_count = sum(
                n for day, n in played[person] if day > evening.day_number - 1095
            )
            gain = 2 * boards[pair] / max(min(recent_board_count, 2000), 300)
            actual[person] = actual.get(person, 0.0) + gain * (score - expected_score)
    return actual


def list_comparisons(
    evening: GradedEvening, grades: dict[str, float]
) -> Iterator[tuple[tuple[str, str], list[tuple[float, float]]]]:
    """Yield for each compared side of each play its points and the opponents' grades."""
    for play in evening.plays:
        plays = [
            one_play
            for one_play in evening.plays
            if one_play.board_key == play.board_key and one_play is not play
        ]
        for pair, sign in (
            ((play.ns_partnership, 1), (play.ew_partnership, -1)) if plays else ()
        ):
            rows = []
            for item in plays:
                gap = sign * (play.ns_tricks - item.ns_tricks)
                compared_partnership = item.ns_partnership if sign > 0 else item.ew_partnership
                met = sum(grades.get(person, 50.0) for person in compared_partnership) / 2
                rows.append((1.0 if gap > 0 else 0.5 if gap == 0 else 0.0, met))
            yield pair, rows


def test_pair_grade_is_used_for_player_without_own_grade() -> None:
    """A player with several partners is distinguishable before a partner with only one."""
    chance = Random(2)
    club = ClubRatings(GradeModelConstants(tau=0.0, q=0.0))
    people = [f"P{n:02}" for n in range(13)]
    lines = []
    for week in range(46):
        other_people = chance.sample(people[2:], 10)
        pairs = [make_partnership([people[0], other_people.pop() if week % 2 else people[1]])]
        pairs += [make_partnership(other_people[n : n + 2]) for n in range(0, 8, 2)]
        plays = tuple(
            BoardPlay(
                str(board), pairs[n], pairs[(n + 1 + board % 4) % 5], chance.gauss(6.5, 1.2)
            )
            for board in range(20)
            for n in range(2)
            if n != (n + 1 + board % 4) % 5
        )
        grade_evening(club, GradedEvening(f"e{week}", 700_000 + 7 * week, plays))
        shown_keys = [
            shown_grade.person_keys
            for shown_grade in list_shown_grades(club, [make_partnership(people[:2])])
        ]
        several_partners_key, single_partner_key = (people[0],), (people[1],)
        lines.append(
            (
                several_partners_key in shown_keys,
                single_partner_key in shown_keys,
                make_partnership(people[:2]) in shown_keys,
            )
        )
    assert lines[5] == (False, False, False)
    assert lines[25] == (True, False, True)
    assert lines[45] == (True, True, False)


@pytest.mark.parametrize("key", ["plays", "\ud800", "two\nlines"])
def test_duplicate_key_is_reported_in_printable_characters(key: str) -> None:
    escaped = json.dumps(key)
    with pytest.raises(UnusableFile) as exc_info:
        read_grades(f"{{{escaped}: 1, {escaped}: 2}}")
    (problem,) = exc_info.value.problems
    assert problem.isprintable()
    assert "appears twice in one group" in problem
