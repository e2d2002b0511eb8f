"""Days in a search text, such as "yesterday", "last Tuesday" or "board 12 last week"."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date as Date
from datetime import timedelta

from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext as _

from clubs.name_folding import fold_name

MIN_WEEKDAY_LETTERS = 3
"""The minimum number of letters of an abbreviated weekday, such as "tue"."""
DatePredicate = Callable[[Date], bool]


@dataclass(frozen=True, slots=True)
class DaySearch:
    """The day in a search text, and the remaining words."""

    words: tuple[str, ...]  # the words that are not about the day
    matches_day: DatePredicate | None = None  # None if the search has no day
    is_newest_only: bool = False  # whether only the newest day that fits is meant


def parse_day_search(words: tuple[str, ...], today: Date) -> DaySearch:
    """Find the day in the words of a search; a weekday counts only after the word "last".

    "Last Tuesday" is the newest evening on a Tuesday before today, however long ago.
    """
    days_ago_by_word = {_("today"): 0, _("tonight"): 0, _("yesterday"): 1}
    days_ago_by_folded_word = {
        fold_name(word): days_ago for word, days_ago in days_ago_by_word.items()
    }
    last_keyword = fold_name(_("last"))
    for index, word in enumerate(words):
        if word in days_ago_by_folded_word:
            return DaySearch(
                _remove_words(words, index, 1),
                _build_day_predicate(today - timedelta(days_ago_by_folded_word[word])),
            )
        if word == last_keyword and index + 1 < len(words):
            day_predicate_and_newest_flag = _parse_word_after_last(words[index + 1], today)
            if day_predicate_and_newest_flag is not None:
                return DaySearch(_remove_words(words, index, 2), *day_predicate_and_newest_flag)
    return DaySearch(words)


def _parse_word_after_last(word: str, today: Date) -> tuple[DatePredicate, bool] | None:
    """Return the days that a word after "last" means, such as "night", or None if unknown.

    The second value is whether only the newest of these days is meant.
    """
    if word == fold_name(_("night")):
        return _build_day_predicate(today - timedelta(1)), False
    if word == fold_name(_("week")):
        monday = today - timedelta(today.weekday())
        return (lambda day: monday - timedelta(7) <= day < monday), False
    if word in (fold_name(_("evening")), fold_name(_("session"))):
        return (lambda day: day < today), True
    if len(word) >= MIN_WEEKDAY_LETTERS:
        name_by_weekday_number = {
            weekday_number: fold_name(str(name)) for weekday_number, name in WEEKDAYS.items()
        }
        matching_weekday_numbers = [
            weekday for weekday, name in name_by_weekday_number.items() if name.startswith(word)
        ]
        if matching_weekday_numbers:
            return (lambda day: day < today and day.weekday() in matching_weekday_numbers), True
    return None


def _build_day_predicate(searched_day: Date) -> DatePredicate:
    return lambda day: day == searched_day


def _remove_words(words: tuple[str, ...], first_index: int, word_count: int) -> tuple[str, ...]:
    return words[:first_index] + words[first_index + word_count :]
