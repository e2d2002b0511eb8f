"""What a club's drives begin with: its form, its trumps, its words, and scores of its own."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Back
from clubs.models import Club
from drives.errors import DriveRefused
from drives.files.drive_file import prizes_of, scoring_of, ties_of
from drives.files.reading import can_be_kept
from drives.forms import form_named
from drives.models import Drive, HouseTerms
from drives.models.drives import check_trumps
from drives.services.beginning import check_length

MOST_PRESETS = 50
FIELDS = {
    "hands": int,
    "rounds": int,
    "trumps": str,
    "first_word": str,
    "second_word": str,
    "halves": bool,
    "one_prize_each": bool,
    "standings_shown": str,
    "paper_size": str,
}
"""The terms that are fields of a drive, and of what kind each is; the others are below."""


@transaction.atomic
def set_house_terms(
    *,
    club: Club,
    terms: Mapping[str, Any],
    presets: Mapping[str, Any] | None = None,
    by: Actor,
) -> HouseTerms:
    """Settle what the club's drives begin with; what is not named is the program's own.

    `presets` are ways to score by their names: {"Our wiezen": {"kind": "player", "sum": 0}}.
    Raises DriveRefused or UnreadableDrive, naming the term.
    """
    Club.objects.select_for_update().get(pk=club.pk)  # two screens race here
    row = HouseTerms.objects.filter(club=club).first() or HouseTerms(club=club)
    wanted = row.presets if presets is None else dict(presets)
    if not can_be_kept([dict(terms), wanted]):
        raise DriveRefused(_("This holds signs that nobody can keep."))
    _check_terms(terms)
    _check_presets(wanted)
    before = {"terms": row.terms, "presets": row.presets}
    after = {"terms": dict(terms), "presets": wanted}
    if before == after:
        return row
    row.terms, row.presets = after["terms"], wanted
    row.save()
    audit.record(
        by,
        "drive.house_terms",
        subject=club,
        before={"terms": len(before["terms"])},
        after={"terms": len(row.terms)},
        back=Back(("house terms",), "drive.house_terms", before),
    )
    return row


def _check_terms(terms: Mapping[str, Any]) -> None:
    for name, value in terms.items():
        if name == "form":
            form_named(value)
        elif name == "score":
            scoring_of(value, 1)
            ties_of(value)
        elif name == "prizes":
            prizes_of(value)
        elif name not in FIELDS:
            raise DriveRefused(_("There is no term “%(term)s”.") % {"term": name})
        elif not isinstance(value, FIELDS[name]) or isinstance(value, bool) != (
            FIELDS[name] is bool
        ):
            words = _("The term “%(term)s” cannot be %(value)s.")
            raise DriveRefused(words % {"term": name, "value": str(value)[:30]})
    fields = {name: value for name, value in terms.items() if name in FIELDS}
    check_length(fields.get("hands", 1), fields.get("rounds"))
    check_trumps(fields.get("trumps", "HCDS"))
    others = [f.name for f in Drive._meta.concrete_fields if f.name not in fields]
    Drive(**fields).clean_fields(exclude=others)


def _check_presets(presets: Mapping[str, Any]) -> None:
    if len(presets) > MOST_PRESETS:
        words = _("A club keeps at most %(most)s scores of its own.")
        raise DriveRefused(words % {"most": MOST_PRESETS})
    for name, score in presets.items():
        if not 0 < len(name) <= 100 or not isinstance(score, Mapping):
            raise DriveRefused(_("A score of the club's own needs a name and its terms."))
        scoring_of(score, 1)
        ties_of(score)
