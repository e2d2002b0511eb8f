"""Large numbers that are typed with a space or a comma before the last three digits."""

import pytest

from drives.errors import ScoreRefused
from drives.numbers import signed_number
from drives.services.tables import _numbers


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("1200", 1200),
        ("1 200", 1200),
        ("1,200", 1200),
        ("−1\u202f200", -1200),
        ("-520", -520),
        ("1 20", None),
        ("12,00", None),
        ("1 2000", None),
        ("1  200", None),
        ("1.200", None),
    ],
)
def test_a_total_may_have_a_mark_before_its_last_three_digits(
    typed: str, number: int | None
) -> None:
    assert signed_number(typed) == number


def test_a_comma_in_one_of_several_boxes_does_not_divide_it() -> None:
    assert _numbers(["1,200", "-340"]) == [1200, -340]
    assert _numbers(["1 200", ""]) == [1200]
    assert _numbers(["8,5"]) == [8, 5]
    with pytest.raises(ScoreRefused):
        _numbers(["8,5", ""])
