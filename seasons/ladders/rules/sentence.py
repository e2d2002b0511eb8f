"""A ladder's rule as one sentence, made from its settings."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from seasons.ladders.rules import rule
from seasons.ladders.rules.rule import LadderRule
from server import formatting


def rule_in_words(of: LadderRule) -> str:
    """Say how a ladder is reckoned, as it stands under the table."""
    parts = [_measure(of), _counting(of), _minimum(of)]
    if of.least_part:
        words = _("who played less than %(part)s of the boards of an evening does not count it")
        parts.append(words % {"part": of.least_part})
    if of.members_only:
        parts.append(
            _("places are worked out again without visitors")
            if of.close_ranks
            else _("visitors keep their places, and take points that nobody gets")
        )
    elif of.close_ranks:
        parts.append(_("places are worked out again without visitors"))
    if of.handicap:
        parts.append(_("with the season's handicap"))
    elif of.handicaps:
        parts.append(_("with handicap"))
    if of.ties:
        words = _("equal totals are parted by %(ties)s")
        parts.append(words % {"ties": _listed([tie_in_words(each) for each in of.ties])})
    sentence = "; ".join(part for part in parts if part)
    return f"{sentence[:1].upper()}{sentence[1:]}."


def measure_in_words(measure: str) -> str:
    """What a measure is called, as a column's heading and as a choice."""
    return _NAMES[measure]()


def tie_in_words(tie: str) -> str:
    """What parts equal totals, as a choice."""
    return _TIES[tie]()


def _measure(of: LadderRule) -> str:
    if of.measure != rule.PLACE:
        return _MEASURES[of.measure]()
    table = "–".join(formatting.plain(each) for each in of.points[:12])
    if len(of.points) > 12:
        table += " …"
    words = _("points by place in one's own line: %(points)s")
    if of.across:
        words = _("points by place over all lines, by plus a board: %(points)s")
    return words % {"points": table}


def _counting(of: LadderRule) -> str:
    if of.best is not None:
        words = (
            ngettext(
                "the best evening counts", "the mean of the best %(best)s evenings", of.best
            )
            if of.combine == rule.MEAN
            else ngettext(
                "the best evening counts", "the best %(best)s evenings count", of.best
            )
        )
        return words % {"best": of.best}
    whole = (
        _("the mean of the evenings") if of.combine == rule.MEAN else _("every evening counts")
    )
    if of.drop_from is None or of.drop_every is None:
        return whole
    words = ngettext(
        "%(whole)s, the lowest left out for each one more than %(from)s",
        "%(whole)s, one of the lowest left out for every %(every)s more than %(from)s",
        of.drop_every,
    )
    return words % {"whole": whole, "from": of.drop_from, "every": of.drop_every}


def _minimum(of: LadderRule) -> str:
    if of.minimum < 2:
        return ""
    return _("ranked from %(minimum)s evenings on") % {"minimum": of.minimum}


def _listed(words: list[str]) -> str:
    return _(", then ").join(words)


_NAMES = {
    rule.PLACE: lambda: _("points by place"),
    rule.BEATEN: lambda: _("entries beaten"),
    rule.PLUS: lambda: _("plus over the evening"),
    rule.PLUS_A_BOARD: lambda: _("plus a board"),
    rule.PERCENT: lambda: _("per cent"),
    rule.TRICKS: lambda: _("tricks"),
    rule.SCORE: lambda: _("score"),
    rule.ATTENDANCE: lambda: _("attendance"),
}
_MEASURES = {
    rule.BEATEN: lambda: _("two points for each entry of the field behind, one for each level"),
    rule.PLUS: lambda: _("the plus over the evening"),
    rule.PLUS_A_BOARD: lambda: _("the plus a board"),
    rule.PERCENT: lambda: _("the percentage by matchpoints"),
    rule.TRICKS: lambda: _("the tricks taken"),
    rule.SCORE: lambda: _("the score of the evening"),
    rule.ATTENDANCE: lambda: _("one for each evening"),
}
_TIES = {
    rule.SINGLES: lambda: _("the best single evenings"),
    rule.PLAYED: lambda: _("more evenings"),
    rule.LATEST: lambda: _("the latest evening"),
}
