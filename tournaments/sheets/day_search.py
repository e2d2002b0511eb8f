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

    words: tuple[str, ...]  # those that are not about the day
    fits: DatePredicate | None = None  # None if the search has no day
    is_newest: bool = False  # whether only the newest day that fits is meant


def parse_day_search(words: tuple[str, ...], today: Date) -> DaySearch:
    """Find the day in the words of a search; a weekday must follow "last".

    "Last Tuesday" is the newest evening on a Tuesday before today, however long ago.
    """
    ago = {_("today"): 0, _("tonight"): 0, _("yesterday"): 1}
    plain_ago = {fold_name(word): days for word, days in ago.items()}
    last = fold_name(_("last"))
    for at, word in enumerate(words):
        if word in plain_ago:
            return DaySearch(
                _remove_words(words, at, 1), _match_day(today - timedelta(plain_ago[word]))
            )
        if word == last and at + 1 < len(words):
            meant = _parse_last(words[at + 1], today)
            if meant is not None:
                return DaySearch(_remove_words(words, at, 2), *meant)
    return DaySearch(words)


def _parse_last(word: str, today: Date) -> tuple[DatePredicate, bool] | None:
    """Return the days meant by a word after "last", such as "night" or "Tuesday".

    None if unknown.
    """
    if word == fold_name(_("night")):
        return _match_day(today - timedelta(1)), False
    if word == fold_name(_("week")):
        monday = today - timedelta(today.weekday())
        return (lambda day: monday - timedelta(7) <= day < monday), False
    if word in (fold_name(_("evening")), fold_name(_("session"))):
        return (lambda day: day < today), True
    if len(word) >= MIN_WEEKDAY_LETTERS:
        names = {number: fold_name(str(name)) for number, name in WEEKDAYS.items()}
        meant = [number for number, name in names.items() if name.startswith(word)]
        if meant:
            return (lambda day: day < today and day.weekday() in meant), True
    return None


def _match_day(wanted_day: Date) -> DatePredicate:
    return lambda day: day == wanted_day


def _remove_words(words: tuple[str, ...], at: int, count: int) -> tuple[str, ...]:
    return words[:at] + words[at + count :]
