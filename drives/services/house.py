"""Services for a club's defaults for drives, and for its own ways of scoring."""

from collections.abc import Callable, Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Undo
from clubs.models import Club, RoundClock
from drives.errors import DriveRefused
from drives.files.export import build_future_prize
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
"""The Python types of terms with simple values; `_TERM_CHECKS` checks all other terms.

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
    DriveRefused or UnreadableDrive with the name of the invalid term.
    """
    house_terms = lock_house_terms(club)
    new_presets = house_terms.presets if presets is None else dict(presets)
    if not can_be_stored([dict(terms), new_presets]):
        raise DriveRefused(_("The text contains invalid characters."))
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
        back=Undo(("house terms",), "drive.house_terms", old_values),
    )
    return house_terms


@transaction.atomic
def save_as_club_defaults(*, drive: Drive, score_name: str = "", by: Actor) -> HouseTerms:
    """Make the settings of a drive the club's defaults for new drives.

    If `score_name` is given, the way of scoring is also saved under this name, and can be
    chosen for any new drive. Raises DriveRefused.
    """
    terms: dict[str, Any] = {"form": drive.form, "score": drive.score, "hands": drive.hands}
    for name in (*SIMPLE_TERM_TYPES, "terms"):
        value = getattr(drive, name, None)
        # START_TERM (seats by drawn cards) is no default: it is chosen for each drive.
        if name == "terms":
            value = {
                term: setting for term, setting in drive.terms.items() if term != START_TERM
            }
        if value not in (None, "", {}):
            terms[name] = value
    clock = RoundClock.objects.filter(evening=drive.evening_id).first()
    if clock is not None:
        terms["minutes"] = clock.minutes
    if prizes := [build_future_prize(prize) for prize in drive.prizes.all()]:
        terms["prizes"] = prizes
    house_terms = HouseTerms.objects.filter(club=drive.club).first()
    presets = dict(house_terms.presets) if house_terms else {}
    name = " ".join(score_name.split())
    if name:
        presets[name] = drive.score
    return set_house_terms(club=drive.club, terms=terms, presets=presets, by=by)


def lock_house_terms(club: Club) -> HouseTerms:
    """Lock the club's row until the transaction ends; return its terms, unsaved if new."""
    # Without this lock, two concurrent requests could both create the terms.
    Club.objects.select_for_update().get(pk=club.pk)
    return HouseTerms.objects.filter(club=club).first() or HouseTerms(club=club)


def check_preset_count(presets: Mapping[str, Any]) -> None:
    """Raise DriveRefused if there are too many ways of scoring."""
    if len(presets) > MAX_PRESETS:
        message = _("You can save at most %(most)s ways of scoring.")
        raise DriveRefused(message % {"most": MAX_PRESETS})


def _check_terms(terms: Mapping[str, Any]) -> None:
    for name, value in terms.items():
        if name in _TERM_CHECKS:
            _TERM_CHECKS[name](value, terms)
        else:
            _check_simple_term(name, value)
    if not 1 <= terms.get("minutes", 1) <= MAX_ROUND_MINUTES:
        raise DriveRefused(_("Enter 1–%(most)s minutes.") % {"most": MAX_ROUND_MINUTES})
    fields = {
        name: terms[name] for name in SIMPLE_TERM_TYPES if name in terms and name != "minutes"
    }
    check_hand_and_round_counts(fields.get("hands", 1), fields.get("rounds"))
    check_trumps(fields.get("trumps", "HCDS"))
    other_field_names = [
        field.name for field in Drive._meta.concrete_fields if field.name not in fields
    ]
    Drive(**fields).clean_fields(exclude=other_field_names)


def _check_simple_term(name: str, value: object) -> None:
    if name not in SIMPLE_TERM_TYPES:
        raise DriveRefused(_("Setting “%(term)s” not found.") % {"term": name})
    expected_type = SIMPLE_TERM_TYPES[name]
    if not isinstance(value, expected_type) or isinstance(value, bool) != (
        expected_type is bool
    ):
        message = _("Setting “%(term)s” can’t be %(value)s.")
        raise DriveRefused(message % {"term": name, "value": str(value)[:30]})


def _check_score(value: Any, _terms: Mapping[str, Any]) -> None:
    parse_score_terms(value)


def _check_form_terms(value: Any, terms: Mapping[str, Any]) -> None:
    if not isinstance(value, Mapping):
        message = _("Setting “%(term)s” can’t be %(value)s.")
        raise DriveRefused(message % {"term": "terms", "value": str(value)[:30]})
    check_form_terms(value, find_play_form(terms.get("form", DEFAULT_FORM_CODE)))


_TERM_CHECKS: Mapping[str, Callable[[Any, Mapping[str, Any]], object]] = {
    "form": lambda value, terms: find_play_form(value),
    "score": _check_score,
    "prizes": lambda value, terms: parse_prizes(value),
    "terms": _check_form_terms,
}


def _check_presets(presets: Mapping[str, Any]) -> None:
    check_preset_count(presets)
    for name, score in presets.items():
        if not 0 < len(name) <= 100 or not isinstance(score, Mapping):
            raise DriveRefused(_("Your own scoring needs a name and its rules."))
        parse_score_terms(score)
