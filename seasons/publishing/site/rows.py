"""The rows of a site's long tables, built without templates.

An evening has about 1,500 rows, and a template takes ten times as long to render one. The
values are escaped here, and repeated parts such as a side are cached.
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
from scoring.templatetags.scoring import label_side, plain, short_label, side_of, within
from seasons.publishing.documents.values import PublishedPlay, PublishedSide
from seasons.publishing.site.pages import CardRow
from server import formatting

CACHED_ROWS = 4096


@dataclass(frozen=True, slots=True)
class NumberFormats:
    """The scoring method of a table, and the number formats of its scores and averages."""

    method: str
    scores: formatting.ColumnFormat
    averages: formatting.ColumnFormat


def render_side(of: PublishedSide) -> SafeString:
    """Return the HTML of a side's label and names, with a link if it is a single entry."""
    return _render_side(of.entries, of.label, of.name, get_language() or "")


@lru_cache(maxsize=CACHED_ROWS)
def _render_side(entries: tuple[int, ...], label: str, name: str, _language: str) -> SafeString:
    names = format_html_join(
        " ", '<span class="partner">{}</span>', [(partner,) for partner in split_partners(name)]
    )
    if len(entries) == 1:
        names = format_html('<a href="card-{}.html">{}</a>', entries[0], names)
    return format_html(
        '<span class="side"><span class="pair__label">{}<span class="visually-hidden">{}</span>'
        "</span> {}</span>",
        short_label(label),
        label_side(label),
        names,
    )


def render_card_rows(lines: Iterable[tuple[CardRow, str]], of: NumberFormats) -> SafeString:
    """Return the HTML of a scorecard's rows, given each row with its board's anchor."""
    message = _("not played")
    return mark_safe(
        "".join(_render_card_row(line, anchor, of, message) for line, anchor in lines)
    )


def _render_card_row(line: CardRow, anchor: str, of: NumberFormats, words: str) -> str:
    play, own_side = line.play, line.own
    if play.ruled:
        tricks = f'<td class="n">{_render_counted_tricks(own_side, play.ruled, of.method)}</td>'
    elif own_side.made is not None:
        opponents_text = f" : {line.other.points}" if own_side.points is not None else ""
        tricks = f'<td class="n">{own_side.made}{opponents_text}</td>'
    else:
        tricks = f'<td class="n quiet">{escape(words)}</td>'
    return (
        f'<tr><td class="n"><a href="boards.html#{escape(anchor)}">{line.board.number}</a></td>'
        f'<td class="n wide">{play.round}.{escape(play.place)}</td>'
        f'<th scope="row" class="held">{render_side(line.other)}</th>{tricks}'
        f'<td class="n quiet wide">{_format_in_column(line.average, of.averages)}</td>'
        f'<td class="n gap {side_of(line.score, of.method)}">'
        f"{_format_in_column(line.score, of.scores)}</td></tr>\n"
    )


def render_play_rows(plays: Iterable[PublishedPlay], of: NumberFormats) -> SafeString:
    """Return the HTML of a traveller's rows, with the notes below each play."""
    message = _("not played")
    return mark_safe("".join(_render_play_row(play, of, message) for play in plays))


def _render_play_row(play: PublishedPlay, of: NumberFormats, words: str) -> str:
    scores = (
        (play.ns.score, "n gap"), (play.ew.score, "n gap traveller__more"),
    )  # fmt: skip
    counted_html = "".join(
        f'<td class="{kind} {side_of(score, of.method)}">'
        f"{_format_in_column(score, of.scores)}</td>"
        for score, kind in scores
    )
    notes = "".join(
        '<tr class="in-words"><td colspan="6"><span aria-hidden="true">*</span> '
        f"{escape(note)}</td></tr>\n"
        for note in play.notes
    )
    return (
        f'<tr>{_render_tricks(play, of.method, words)}<th scope="row" class="held">'
        f"{render_side(play.ns)}\n{render_side(play.ew)}</th>{counted_html}"
        f'<td class="n traveller__where">{play.round}.{escape(play.place)}</td></tr>\n{notes}'
    )


def _render_tricks(play: PublishedPlay, method: str, words: str) -> str:
    if play.ruled:
        return (
            f'<td class="n">{_render_counted_tricks(play.ns, play.ruled, method)}</td>'
            f'<td class="n quiet">{_render_counted_tricks(play.ew, play.ruled, method)}</td>'
        )
    if play.outcome == "played":
        trumps = f"{play.trumps.symbol} " if play.trumps else ""
        return (
            f'<td class="n traveller__tricks">{trumps}{plain(play.ns.made)}</td>'
            f'<td class="n quiet">{plain(play.ew.made)}</td>'
        )
    return f'<td class="mid quiet" colspan="2">{escape(words)}</td>'


def _render_counted_tricks(of: PublishedSide, ruled: str, method: str) -> str:
    """Return the HTML of an adjusted score.

    Adjusted scores are rare, which is why a template renders them.
    """
    context: Mapping[str, object] = {
        "made": of.made, "counts": of.counts, "ruled": ruled, "mark": of.mark, "method": method,
    }  # fmt: skip
    return str(get_template("scoring/_counts.html").render(dict(context)))


@lru_cache(maxsize=CACHED_ROWS)
def _format_in_column(
    number: Fraction | int | None, column: formatting.ColumnFormat
) -> SafeString:
    return within(number, column)


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
