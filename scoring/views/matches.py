"""The matches of a knock-out round that are submitted in one form."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.db import transaction
from django.http import QueryDict
from django.utils.translation import gettext as _

import scoring.services
from clubs.audit import Actor
from scoring.errors import LaterMatchBegun, StageRefused
from scoring.sheets.brackets import BracketMatch, BracketSheet
from server.numbers import parse_number_or_zero
from tournaments.models import Event

FIELD_NAMES = "margin", "extra", "winner", "second"


@dataclass(frozen=True, slots=True)
class SentMatch:
    """The submitted fields of one match, as text."""

    margin: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    winner: str = ""
    second: str = ""


class MatchRefused(StageRefused):
    """A match of a round that cannot be recorded; `key` names it."""

    def __init__(self, message: str, key: str, *, is_question: bool) -> None:
        super().__init__(message)
        self.key, self.is_question = key, is_question


@transaction.atomic
def record_round(
    *, event: Event, sheet: BracketSheet, round_: int, post_data: QueryDict, by: Actor
) -> int:
    """Record each match of a round whose submitted fields differ from those shown.

    Atomic; returns the number of matches. Raises MatchRefused.
    """
    matches = [
        bracket_match
        for shown in sheet.rounds
        if shown.number == round_
        for bracket_match in shown.matches
    ]
    count = 0
    for match in matches:
        sent_match, later = (
            read_sent_match(match, post_data),
            post_data.get(f"later-{match.key}", ""),
        )
        if not match.can_enter_margins or (
            sent_match == build_shown_match(match) and not later
        ):
            continue
        try:
            scoring.services.record_match(
                event=event,
                key=(match.round, match.number),
                margins=_read_margins(sent_match.margin),
                extra=_read_extra_margins(sent_match.extra),
                winner=parse_number_or_zero(sent_match.winner) or None,
                second=parse_number_or_zero(sent_match.second) or None,
                later=later,
                by=by,
            )
        except StageRefused as error:
            place_text = _("Match %(match)s: %(what)s") % {"match": match.number, "what": error}
            needs_decision = isinstance(error, LaterMatchBegun)
            raise MatchRefused(place_text, match.key, is_question=needs_decision) from error
        count += 1
    return count


def read_sent_match(match: BracketMatch, post_data: QueryDict) -> SentMatch:
    """Return the fields of a match; fields that were not submitted are as shown on the page."""
    shown_match = build_shown_match(match)
    fields: Mapping[str, list[str]] = {
        name: [text.strip() for text in post_data.getlist(f"{name}-{match.key}")]
        for name in FIELD_NAMES
    }
    return SentMatch(
        margin=tuple(fields["margin"]) if fields["margin"] else shown_match.margin,
        extra=tuple(fields["extra"]) if fields["extra"] else shown_match.extra,
        winner=fields["winner"][-1] if fields["winner"] else shown_match.winner,
        second=fields["second"][-1] if fields["second"] else shown_match.second,
    )


def build_shown_match(match: BracketMatch) -> SentMatch:
    """Return the fields of a match as on the page."""
    width = len(match.couples) or 1
    margins = match.margins if match.is_typed else ()
    places = {side.place: str(side.entry) for side in match.sides} if match.is_given else {}
    extra = match.extra[:1] or (("",) if match.is_level else ())
    if match.couples:
        extra = tuple(field.value for field in match.extra_fields)
    return SentMatch(
        margin=(*margins, *[""] * (match.planned * width - len(margins))),
        extra=extra,
        winner=places.get(1, ""),
        second=places.get(2, "") if match.places > 1 else "",
    )


def fill_sent_margins(sheet: BracketSheet, round_: int, post_data: QueryDict) -> BracketSheet:
    """Return the bracket with the submitted margins of a refused round in its fields."""

    def put(match: BracketMatch) -> BracketMatch:
        sent_match = read_sent_match(match, post_data)
        if match.round != round_ or sent_match == build_shown_match(match):
            return match
        return replace(
            match, margins=tuple(margin[:8] for margin in sent_match.margin), is_typed=True
        )

    rounds = (
        replace(bracket_round, matches=tuple(map(put, bracket_round.matches)))
        for bracket_round in sheet.rounds
    )
    return replace(sheet, rounds=tuple(rounds))


def _read_margins(sent: tuple[str, ...]) -> list[str]:
    """Return the margins without empty fields at the end.

    Raises StageRefused if a field before the last margin is empty.
    """
    margins = list(sent)
    while margins and not margins[-1]:
        margins.pop()
    if not all(margins):
        raise StageRefused(_("A margin is missing. Fill them in from the first."))
    return margins


def _read_extra_margins(margins: tuple[str, ...]) -> list[str]:
    """Return the margins of extra boards; of three in a three-way match, two may be empty."""
    width = 3 if len(margins) > 1 else 1
    margin_sets = [margins[start : start + width] for start in range(0, len(margins), width)]
    return [margin or "0" for part in margin_sets if "".join(part) for margin in part]
