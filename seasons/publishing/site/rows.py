"""The rows of a site's long tables, built without templates.

An evening has about 1,500 rows, and a template takes ten times as long for each row. The
functions here escape the values. They cache repeated HTML, such as the names of a pair.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from django import template
from django.template.loader import get_template
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.sheets.short_names import split_partners
from scoring.templatetags.scoring import (
    choose_sign_class,
    extract_label_side,
    format_in_column,
    format_plain,
    remove_label_side,
)
from seasons.publishing.documents.values import PublishedPlay, PublishedSide
from seasons.publishing.site.pages import ScorecardRow
from server import formatting

MAX_CACHED_FRAGMENTS = 4096


@dataclass(frozen=True, slots=True)
class NumberFormats:
    """The scoring method of a table, and the number formats of its scores and averages."""

    scoring_method: str
    score_format: formatting.ColumnFormat
    average_format: formatting.ColumnFormat


def render_side(side: PublishedSide) -> SafeString:
    """Return the HTML of a side's label and names, with a link if it is a single entry."""
    return _render_side(side.entries, side.label, side.name, get_language() or "")


@lru_cache(maxsize=MAX_CACHED_FRAGMENTS)
def _render_side(
    entry_numbers: tuple[int, ...], side_label: str, joined_names: str, _language: str
) -> SafeString:
    names_html = format_html_join(
        " ",
        '<span class="partner">{}</span>',
        [(partner,) for partner in split_partners(joined_names)],
    )
    if len(entry_numbers) == 1:
        names_html = format_html('<a href="card-{}.html">{}</a>', entry_numbers[0], names_html)
    return format_html(
        '<span class="side"><span class="pair__label">{}<span class="visually-hidden">{}</span>'
        "</span> {}</span>",
        remove_label_side(side_label),
        extract_label_side(side_label),
        names_html,
    )


def render_scorecard_rows(
    rows_and_anchors: Iterable[tuple[ScorecardRow, str]], formats: NumberFormats
) -> SafeString:
    """Return the HTML of a scorecard's rows; each row has the anchor of its board."""
    not_played_text = _("not played")
    return mark_safe(
        "".join(
            _render_scorecard_row(scorecard_row, anchor, formats, not_played_text)
            for scorecard_row, anchor in rows_and_anchors
        )
    )


def _render_scorecard_row(
    scorecard_row: ScorecardRow, anchor: str, formats: NumberFormats, not_played_text: str
) -> str:
    play, own_side = scorecard_row.play, scorecard_row.own_side
    if play.ruled:
        counted_tricks_html = _render_counted_tricks(
            own_side, play.ruled, formats.scoring_method
        )
        tricks_html = f'<td class="n">{counted_tricks_html}</td>'
    elif own_side.points_or_tricks is not None:
        opposing_points_text = (
            f" : {scorecard_row.other_side.points}" if own_side.points is not None else ""
        )
        tricks_html = f'<td class="n">{own_side.points_or_tricks}{opposing_points_text}</td>'
    else:
        tricks_html = f'<td class="n quiet">{escape(not_played_text)}</td>'
    return (
        f'<tr><td class="n"><a href="boards.html#{escape(anchor)}">'
        f"{scorecard_row.board.number}</a></td>"
        f'<td class="n wide">{play.round} / {escape(play.place)}</td>'
        f'<th scope="row" class="held">{render_side(scorecard_row.other_side)}</th>'
        f"{tricks_html}"
        '<td class="n quiet wide">'
        f"{_format_number(scorecard_row.average, formats.average_format)}</td>"
        f'<td class="n gap {choose_sign_class(scorecard_row.score, formats.scoring_method)}">'
        f"{_format_number(scorecard_row.score, formats.score_format)}</td></tr>\n"
    )


def render_play_rows(plays: Iterable[PublishedPlay], formats: NumberFormats) -> SafeString:
    """Return the HTML of a traveller's rows, with the notes below each play."""
    not_played_text = _("not played")
    return mark_safe(
        "".join(_render_play_row(play, formats, not_played_text) for play in plays)
    )


def _render_play_row(play: PublishedPlay, formats: NumberFormats, not_played_text: str) -> str:
    scores_and_classes = (
        (play.ns.score, "n gap"), (play.ew.score, "n gap traveller__more"),
    )  # fmt: skip
    scores_html = "".join(
        f'<td class="{css_class} {choose_sign_class(score, formats.scoring_method)}">'
        f"{_format_number(score, formats.score_format)}</td>"
        for score, css_class in scores_and_classes
    )
    notes_html = "".join(
        '<tr class="in-words"><td colspan="6"><span aria-hidden="true">*</span> '
        f"{escape(note)}</td></tr>\n"
        for note in play.notes
    )
    tricks_html = _render_tricks(play, formats.scoring_method, not_played_text)
    return (
        f'<tr>{tricks_html}<th scope="row" class="held">'
        f"{render_side(play.ns)}\n{render_side(play.ew)}</th>{scores_html}"
        f'<td class="n traveller__where">{play.round} / {escape(play.place)}</td></tr>\n'
        f"{notes_html}"
    )


def _render_tricks(play: PublishedPlay, scoring_method: str, not_played_text: str) -> str:
    if play.ruled:
        ns_html, ew_html = (
            _render_counted_tricks(side, play.ruled, scoring_method)
            for side in (play.ns, play.ew)
        )
        return f'<td class="n">{ns_html}</td><td class="n quiet">{ew_html}</td>'
    if play.outcome == "played":
        trumps = f"{play.trumps.symbol} " if play.trumps else ""
        return (
            f'<td class="n traveller__tricks">{trumps}'
            f"{format_plain(play.ns.points_or_tricks)}</td>"
            f'<td class="n quiet">{format_plain(play.ew.points_or_tricks)}</td>'
        )
    return f'<td class="mid quiet" colspan="2">{escape(not_played_text)}</td>'


def _render_counted_tricks(side: PublishedSide, ruling_code: str, scoring_method: str) -> str:
    """Return the HTML of an adjusted score.

    Adjusted scores are rare, which is why a template renders them.
    """
    context: Mapping[str, object] = {
        "made": side.points_or_tricks, "counts": side.counts, "ruled": ruling_code,
        "mark": side.mark, "method": scoring_method,
    }  # fmt: skip
    return str(get_template("scoring/_counts.html").render(dict(context)))


@lru_cache(maxsize=MAX_CACHED_FRAGMENTS)
def _format_number(
    value: Fraction | int | None, column_format: formatting.ColumnFormat
) -> SafeString:
    return format_in_column(value, column_format)


register = template.Library()


@register.simple_tag
def card_rows(
    rows_and_anchors: Iterable[tuple[ScorecardRow, str]],
    scoring_method: str,
    score_format: formatting.ColumnFormat,
    average_format: formatting.ColumnFormat,
) -> SafeString:
    """Return the HTML of a scorecard's rows."""
    return render_scorecard_rows(
        rows_and_anchors, NumberFormats(scoring_method, score_format, average_format)
    )


@register.simple_tag
def play_rows(
    plays: Iterable[PublishedPlay], scoring_method: str, score_format: formatting.ColumnFormat
) -> SafeString:
    """Return the HTML of a traveller's rows."""
    return render_play_rows(plays, NumberFormats(scoring_method, score_format, score_format))
