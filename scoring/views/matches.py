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
class SubmittedMatch:
    """The submitted fields of one match, as text."""

    margins: tuple[str, ...] = ()
    extra_margins: tuple[str, ...] = ()
    winner: str = ""
    second_winner: str = ""


class MatchRefused(StageRefused):
    """Raised for a match that cannot be recorded.

    With `is_question`, the director must decide about a later match that has begun.
    """

    def __init__(self, message: str, match_key: str, *, is_question: bool) -> None:
        super().__init__(message)
        self.match_key, self.is_question = match_key, is_question


@transaction.atomic
def record_round_scores(
    *,
    event: Event,
    bracket_sheet: BracketSheet,
    round_number: int,
    post_data: QueryDict,
    by: Actor,
) -> int:
    """Record each match of a round whose submitted fields differ from those shown.

    Atomic; returns the number of matches. Raises MatchRefused.
    """
    matches = [
        bracket_match
        for bracket_round in bracket_sheet.rounds
        if bracket_round.number == round_number
        for bracket_match in bracket_round.matches
    ]
    recorded_count = 0
    for match in matches:
        submitted_match, later_choice = (
            read_submitted_match(match, post_data),
            post_data.get(f"later-{match.key}", ""),
        )
        if not match.can_enter_margins or (
            submitted_match == build_displayed_match(match) and not later_choice
        ):
            continue
        try:
            scoring.services.record_match(
                event=event,
                match_key=(match.round, match.number),
                margins=_read_margins(submitted_match.margins),
                extra_margins=_read_extra_margins(submitted_match.extra_margins),
                winner_number=parse_number_or_zero(submitted_match.winner) or None,
                second_winner_number=parse_number_or_zero(submitted_match.second_winner)
                or None,
                later_choice=later_choice,
                by=by,
            )
        except StageRefused as error:
            message = _("Match %(match)s: %(what)s") % {"match": match.number, "what": error}
            needs_decision = isinstance(error, LaterMatchBegun)
            raise MatchRefused(message, match.key, is_question=needs_decision) from error
        recorded_count += 1
    return recorded_count


def read_submitted_match(match: BracketMatch, post_data: QueryDict) -> SubmittedMatch:
    """Return a match's submitted fields; for missing ones, the values shown on the page."""
    displayed_match = build_displayed_match(match)
    texts_by_field: Mapping[str, list[str]] = {
        field_name: [
            field_text.strip() for field_text in post_data.getlist(f"{field_name}-{match.key}")
        ]
        for field_name in FIELD_NAMES
    }
    return SubmittedMatch(
        margins=tuple(texts_by_field["margin"])
        if texts_by_field["margin"]
        else displayed_match.margins,
        extra_margins=tuple(texts_by_field["extra"])
        if texts_by_field["extra"]
        else displayed_match.extra_margins,
        winner=texts_by_field["winner"][-1]
        if texts_by_field["winner"]
        else displayed_match.winner,
        second_winner=texts_by_field["second"][-1]
        if texts_by_field["second"]
        else displayed_match.second_winner,
    )


def build_displayed_match(match: BracketMatch) -> SubmittedMatch:
    """Return the values of a match's input fields as the page shows them."""
    margins_per_segment = len(match.margin_labels) or 1
    margins = match.margins if match.has_entered_margins else ()
    entry_number_texts_by_place = (
        {side.place: str(side.entry) for side in match.sides}
        if match.is_decided_by_director
        else {}
    )
    extra_margins = match.extra_margins[:1] or (("",) if match.is_level else ())
    if match.margin_labels:
        extra_margins = tuple(field.value for field in match.extra_margin_fields)
    return SubmittedMatch(
        margins=(
            *margins,
            *[""] * (match.planned_segment_count * margins_per_segment - len(margins)),
        ),
        extra_margins=extra_margins,
        winner=entry_number_texts_by_place.get(1, ""),
        second_winner=entry_number_texts_by_place.get(2, "")
        if match.advancing_side_count > 1
        else "",
    )


def fill_submitted_margins(
    bracket_sheet: BracketSheet, round_number: int, post_data: QueryDict
) -> BracketSheet:
    """Return the bracket with the submitted margins of a round, to show the form again."""

    def fill_match(match: BracketMatch) -> BracketMatch:
        submitted_match = read_submitted_match(match, post_data)
        if match.round != round_number or submitted_match == build_displayed_match(match):
            return match
        return replace(
            match,
            margins=tuple(margin[:8] for margin in submitted_match.margins),
            has_entered_margins=True,
        )

    rounds = (
        replace(bracket_round, matches=tuple(map(fill_match, bracket_round.matches)))
        for bracket_round in bracket_sheet.rounds
    )
    return replace(bracket_sheet, rounds=tuple(rounds))


def _read_margins(submitted_margins: tuple[str, ...]) -> list[str]:
    """Return the margins without empty fields at the end.

    Raises StageRefused if a field before the last margin is empty.
    """
    margins = list(submitted_margins)
    while margins and not margins[-1]:
        margins.pop()
    if not all(margins):
        raise StageRefused(_("A margin is missing. Fill them in from the first."))
    return margins


def _read_extra_margins(margins: tuple[str, ...]) -> list[str]:
    """Return the margins of the extra boards, without sets of empty fields.

    In a three-way match, a set has three margins. If one of them is entered, the empty ones
    count as 0.
    """
    margins_per_set = 3 if len(margins) > 1 else 1
    margin_sets = [
        margins[start_index : start_index + margins_per_set]
        for start_index in range(0, len(margins), margins_per_set)
    ]
    return [
        margin or "0"
        for margins_of_set in margin_sets
        if "".join(margins_of_set)
        for margin in margins_of_set
    ]
