"""Template filters for scores; all numbers are formatted by server.formatting."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Any

from django import template
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.names.surnames import get_surname
from scoring.methods import METHODS
from scoring.methods.point_methods import TOTAL
from scoring.sheets import card_page as card_pages
from scoring.sheets import short_names as short_names_of
from scoring.sheets import totals
from scoring.sheets.recap_parts import RecapPart
from scoring.sheets.standings_text import describe_ranking_score
from scoring.sheets.values import (
    RankField,
    RankRow,
    RankTable,
    Recap,
    RecapField,
    RecapRow,
    Scorecard,
    Traveller,
)
from server import formatting

register = template.Library()

_SIDE_NAMES = {"NS": "N-S", "EW": "E-W"}
_DECIMAL_PATTERN = re.compile(r"^([+−]?\d+)(\.\d\d)$")
_SIDE_PATTERN = re.compile(r"((?:\d+ )?(?:N-S|E-W)(?: \d+)?|North-South|East-West|\d+–\d+)")


@register.filter
def plain(number: Fraction | int | None) -> SafeString:
    """Format a count or an average outside a column: 8, 8.50, 174.29."""
    return _wrap_number(formatting.format_plain(number))


@register.filter
def signed(number: Fraction | int | None) -> SafeString:
    """Format a plus or a minus outside a column, with its sign: +9, −4.50, 0."""
    return _wrap_number(formatting.format_signed(number))


@register.filter
def percent(part: Fraction | None) -> str:
    """Format a share of one as a percentage: 56.25 %."""
    return formatting.format_percent(part)


@register.filter
def score(number: Fraction | None, method: str) -> SafeString:
    """Format a score by its method: signed for plus and minus, plain for points."""
    return signed(number) if _is_signed(method) else plain(number)


@register.simple_tag
def column(
    rows: Iterable[Any] | RankTable | Scorecard,
    names: str,
    method: str = "",
    *more: Fraction | str | None,
) -> formatting.ColumnFormat:
    """Choose the format of a column of numbers from all its values.

    `names` are attributes of the rows, each a number or the numbers of both sides. `more` are
    numbers below or above the rows, "" where a page has none.
    """
    if isinstance(rows, RankTable):
        rows = [row for field in rows.fields for row in field.rows]
    elif isinstance(rows, Scorecard):
        rows = [*rows.lines, *rows.parts]
    parts = [getattr(row, name) for row in rows for name in names.split()]
    numbers = [
        number for part in parts for number in (part if isinstance(part, tuple) else [part])
    ]
    numbers_left = [figure for figure in more if not isinstance(figure, str)]
    return formatting.choose_column_format(
        [*numbers, *numbers_left], with_sign=_is_signed(method)
    )


@register.filter
def within(number: Fraction | int | None, column_format: formatting.ColumnFormat) -> SafeString:
    """Format a number with the format of its column."""
    return _wrap_number(column_format.write(number))


@register.filter
def of_method(column_format: formatting.ColumnFormat, method: str) -> formatting.ColumnFormat:
    """Return the format of a column for one row's method, where each row has another."""
    return replace(column_format, sign=_is_signed(method))


@register.filter
def against(ns_tricks: int | None, best: int | None) -> SafeString:
    """Format the difference of a table's tricks from best play: +1, −2, 0."""
    return _wrap_number(
        formatting.format_signed(
            None if ns_tricks is None or best is None else ns_tricks - best
        )
    )


@register.filter
def measured_by(card: Scorecard) -> Fraction | None:
    """Return the average with which an entry's tricks are compared on its card.

    It is the sum of its boards' averages where these make its score, else the field's average.
    Where all entries played alike both are equal. Penalties and carry-over come after it.
    """
    if card.rank is None:
        return None
    rows = card.parts or [line for line in card.lines if line.score is not None]
    average_total = sum((row.average for row in rows if row.average is not None), Fraction(0))
    other_parts = sum(
        (part.score or 0 for part in card.parts if part.tricks is None), Fraction(0)
    )
    do_averages_explain_score = (
        average_total and card.rank.tricks - average_total + other_parts == card.rank.score
    )
    return average_total if do_averages_explain_score else card.field_average


@register.filter
def recap_cells(row: RecapRow, boards: Sequence[int]) -> list[tuple[int, str, int]]:
    """List the boards of a recap's row with each result and its side of the average."""
    sides = row.sides or (0,) * len(row.cells)
    cells = zip(boards, row.cells, sides, strict=True)
    return [(board, _format_counted_cell(cell), side) for board, cell, side in cells]


def _format_counted_cell(cell: str) -> str:
    """Return a recap cell: the result, an arrow (with text for screen readers), and the value
    that counts.
    """
    result_text, separator, counted_text = cell.partition("→")
    if not separator:
        return cell
    return format_html(
        '{}<span aria-hidden="true">→</span><span class="visually-hidden"> {} </span>{}',
        result_text,
        _("counts"),
        counted_text,
    )


@register.filter
def decimals(number: Fraction, sign: str = "") -> SafeString:
    """Format a number with two decimals, as in a column of averages: 6.50, +0.33."""
    return _wrap_number(formatting.ColumnFormat(decimal=True, sign=bool(sign)).write(number))


@register.filter
def short_names(name: str) -> str:
    """Return the surnames of a team that is named by its players: "Pole, Nowak, Mott".

    Equal surnames have an initial. Teams with one or two names, or a team name, are not
    changed.
    """
    people = name.split(" & ")
    if len(people) < 3:
        return name
    surnames = [get_surname(person) for person in people]
    return ", ".join(
        short if surnames.count(short) == 1 or short == person else f"{person[:1]}. {short}"
        for person, short in zip(people, surnames, strict=True)
    )


@register.filter
def break_after_slashes(text: str) -> SafeString:
    """Allow a line break after a slash, for narrow columns."""
    return format_html_join(SafeString("/<wbr>"), "{}", ((part,) for part in text.split("/")))


@register.filter
def short_label(label: str) -> str:
    """Return the label of a place without its side: "3" for "3 N-S"."""
    return re.sub(r" (?:N-S|E-W)\b", "", label)


@register.filter
def label_side(label: str) -> str:
    """Return the side that `short_label` leaves out, for screen readers."""
    match = re.search(r" (?:N-S|E-W)\b", label)
    return match[0] if match else ""


@register.filter
def whole_sides(text: str) -> SafeString:
    """Prevent line breaks within a side and its number, or a range: N-S 8, 7–9."""
    parts = _SIDE_PATTERN.split(str(text))
    return format_html_join(
        "",
        "{}{}",
        (
            (between, format_html('<span class="nowrap">{}</span>', side) if side else "")
            for between, side in zip(parts[::2], [*parts[1::2], ""], strict=True)
        ),
    )


@register.filter
def two_decimals(number: Fraction | None) -> str:
    """Format an average for a picture: 7.29."""
    return "" if number is None else formatting.format_plain(number)


@register.filter
def made_words(sheet: Traveller) -> str:
    """Describe the tables' results on a board: "N-S tricks: 7 at 3 tables, ..."."""
    counts_by_tricks = Counter(
        line.ns_tricks for line in sheet.lines if line.ns_tricks is not None
    )
    lines = [
        ngettext("%(tricks)s at %(tables)s table", "%(tricks)s at %(tables)s tables", tables)
        % {"tricks": tricks, "tables": tables}
        for tricks, tables in sorted(counts_by_tricks.items(), reverse=True)
    ]
    sentences = [_("N-S tricks: %(made)s.") % {"made": ", ".join(lines)}]
    if sheet.ns_average is not None:
        sentences.append(
            _("Average: %(it)s.") % {"it": formatting.format_plain(sheet.ns_average)}
        )
    if sheet.best_tricks is not None:
        sentences.append(_("Best play: %(it)s.") % {"it": sheet.best_tricks})
    return " ".join(sentences)


@register.simple_tag
def card_page(card: Scorecard, requested_round: str = "") -> card_pages.CardPage:
    """Arrange a card for its page; "all" unfolds its rounds."""
    return card_pages.build_card_page(card, is_unfolded=requested_round == "all")


@register.filter
def partners(name: str) -> tuple[str, ...]:
    """Split a name at its possible line breaks: between partners, never at a single "&"."""
    return tuple(part.replace(" &", "\u00a0&") for part in short_names_of.split_partners(name))


@register.filter
def side_of(number: Fraction | None, method: str = "") -> str:
    """Return the CSS class of a signed number: plus, minus or level."""
    if number is None or (method and not _is_signed(method)):
        return ""
    return "plus" if number > 0 else "minus" if number < 0 else "level"


@register.filter
def counts_tricks(method: str) -> bool:
    """Return whether a method counts the tricks or points themselves."""
    return METHODS[method].is_total


@register.filter
def in_points(method: str) -> bool:
    """Return whether results are points won and lost instead of tricks."""
    return totals.is_in_points(method)


@register.filter
def total_title(method: str) -> str:
    """Return the heading of a column of totals: tricks, or points won less points lost."""
    return totals.get_total_title(method)


@register.filter
def total_unit(method: str) -> str:
    """Return the unit of a total, to be written after its number."""
    return totals.get_total_unit(method)


@register.filter
def as_total(method: str) -> str:
    """Return the method whose format a column of totals has: with a sign for points."""
    return TOTAL.name if in_points(method) else ""


@register.filter
def total(number: Fraction | None, method: str) -> SafeString:
    """Format a total or the value of a ruling: tricks plain, points with their sign."""
    return _wrap_number(totals.format_total(method, number))


@register.filter
def method_words(method: str) -> str:
    """Describe in a sentence or two how a method scores."""
    scoring_method = METHODS[method]
    description = scoring_method.means() if scoring_method.means else scoring_method.explanation
    return f"{description} {scoring_method.guarantee}".strip()


@register.filter
def course_words(method: str) -> str:
    """Describe the values in the chart of an evening."""
    if _is_signed(method):
        return _("%(what)s after each round") % {"what": METHODS[method].heading}
    return _("%(what)s above or below the field average, after each round") % {
        "what": METHODS[method].heading
    }


@register.filter
def rank_text(row: RankRow) -> str:
    """Format a rank as in lists: 1, =3, – for an entry without a board."""
    return formatting.format_rank(row.rank, tied=row.tied, is_placed=row.boards > 0)


@register.filter
def side_name(side: str) -> str:
    """Return the name of a side: N-S, E-W."""
    return _SIDE_NAMES.get(str(side), str(side))


@register.filter
def field_title(field: RankField | RecapField, table: RankTable | Recap | RecapPart) -> str:
    """Return the title of a field: "North-South", with its section if there are several."""
    sides = {"NS": _("North-South"), "EW": _("East-West")}
    parts = [
        _("Section %(letter)s") % {"letter": field.section}
        if many_sections(table.fields)
        else "",
        sides.get(field.field, ""),
    ]
    return ", ".join(part for part in parts if part) or _("Standings")


@register.filter
def placed_by(field: RankField | RecapField, method: str) -> str:
    """Describe the score that ranks a field with unequal numbers of boards."""
    return describe_ranking_score(field.placings, method)


@register.filter
def many_sections(parts: Iterable[Any]) -> bool:
    """Return whether lines, cells or fields come from more than one section."""
    return len({part.section for part in parts}) > 1


@register.filter
def method_unit(method: str) -> str:
    """Return the column heading of a method's scores."""
    return METHODS[method].heading


@register.filter
def has_shares(method: str) -> bool:
    """Return whether a method ranks entries by percentages."""
    return METHODS[method].available is not None


@register.filter
def long_date(day: date) -> str:
    """Write a date in full: Tuesday 10 March 2026."""
    return date_format(day, "l j F Y")


def _is_signed(method: str) -> bool:
    """Return whether a method's scores have a sign; "" is for numbers that are not scores."""
    return bool(method) and METHODS[method].signed


def _wrap_number(text: str) -> SafeString:
    """Wrap a number so that its decimals hang to the right of the column's edge."""
    match = _DECIMAL_PATTERN.match(text)
    if match is None:
        return format_html('<span class="figure">{}</span>', text)
    return format_html(
        '<span class="figure">{}<span class="figure__part">{}</span></span>', *match.groups()
    )
