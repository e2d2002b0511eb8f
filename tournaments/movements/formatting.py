"""Formats small numbers, ranges, lists and labels for sentences."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from server.translation import gettext_noop

_NUMBER_WORDS = (
    # Translators: numbers inside sentences; use digits where the word would be inflected.
    gettext_noop("one"),
    gettext_noop("two"),
    gettext_noop("three"),
    gettext_noop("four"),
    gettext_noop("five"),
    gettext_noop("six"),
    gettext_noop("seven"),
    gettext_noop("eight"),
    gettext_noop("nine"),
    gettext_noop("ten"),
)


def format_number(number: int) -> str:
    """Format a number, as a word up to ten."""
    if number == 0:
        return pgettext("number in a sentence", "no")
    return _(_NUMBER_WORDS[number - 1]) if 1 <= number <= len(_NUMBER_WORDS) else str(number)


def format_place_for_players(place_label: str) -> str:
    """Format a place for players: "3 N-S", or "5" if there is one field."""
    if place_label.endswith("NS"):
        return _("%(number)s N-S") % {"number": place_label.removesuffix("NS")}
    if place_label.endswith("EW"):
        return _("%(number)s E-W") % {"number": place_label.removesuffix("EW")}
    return place_label


def format_table(table_number: int, section_letter: str = "") -> str:
    """Format a table for players: "13", or "A13" if there are several sections.

    All pages, papers and API responses use this format. `section_letter` is "" if
    there is one section.
    """
    return f"{section_letter}{table_number}"


def format_table_count(table_count: int) -> str:
    """Format a number of tables, e.g. "1 table" or "7 tables"."""
    return ngettext("%(tables)s table", "%(tables)s tables", table_count) % {
        "tables": table_count
    }


def format_round_count(round_count: int) -> str:
    """Format a number of rounds, e.g. "1 round" or "6 rounds"."""
    return ngettext("%(rounds)s round", "%(rounds)s rounds", round_count) % {
        "rounds": round_count
    }


def format_boards_a_round(board_count: int) -> str:
    """Format a number of boards a round, e.g. "4 boards a round"."""
    message = ngettext("%(boards)s board per round", "%(boards)s boards per round", board_count)
    return message % {"boards": board_count}


def format_movement_counts(table_count: int, round_count: int, boards_a_round: int) -> str:
    """Format the size of a movement, e.g. "7 tables, 6 rounds, 4 boards a round"."""
    return _("%(tables)s, %(rounds)s, %(boards)s") % {
        "tables": format_table_count(table_count),
        "rounds": format_round_count(round_count),
        "boards": format_boards_a_round(boards_a_round),
    }


def format_section_count(section_count: int, boards_a_round: int) -> str:
    """Format a division into sections, e.g. "3 sections, 4 boards a round"."""
    message = _("%(sections)s sections, %(boards)s")
    return message % {
        "sections": section_count,
        "boards": format_boards_a_round(boards_a_round),
    }


def format_range(minimum: int, maximum: int) -> str:
    """Format a range in words, e.g. "two or three", "two to five" or "up to five"."""
    if minimum == maximum:
        return format_number(maximum)
    if minimum == 0:
        return _("up to %(most)s") % {"most": format_number(maximum)}
    placeholders = {"least": format_number(minimum), "most": format_number(maximum)}
    if maximum == minimum + 1:
        return _("%(least)s or %(most)s") % placeholders
    return _("%(least)s to %(most)s") % placeholders


def format_range_in_digits(minimum: int, maximum: int) -> str:
    """Format a range in digits, e.g. "27" or "24–27"."""
    return str(maximum) if minimum == maximum else f"{minimum}–{maximum}"


def join_place_names(names: Sequence[str]) -> str:
    """Join names of places, with three or more consecutive numbers as a range: 1–6 and 9."""
    consecutive_runs: list[list[str]] = []
    for name in names:
        last_name = consecutive_runs[-1][-1] if consecutive_runs else ""
        if last_name.isdecimal() and name.isdecimal() and int(name) == int(last_name) + 1:
            consecutive_runs[-1].append(name)
        else:
            consecutive_runs.append([name])
    run_texts: list[str] = []
    for run in consecutive_runs:
        run_texts += [f"{run[0]}–{run[-1]}"] if len(run) > 2 else run
    return join_names(run_texts)


def join_names(names: Sequence[str]) -> str:
    """Join names, e.g. "a, b and c"."""
    *other_names, last_name = names or [""]
    return (
        _("%(some)s and %(last)s") % {"some": ", ".join(other_names), "last": last_name}
        if other_names
        else last_name
    )


def join_alternatives(names: Sequence[str]) -> str:
    """Join alternatives, e.g. "a, b or c"."""
    *other_names, last_name = names
    return (
        _("%(some)s or %(last)s") % {"some": ", ".join(other_names), "last": last_name}
        if other_names
        else last_name
    )


def format_hours(minutes: int) -> str:
    """Format a duration, rounded to half an hour, e.g. "about 3½ hours"."""
    half_hour_count = max(1, (minutes + 15) // 30)
    if half_hour_count == 1:
        return _("about half an hour")
    whole_hour_count, remaining_half_hour_count = divmod(half_hour_count, 2)
    message = ngettext(
        "about %(hours)s hour",
        "about %(hours)s hours",
        half_hour_count // 2 + remaining_half_hour_count,
    )
    return message % {
        "hours": f"{whole_hour_count}½" if remaining_half_hour_count else str(whole_hour_count)
    }
