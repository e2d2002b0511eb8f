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


def format_place_for_players(label: str) -> str:
    """Format a place for players: "3 N-S", or "5" if there is one field."""
    if label.endswith("NS"):
        return _("%(number)s N-S") % {"number": label.removesuffix("NS")}
    if label.endswith("EW"):
        return _("%(number)s E-W") % {"number": label.removesuffix("EW")}
    return label


def format_table(table: int, section: str = "") -> str:
    """Format a table for players: "13", or "A13" if there are several sections.

    All pages, papers and API responses use this format. `section` is the section's letter, or
    "" if there is one section.
    """
    return f"{section}{table}"


def format_table_count(count: int) -> str:
    """Format a number of tables, e.g. "1 table" or "7 tables"."""
    return ngettext("%(tables)s table", "%(tables)s tables", count) % {"tables": count}


def format_round_count(count: int) -> str:
    """Format a number of rounds, e.g. "1 round" or "6 rounds"."""
    return ngettext("%(rounds)s round", "%(rounds)s rounds", count) % {"rounds": count}


def format_boards_a_round(count: int) -> str:
    """Format a number of boards a round, e.g. "4 boards a round"."""
    message = ngettext("%(boards)s board per round", "%(boards)s boards per round", count)
    return message % {"boards": count}


def format_size(tables: int, rounds: int, boards: int) -> str:
    """Format the size of a movement, e.g. "7 tables, 6 rounds, 4 boards a round"."""
    return _("%(tables)s, %(rounds)s, %(boards)s") % {
        "tables": format_table_count(tables),
        "rounds": format_round_count(rounds),
        "boards": format_boards_a_round(boards),
    }


def format_section_count(sections: int, boards: int) -> str:
    """Format a division into sections, e.g. "3 sections, 4 boards a round"."""
    message = _("%(sections)s sections, %(boards)s")
    return message % {"sections": sections, "boards": format_boards_a_round(boards)}


def format_range(least: int, most: int) -> str:
    """Format a range in words, e.g. "two or three", "two to five" or "up to five"."""
    if least == most:
        return format_number(most)
    if least == 0:
        return _("up to %(most)s") % {"most": format_number(most)}
    placeholders = {"least": format_number(least), "most": format_number(most)}
    if most == least + 1:
        return _("%(least)s or %(most)s") % placeholders
    return _("%(least)s to %(most)s") % placeholders


def format_digit_range(least: int, most: int) -> str:
    """Format a range in digits, e.g. "27" or "24–27"."""
    return str(most) if least == most else f"{least}–{most}"


def join_place_names(names: Sequence[str]) -> str:
    """Join names of places, with three or more consecutive numbers as a range: 1–6 and 9."""
    runs: list[list[str]] = []
    for name in names:
        last = runs[-1][-1] if runs else ""
        if last.isdecimal() and name.isdecimal() and int(name) == int(last) + 1:
            runs[-1].append(name)
        else:
            runs.append([name])
    parts: list[str] = []
    for run in runs:
        parts += [f"{run[0]}–{run[-1]}"] if len(run) > 2 else run
    return join_names(parts)


def join_names(names: Sequence[str]) -> str:
    """Join names, e.g. "a, b and c"."""
    *some, last = names or [""]
    return (
        _("%(some)s and %(last)s") % {"some": ", ".join(some), "last": last} if some else last
    )


def join_alternatives(names: Sequence[str]) -> str:
    """Join alternatives, e.g. "a, b or c"."""
    *some, last = names
    return _("%(some)s or %(last)s") % {"some": ", ".join(some), "last": last} if some else last


def format_hours(minutes: int) -> str:
    """Format a duration, rounded to half an hour, e.g. "about 3½ hours"."""
    halves = max(1, (minutes + 15) // 30)
    if halves == 1:
        return _("about half an hour")
    hours, has_half = divmod(halves, 2)
    message = ngettext("about %(hours)s hour", "about %(hours)s hours", halves // 2 + has_half)
    return message % {"hours": f"{hours}½" if has_half else str(hours)}
