"""Spoken dates: the search understands "yesterday" and "last Tuesday"."""

from datetime import date, timedelta

import pytest

from clubs.name_folding import split_search_words
from tournaments.sheets.day_search import parse_day_search

FRIDAY = date(2026, 3, 13)
DAYS = [FRIDAY - timedelta(days_back) for days_back in range(15)]


@pytest.mark.parametrize(
    ("query", "rest", "days"),
    [
        ("tonight", "", [0]),
        ("yesterday", "", [1]),
        ("board 12 yesterday", "board 12", [1]),
        ("last night", "", [1]),
        ("last week", "", [5, 6, 7, 8, 9, 10, 11]),
        ("last Tuesday", "", [3, 10]),
        ("pairs last tue", "pairs", [3, 10]),
        ("last friday", "", [7, 14]),
        ("last evening", "", list(range(1, 15))),
    ],
)
def test_search_text_with_day_is_parsed(query: str, rest: str, days: list[int]) -> None:
    day_search = parse_day_search(split_search_words(query), FRIDAY)
    assert day_search.matches_day is not None
    assert " ".join(day_search.words) == rest
    assert [back for back, day in enumerate(DAYS) if day_search.matches_day(day)] == days


@pytest.mark.parametrize("query", ["tuesday", "last", "last orders", "last tu", "a last post"])
def test_search_text_without_day_gives_no_date(query: str) -> None:
    day_search = parse_day_search(split_search_words(query), FRIDAY)
    assert (day_search.matches_day, day_search.words) == (None, split_search_words(query))
