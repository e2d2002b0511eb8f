"""Template filters for scores; all numbers are formatted by server.formatting."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.names.surnames import get_surname
from scoring.methods import METHODS_BY_NAME
from scoring.methods.point_methods import TOTAL_METHOD
from scoring.sheets import card_page as card_pages
from scoring.sheets import short_names as sheet_short_names
from scoring.sheets import totals
from scoring.sheets.recap_parts import RecapPart
from scoring.sheets.standings_text import describe_ranking_score
from scoring.sheets.values import (
    RankedGroup,
    RankRow,
    RankTable,
    Recap,
    RecapGroup,
    RecapRow,
    Scorecard,
    Traveller,
)
from server import formatting

register = template.Library()

_DECIMAL_PATTERN = re.compile(r"^([+−]?\d+)([.,]\d\d)$")
_SIDE_PATTERN = re.compile(r"((?:\d+ )?(?:N-S|E-W)(?: \d+)?|North-South|East-West|\d+–\d+)")


@register.filter
def format_plain(number: Fraction | int | None) -> SafeString:
    """Format a count or an average outside a column: 8, 8.50, 174.29."""
    return _wrap_number(formatting.format_plain(number))


@register.filter
def format_signed(number: Fraction | int | None) -> SafeString:
    """Format a plus or a minus outside a column, with its sign: +9, −4.50, 0."""
    return _wrap_number(formatting.format_signed(number))


@register.filter
def format_percent(share: Fraction | None) -> str:
    """Format a fraction of 1 as a percentage: 56.25 %."""
    return formatting.format_percent(share)


@register.filter
def format_score(number: Fraction | None, method: str) -> SafeString:
    """Format a score by its method: signed for plus and minus, plain for points."""
    return format_signed(number) if _is_signed(method) else format_plain(number)


@register.simple_tag
def choose_column_format(
    rows: Iterable[Any] | RankTable | Scorecard,
    attribute_names: str,
    method: str = "",
    *other_numbers: Fraction | str | None,
) -> formatting.ColumnFormat:
    """Choose the format of a column of numbers from all its values.

    `attribute_names` are attributes of the rows, each a number or the numbers of both sides.
    `other_numbers` are numbers below or above the rows, "" where a page has none.
    """
    if isinstance(rows, RankTable):
        rows = [row for ranked_group in rows.fields for row in ranked_group.rows]
    elif isinstance(rows, Scorecard):
        rows = [*rows.lines, *rows.parts]
    cells = [
        getattr(row, attribute_name)
        for row in rows
        for attribute_name in attribute_names.split()
    ]
    numbers = [
        cell_value
        for cell in cells
        for cell_value in (cell if isinstance(cell, tuple) else [cell])
    ]
    other_values = [number for number in other_numbers if not isinstance(number, str)]
    return formatting.choose_column_format(
        [*numbers, *other_values], has_sign=_is_signed(method)
    )


@register.filter
def format_in_column(
    number: Fraction | int | None, column_format: formatting.ColumnFormat
) -> SafeString:
    """Format a number with the format of its column."""
    return _wrap_number(column_format.format_number(number))


@register.filter
def choose_method_format(
    column_format: formatting.ColumnFormat, method: str
) -> formatting.ColumnFormat:
    """Return the format of a column for one row's method, if each row has its own method."""
    return replace(column_format, has_sign=_is_signed(method))


@register.filter
def format_difference(ns_tricks: int | None, best_ns_tricks: int | None) -> SafeString:
    """Format how many tricks more or less than best play a table won: +1, −2, 0."""
    return _wrap_number(
        formatting.format_signed(
            None if ns_tricks is None or best_ns_tricks is None else ns_tricks - best_ns_tricks
        )
    )


@register.filter
def get_comparison_average(scorecard: Scorecard) -> Fraction | None:
    """Return the average with which an entry's tricks are compared on its card.

    It is the sum of its boards' averages where these make its score, else the field's average.
    The two are equal if all entries played the same boards in the same direction. Penalties
    and carry-over are added after the comparison.
    """
    if scorecard.rank is None:
        return None
    compared_rows = scorecard.parts or [
        line for line in scorecard.lines if line.score is not None
    ]
    average_total = sum(
        (
            row_with_average.average
            for row_with_average in compared_rows
            if row_with_average.average is not None
        ),
        Fraction(0),
    )
    adjustment_total = sum(
        (card_part.score or 0 for card_part in scorecard.parts if card_part.tricks is None),
        Fraction(0),
    )
    is_score_explained_by_averages = (
        average_total
        and scorecard.rank.tricks - average_total + adjustment_total == scorecard.rank.score
    )
    return average_total if is_score_explained_by_averages else scorecard.field_average


@register.filter
def list_recap_cells(row: RecapRow, boards: Sequence[int]) -> list[tuple[int, str, int]]:
    """Return a tuple for each board of a recap row: number, cell and average comparison."""
    average_comparisons = row.average_comparisons or (0,) * len(row.cells)
    cells = zip(boards, row.cells, average_comparisons, strict=True)
    return [
        (board_number, _format_counted_cell(cell), average_comparison)
        for board_number, cell, average_comparison in cells
    ]


def _format_counted_cell(cell: str) -> str:
    """Return a recap cell: the result, an arrow (with text for screen readers), and the value
    that counts.
    """
    result_text, arrow, counted_text = cell.partition("→")
    if not arrow:
        return cell
    return format_html(
        '{}<span aria-hidden="true">→</span><span class="visually-hidden"> {} </span>{}',
        result_text,
        _("counts"),
        counted_text,
    )


@register.filter
def format_two_decimals(number: Fraction, sign: str = "") -> SafeString:
    """Format a number with two decimals, as in a column of averages: 6.50, +0.33."""
    return _wrap_number(
        formatting.ColumnFormat(has_decimals=True, has_sign=bool(sign)).format_number(number)
    )


@register.filter
def format_short_names(name: str) -> str:
    """Return the surnames of a team that is named by its players: "Pole, Nowak, Mott".

    Equal surnames have an initial. Teams with one or two names, or a team name, are not
    changed.
    """
    player_names = name.split(" & ")
    if len(player_names) < 3:
        return name
    surnames = [get_surname(player_name) for player_name in player_names]
    return ", ".join(
        surname
        if surnames.count(surname) == 1 or surname == player_name
        else f"{player_name[:1]}. {surname}"
        for player_name, surname in zip(player_names, surnames, strict=True)
    )


@register.filter
def break_after_slashes(text: str) -> SafeString:
    """Allow a line break after a slash, for narrow columns."""
    return format_html_join(
        SafeString("/<wbr>"), "{}", ((text_part,) for text_part in text.split("/"))
    )


@register.filter
def remove_label_side(label: str) -> str:
    """Return the label of a place without its side: "3" for "3 N-S"."""
    return re.sub(r" (?:N-S|E-W)\b", "", label)


@register.filter
def extract_label_side(label: str) -> str:
    """Return the side that `remove_label_side` leaves out, for screen readers."""
    side_match = re.search(r" (?:N-S|E-W)\b", label)
    return side_match[0] if side_match else ""


@register.filter
def keep_sides_together(text: str) -> SafeString:
    """Prevent line breaks within a side and its number, or a range: N-S 8, 7–9."""
    text_parts = _SIDE_PATTERN.split(str(text))
    return format_html_join(
        "",
        "{}{}",
        (
            (text_between, format_html('<span class="nowrap">{}</span>', side) if side else "")
            for text_between, side in zip(text_parts[::2], [*text_parts[1::2], ""], strict=True)
        ),
    )


@register.filter
def format_average_text(number: Fraction | None) -> str:
    """Format an average for a picture: 7.29."""
    return "" if number is None else formatting.format_plain(number)


@register.filter
def describe_tricks_by_table(traveller: Traveller) -> str:
    """Describe the tables' results on a board: "N-S tricks: 7 at 3 tables, ..."."""
    counts_by_tricks = Counter(
        line.ns_tricks for line in traveller.lines if line.ns_tricks is not None
    )
    phrases = [
        ngettext(
            "%(tricks)s at %(tables)s table", "%(tricks)s at %(tables)s tables", table_count
        )
        % {"tricks": tricks, "tables": table_count}
        for tricks, table_count in sorted(counts_by_tricks.items(), reverse=True)
    ]
    sentences = [_("N-S tricks: %(made)s.") % {"made": ", ".join(phrases)}]
    if traveller.ns_average is not None:
        sentences.append(
            _("Average: %(it)s.") % {"it": formatting.format_plain(traveller.ns_average)}
        )
    if traveller.best_ns_tricks is not None:
        sentences.append(_("Best play: %(it)s.") % {"it": traveller.best_ns_tricks})
    return " ".join(sentences)


@register.simple_tag
def build_card_page(
    scorecard: Scorecard, expanded_rounds: str = ""
) -> card_pages.ScorecardPage:
    """Build the page of a scorecard; `expanded_rounds` "all" unfolds all rounds."""
    return card_pages.build_card_page(scorecard, is_expanded=expanded_rounds == "all")


@register.filter
def split_partners(name: str) -> tuple[str, ...]:
    """Split a name at its possible line breaks: between partners, never at a single "&"."""
    return tuple(
        partner_name.replace(" &", "\u00a0&")
        for partner_name in sheet_short_names.split_partners(name)
    )


@register.filter
def choose_sign_class(number: Fraction | None, method: str = "") -> str:
    """Return the CSS class of a signed number: plus, minus or level."""
    if number is None or (method and not _is_signed(method)):
        return ""
    return "plus" if number > 0 else "minus" if number < 0 else "level"


@register.filter
def is_total_method(method: str) -> bool:
    """Return whether a method's score is the total of tricks or points."""
    return METHODS_BY_NAME[method].is_score_total


@register.filter
def is_in_points(method: str) -> bool:
    """Return whether results are points won and lost instead of tricks."""
    return totals.is_method_in_points(method)


@register.filter
def get_total_title(method: str) -> str:
    """Return the heading of a column of totals: tricks, or points won less points lost."""
    return totals.get_total_title(method)


@register.filter
def get_total_unit(method: str) -> str:
    """Return the unit of a total, to be written after its number."""
    return totals.get_total_unit(method)


@register.filter
def choose_total_method(method: str) -> str:
    """Return the `method` with which `choose_column_format` formats totals; "" for tricks."""
    return TOTAL_METHOD.name if is_in_points(method) else ""


@register.filter
def format_total(number: Fraction | None, method: str) -> SafeString:
    """Format a total or the value of a ruling: tricks plain, points with their sign."""
    return _wrap_number(totals.format_total(method, number))


@register.filter
def describe_method(method: str) -> str:
    """Describe in a sentence or two how a method scores."""
    scoring_method = METHODS_BY_NAME[method]
    description = (
        scoring_method.describe() if scoring_method.describe else scoring_method.explanation
    )
    return f"{description} {scoring_method.guarantee}".strip()


@register.filter
def describe_score_chart(method: str) -> str:
    """Return a caption that says what values the chart of running scores shows."""
    if _is_signed(method):
        return _("%(what)s after each round") % {"what": METHODS_BY_NAME[method].heading}
    return _("%(what)s above or below the field average, after each round") % {
        "what": METHODS_BY_NAME[method].heading
    }


@register.filter
def format_rank(row: RankRow) -> str:
    """Format a rank as in lists: 1, =3, – for an entry without a board."""
    return formatting.format_rank(row.rank, is_tied=row.tied, has_rank=row.boards > 0)


@register.filter
def get_field_title(
    ranked_group: RankedGroup | RecapGroup, table: RankTable | Recap | RecapPart
) -> str:
    """Return the title of a field: "North-South", with its section if there are several."""
    sides = {"NS": _("North-South"), "EW": _("East-West")}
    title_parts = [
        _("Section %(letter)s") % {"letter": ranked_group.section}
        if has_several_sections(table.fields)
        else "",
        sides.get(ranked_group.field, ""),
    ]
    return ", ".join(title_part for title_part in title_parts if title_part) or _("Standings")


@register.filter
def describe_field_score(ranked_group: RankedGroup | RecapGroup, method: str) -> str:
    """Describe the score that ranks a field with unequal numbers of boards."""
    return describe_ranking_score(ranked_group.placings, method)


@register.filter
def has_several_sections(section_items: Iterable[Any]) -> bool:
    """Return whether lines, cells or fields come from more than one section."""
    return len({section_item.section for section_item in section_items}) > 1


@register.filter
def get_score_heading(method: str) -> str:
    """Return the column heading of a method's scores."""
    return METHODS_BY_NAME[method].heading


@register.filter
def is_ranked_by_percentage(method: str) -> bool:
    """Return whether a method ranks entries by percentages."""
    return METHODS_BY_NAME[method].compute_available_points is not None


def _is_signed(method: str) -> bool:
    """Return whether a method's scores have a sign; "" is for numbers that are not scores."""
    return bool(method) and METHODS_BY_NAME[method].is_signed


def _wrap_number(text: str) -> SafeString:
    """Wrap a number in HTML whose CSS aligns the decimal points of a column."""
    decimal_match = _DECIMAL_PATTERN.match(text)
    if decimal_match is None:
        return format_html('<span class="figure">{}</span>', text)
    return format_html(
        '<span class="figure">{}<span class="figure__part">{}</span></span>',
        *decimal_match.groups(),
    )
