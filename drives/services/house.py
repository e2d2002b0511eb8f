"""Services for a club's defaults for drives, and for its own ways of scoring."""

from collections.abc import Callable, Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Undo
from clubs.models import Club, RoundClock
from drives.errors import DriveActionNotAllowed
from drives.files.export import build_prize_without_result
from drives.models import Drive, HouseTerms
from drives.models.drives import check_trumps
from drives.play_forms import find_play_form
from drives.play_forms.drawn_cards import START_TERM
from drives.prizes.prize import parse_prizes
from drives.scores.terms import parse_score_terms
from drives.services.clock import MAX_ROUND_MINUTES
from drives.services.create import check_form_terms, check_hand_and_round_counts
from server.json_reader.problems import can_be_stored

MAX_PRESETS = 50
DEFAULT_FORM_CODE = "progressive"
"""The type of drive to which a club's settings belong if it has not chosen a type."""
SIMPLE_TERM_TYPES = {
    "hands": int,
    "rounds": int,
    "minutes": int,
    "trumps": str,
    "first_word": str,
    "second_word": str,
    "halves": bool,
    "one_prize_each": bool,
    "standings_shown": str,
    "paper_size": str,
}
"""The Python types of terms with simple values; `_CHECKS_BY_TERM` checks all other terms.

`minutes` is the length of a round on the clock. All other terms are fields of `Drive`.
"""


@transaction.atomic
def set_house_terms(
    *,
    club: Club,
    terms: Mapping[str, Any],
    presets: Mapping[str, Any] | None = None,
    by: Actor,
) -> HouseTerms:
    """Set the club's defaults for drives; missing terms have the program's defaults.

    `presets` are ways of scoring by name: {"Our wiezen": {"kind": "player", "sum": 0}}. Raises
    DriveActionNotAllowed or UnreadableDrive with the name of the invalid term.
    """
    house_terms = lock_house_terms(club)
    new_presets = house_terms.presets if presets is None else dict(presets)
    if not can_be_stored([dict(terms), new_presets]):
        raise DriveActionNotAllowed(_("The text contains invalid characters."))
    _check_terms(terms)
    _check_presets(new_presets)
    old_values = {"terms": house_terms.terms, "presets": house_terms.presets}
    new_values = {"terms": dict(terms), "presets": new_presets}
    if old_values == new_values:
        return house_terms
    house_terms.terms, house_terms.presets = new_values["terms"], new_presets
    house_terms.save()
    audit.record(
        by,
        "drive.house_terms",
        subject=club,
        before={"terms": len(old_values["terms"])},
        after={"terms": len(house_terms.terms)},
        undo=Undo(("house terms",), "drive.house_terms", old_values),
    )
    return house_terms


@transaction.atomic
def save_as_club_defaults(*, drive: Drive, scoring_name: str = "", by: Actor) -> HouseTerms:
    """Make the settings of a drive the club's defaults for new drives.

    If `scoring_name` is given, the way of scoring is also saved under this name, and can be
    chosen for any new drive. Raises DriveActionNotAllowed.
    """
    default_terms: dict[str, Any] = {
        "form": drive.form,
        "score": drive.score,
        "hands": drive.hands,
    }
    for name in (*SIMPLE_TERM_TYPES, "terms"):
        term_value = getattr(drive, name, None)
        # START_TERM (seats by drawn cards) is no default: it is chosen for each drive.
        if name == "terms":
            term_value = {
                term: setting for term, setting in drive.terms.items() if term != START_TERM
            }
        if term_value not in (None, "", {}):
            default_terms[name] = term_value
    clock = RoundClock.objects.filter(evening=drive.evening_id).first()
    if clock is not None:
        default_terms["minutes"] = clock.minutes
    if prizes := [build_prize_without_result(prize) for prize in drive.prizes.all()]:
        default_terms["prizes"] = prizes
    house_terms = HouseTerms.objects.filter(club=drive.club).first()
    presets_by_name = dict(house_terms.presets) if house_terms else {}
    name = " ".join(scoring_name.split())
    if name:
        presets_by_name[name] = drive.score
    return set_house_terms(club=drive.club, terms=default_terms, presets=presets_by_name, by=by)


def lock_house_terms(club: Club) -> HouseTerms:
    """Lock the club's row until the transaction ends; return its terms, unsaved if new."""
    # Without this lock, two concurrent requests could both create the terms.
    Club.objects.select_for_update().get(pk=club.pk)
    return HouseTerms.objects.filter(club=club).first() or HouseTerms(club=club)


def check_preset_count(presets_by_name: Mapping[str, Any]) -> None:
    """Raise DriveActionNotAllowed if there are too many ways of scoring."""
    if len(presets_by_name) > MAX_PRESETS:
        message = _("You can save at most %(most)s ways of scoring.")
        raise DriveActionNotAllowed(message % {"most": MAX_PRESETS})


def _check_terms(default_terms: Mapping[str, Any]) -> None:
    for name, term_value in default_terms.items():
        if name in _CHECKS_BY_TERM:
            _CHECKS_BY_TERM[name](term_value, default_terms)
        else:
            _check_simple_term(name, term_value)
    if not 1 <= default_terms.get("minutes", 1) <= MAX_ROUND_MINUTES:
        raise DriveActionNotAllowed(
            _("Enter 1–%(most)s minutes.") % {"most": MAX_ROUND_MINUTES}
        )
    drive_values = {
        name: default_terms[name]
        for name in SIMPLE_TERM_TYPES
        if name in default_terms and name != "minutes"
    }
    check_hand_and_round_counts(drive_values.get("hands", 1), drive_values.get("rounds"))
    check_trumps(drive_values.get("trumps", "HCDS"))
    other_field_names = [
        model_field.name
        for model_field in Drive._meta.concrete_fields
        if model_field.name not in drive_values
    ]
    Drive(**drive_values).clean_fields(exclude=other_field_names)


def _check_simple_term(name: str, term_value: object) -> None:
    if name not in SIMPLE_TERM_TYPES:
        raise DriveActionNotAllowed(_("Setting “%(term)s” not found.") % {"term": name})
    expected_type = SIMPLE_TERM_TYPES[name]
    if not isinstance(term_value, expected_type) or isinstance(term_value, bool) != (
        expected_type is bool
    ):
        message = _("Setting “%(term)s” can’t be %(value)s.")
        raise DriveActionNotAllowed(message % {"term": name, "value": str(term_value)[:30]})


def _check_score(score_terms: Any, _terms: Mapping[str, Any]) -> None:
    parse_score_terms(score_terms)


def _check_form_terms(form_terms: Any, all_terms: Mapping[str, Any]) -> None:
    if not isinstance(form_terms, Mapping):
        message = _("Setting “%(term)s” can’t be %(value)s.")
        raise DriveActionNotAllowed(message % {"term": "terms", "value": str(form_terms)[:30]})
    check_form_terms(form_terms, find_play_form(all_terms.get("form", DEFAULT_FORM_CODE)))


_CHECKS_BY_TERM: Mapping[str, Callable[[Any, Mapping[str, Any]], object]] = {
    "form": lambda value, terms: find_play_form(value),
    "score": _check_score,
    "prizes": lambda value, terms: parse_prizes(value),
    "terms": _check_form_terms,
}


def _check_presets(presets_by_name: Mapping[str, Any]) -> None:
    check_preset_count(presets_by_name)
    for name, score in presets_by_name.items():
        if not 0 < len(name) <= 100 or not isinstance(score, Mapping):
            raise DriveActionNotAllowed(_("Your own scoring needs a name and its rules."))
        parse_score_terms(score)
