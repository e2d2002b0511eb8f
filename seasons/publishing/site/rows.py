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
from seasons.publishing.site.pages import CardRow
from server import formatting

MAX_CACHED_FRAGMENTS = 4096


@dataclass(frozen=True, slots=True)
class NumberFormats:
    """The scoring method of a table, and the number formats of its scores and averages."""

    method: str
    scores: formatting.ColumnFormat
    averages: formatting.ColumnFormat


def render_side(side: PublishedSide) -> SafeString:
    """Return the HTML of a side's label and names, with a link if it is a single entry."""
    return _render_side(side.entries, side.label, side.name, get_language() or "")


@lru_cache(maxsize=MAX_CACHED_FRAGMENTS)
def _render_side(entries: tuple[int, ...], label: str, name: str, _language: str) -> SafeString:
    names_html = format_html_join(
        " ", '<span class="partner">{}</span>', [(partner,) for partner in split_partners(name)]
    )
    if len(entries) == 1:
        names_html = format_html('<a href="card-{}.html">{}</a>', entries[0], names_html)
    return format_html(
        '<span class="side"><span class="pair__label">{}<span class="visually-hidden">{}</span>'
        "</span> {}</span>",
        remove_label_side(label),
        extract_label_side(label),
        names_html,
    )


def render_card_rows(
    lines: Iterable[tuple[CardRow, str]], formats: NumberFormats
) -> SafeString:
    """Return the HTML of a scorecard's rows; `lines` are (row, HTML anchor of its board)."""
    not_played_text = _("not played")
    return mark_safe(
        "".join(
            _render_card_row(line, anchor, formats, not_played_text) for line, anchor in lines
        )
    )


def _render_card_row(
    line: CardRow, anchor: str, formats: NumberFormats, not_played_text: str
) -> str:
    play, own_side = line.play, line.own_side
    if play.ruled:
        tricks_html = (
            f'<td class="n">{_render_counted_tricks(own_side, play.ruled, formats.method)}</td>'
        )
    elif own_side.made is not None:
        opposing_points_text = (
            f" : {line.other_side.points}" if own_side.points is not None else ""
        )
        tricks_html = f'<td class="n">{own_side.made}{opposing_points_text}</td>'
    else:
        tricks_html = f'<td class="n quiet">{escape(not_played_text)}</td>'
    return (
        f'<tr><td class="n"><a href="boards.html#{escape(anchor)}">{line.board.number}</a></td>'
        f'<td class="n wide">{play.round} / {escape(play.place)}</td>'
        f'<th scope="row" class="held">{render_side(line.other_side)}</th>{tricks_html}'
        f'<td class="n quiet wide">{_format_number(line.average, formats.averages)}</td>'
        f'<td class="n gap {choose_sign_class(line.score, formats.method)}">'
        f"{_format_number(line.score, formats.scores)}</td></tr>\n"
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
        f'<td class="{css_class} {choose_sign_class(score, formats.method)}">'
        f"{_format_number(score, formats.scores)}</td>"
        for score, css_class in scores_and_classes
    )
    notes_html = "".join(
        '<tr class="in-words"><td colspan="6"><span aria-hidden="true">*</span> '
        f"{escape(note)}</td></tr>\n"
        for note in play.notes
    )
    tricks_html = _render_tricks(play, formats.method, not_played_text)
    return (
        f'<tr>{tricks_html}<th scope="row" class="held">'
        f"{render_side(play.ns)}\n{render_side(play.ew)}</th>{scores_html}"
        f'<td class="n traveller__where">{play.round} / {escape(play.place)}</td></tr>\n'
        f"{notes_html}"
    )


def _render_tricks(play: PublishedPlay, method: str, not_played_text: str) -> str:
    if play.ruled:
        return (
            f'<td class="n">{_render_counted_tricks(play.ns, play.ruled, method)}</td>'
            f'<td class="n quiet">{_render_counted_tricks(play.ew, play.ruled, method)}</td>'
        )
    if play.outcome == "played":
        trumps = f"{play.trumps.symbol} " if play.trumps else ""
        return (
            f'<td class="n traveller__tricks">{trumps}{format_plain(play.ns.made)}</td>'
            f'<td class="n quiet">{format_plain(play.ew.made)}</td>'
        )
    return f'<td class="mid quiet" colspan="2">{escape(not_played_text)}</td>'


def _render_counted_tricks(side: PublishedSide, ruling: str, method: str) -> str:
    """Return the HTML of an adjusted score.

    Adjusted scores are rare, which is why a template renders them.
    """
    context: Mapping[str, object] = {
        "made": side.made, "counts": side.counts, "ruled": ruling, "mark": side.mark,
        "method": method,
    }  # fmt: skip
    return str(get_template("scoring/_counts.html").render(dict(context)))


@lru_cache(maxsize=MAX_CACHED_FRAGMENTS)
def _format_number(value: Fraction | int | None, column: formatting.ColumnFormat) -> SafeString:
    return format_in_column(value, column)


register = template.Library()


@register.simple_tag
def card_rows(
    lines: Iterable[tuple[CardRow, str]],
    method: str,
    scores: formatting.ColumnFormat,
    averages: formatting.ColumnFormat,
) -> SafeString:
    """Return the HTML of a scorecard's rows."""
    return render_card_rows(lines, NumberFormats(method, scores, averages))


@register.simple_tag
def play_rows(
    plays: Iterable[PublishedPlay], method: str, scores: formatting.ColumnFormat
) -> SafeString:
    """Return the HTML of a traveller's rows."""
    return render_play_rows(plays, NumberFormats(method, scores, scores))
