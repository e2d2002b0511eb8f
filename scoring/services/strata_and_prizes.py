"""Strata and prizes of an event, and the seeds, ratings and tags of its entries."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Undo
from scoring.errors import StageRefused
from scoring.models import EntryProfile, EventPrize, Strata
from server.numbers import format_exact_number, parse_exact_number
from tournaments.models import Event

MAX_STRATA, MAX_TAGS, MAX_PRIZES, MAX_RATINGS = 6, 8, 60, 8
MAX_TAG_LENGTH = 30
COMMON_PRIZE_LIST_KEYS = ("all", "lot")
"""Prize lists that every event has; others are "stratum:B", "side:NS", "tag:mixed"."""


@transaction.atomic
def set_strata(
    *,
    event: Event,
    lines: Sequence[tuple[str, str]],
    rule: str = Strata.Rule.MANUAL,
    by: Actor,
) -> Strata | None:
    """Divide an event into strata. Each of `lines` is a name and a minimum rating, as text.

    The highest stratum comes first. Without lines, the strata are removed. Strata change ranks,
    but never scores. Raises StageRefused.
    """
    event = _lock_event(event)
    strata = Strata.objects.filter(event=event).first()
    former_strata_data = _build_strata_data(strata)
    new_strata_data = (
        {"rule": str(rule), "lines": validate_strata(lines, rule)} if lines else {}
    )
    if former_strata_data == new_strata_data:
        return strata
    if not lines:
        Strata.objects.filter(event=event).delete()
        strata = None
    else:
        strata, _is_new = Strata.objects.update_or_create(event=event, defaults=new_strata_data)
    audit.record(
        by,
        "strata.settled",
        subject=event,
        before={"strata": [stratum[0] for stratum in former_strata_data["lines"]]}
        if former_strata_data
        else None,
        after={"strata": [stratum[0] for stratum in new_strata_data["lines"]]}
        if new_strata_data
        else None,
        undo=Undo(("strata",), "strata.settle", former_strata_data or {"lines": []}),
    )
    return strata


@transaction.atomic
def set_entry_profiles(
    *, event: Event, profiles_by_number: Mapping[int, Mapping[str, Any]], by: Actor
) -> None:
    """Set the seeds, ratings, strata and tags of entries, by entry number.

    Fields missing from a profile are not changed. Raises StageRefused for two entries with the
    same seed, and for invalid values.
    """
    event = _lock_event(event)
    entry_by_number = {entry.number: entry for entry in event.entries.all()}
    profile_by_entry = {
        entry_profile.entry_id: entry_profile
        for entry_profile in EntryProfile.objects.filter(entry__event=event)
    }
    former_data_by_number, new_data_by_number, changed_profiles = {}, {}, []
    for entry_number, profile_data in sorted(profiles_by_number.items()):
        if entry_number not in entry_by_number:
            raise StageRefused(_("Number %(number)s not found.") % {"number": entry_number})
        entry = entry_by_number[entry_number]
        entry_profile = profile_by_entry.get(entry.pk) or EntryProfile(entry=entry)
        former_data = entry_profile.to_data()
        new_data = former_data | validate_profile(profile_data)
        if former_data == new_data:
            continue
        former_data_by_number[str(entry_number)], new_data_by_number[str(entry_number)] = (
            former_data,
            new_data,
        )
        for field_name, field_value in new_data.items():
            setattr(entry_profile, field_name, field_value)
        profile_by_entry[entry.pk] = entry_profile
        changed_profiles.append(entry_profile)
    if not changed_profiles:
        return
    check_distinct_seeds(list(profile_by_entry.values()))
    for entry_profile in changed_profiles:
        entry_profile.save()
    audit.record(
        by,
        "entries.profiled",
        subject=event,
        after={"entries": len(changed_profiles)},
        undo=Undo(("profiles",), "entries.profile", {"profiles": former_data_by_number}),
    )


@transaction.atomic
def set_prizes(
    *, event: Event, prizes: Sequence[Mapping[str, Any]], by: Actor
) -> list[EventPrize]:
    """Replace the prize list of an event, in the given order.

    A prize has `name`, `listed`, `place` and `kind`. A money prize also has `value`, in cents.
    Raises StageRefused.
    """
    event = _lock_event(event)
    if len(prizes) > MAX_PRIZES:
        raise StageRefused(
            _("An event can have at most %(most)s prizes.") % {"most": MAX_PRIZES}
        )
    former_prizes_data = [build_prize_data(event_prize) for event_prize in event.prizes.all()]
    new_prizes_data = [validate_prize(prize_data) for prize_data in prizes]
    if former_prizes_data == new_prizes_data:
        return list(event.prizes.all())
    event.prizes.all().delete()
    event_prizes = EventPrize.objects.bulk_create(
        EventPrize(event=event, order=order, **prize_data)
        for order, prize_data in enumerate(new_prizes_data, 1)
    )
    audit.record(
        by,
        "prizes.settled",
        subject=event,
        before={"prizes": len(former_prizes_data)},
        after={"prizes": len(new_prizes_data)},
        undo=Undo(("prizes",), "prizes.settle", {"prizes": former_prizes_data}),
    )
    return event_prizes


def validate_strata(strata_lines: Sequence[tuple[str, str]], rule: str) -> list[list[str]]:
    """Return the strata in stored form; raise StageRefused for invalid ones."""
    if rule not in Strata.Rule.values:
        raise StageRefused(_("Choose how the stratum is decided."))
    if not 2 <= len(strata_lines) <= MAX_STRATA:
        raise StageRefused(_("Enter 2 to %(most)s strata.") % {"most": MAX_STRATA})
    stratum_names = [
        " ".join(stratum_name.split()) for stratum_name, _minimum_rating in strata_lines
    ]
    if len({stratum_name.casefold() for stratum_name in stratum_names}) < len(
        stratum_names
    ) or not all(stratum_names):
        raise StageRefused(_("Give each stratum a different name."))
    if max(map(len, stratum_names)) > 20:
        raise StageRefused(_("Use 20 characters or fewer for a stratum’s name."))
    minimum_ratings = [
        _normalise_rating(rating_text or "0") for _name, rating_text in strata_lines
    ]
    minimum_values = [parse_exact_number(minimum_rating) for minimum_rating in minimum_ratings]
    if (
        rule != Strata.Rule.MANUAL
        and sorted(set(minimum_values), reverse=True) != minimum_values
    ):
        raise StageRefused(_("List the strata from the highest to the lowest rating."))
    return [
        [stratum_name, minimum_rating]
        for stratum_name, minimum_rating in zip(stratum_names, minimum_ratings, strict=True)
    ]


def validate_profile(profile_data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the given fields of a profile in stored form; raise StageRefused for invalid
    ones.
    """
    stored_data: dict[str, Any] = {}
    if "seed" in profile_data:
        seed_number = profile_data["seed"]
        if seed_number is not None and not 1 <= seed_number <= 999:
            raise StageRefused(_("Enter a seed of 1 or more."))
        stored_data["seed"] = seed_number
    if "ratings" in profile_data:
        ratings = [_normalise_rating(str(rating)) for rating in profile_data["ratings"]]
        stored_data["ratings"] = ratings[:MAX_RATINGS]
    if "stratum" in profile_data:
        stored_data["stratum"] = " ".join(str(profile_data["stratum"]).split())[:20]
    if "tags" in profile_data:
        tags = [" ".join(str(tag_text).split()).casefold() for tag_text in profile_data["tags"]]
        stored_data["tags"] = sorted({tag_text for tag_text in tags if tag_text})
        if len(stored_data["tags"]) > MAX_TAGS or any(
            len(tag) > MAX_TAG_LENGTH for tag in stored_data["tags"]
        ):
            raise StageRefused(
                _("Enter at most %(most)s tags of %(letters)s characters.")
                % {"most": MAX_TAGS, "letters": MAX_TAG_LENGTH}
            )
    return stored_data


def _normalise_rating(rating_text: str) -> str:
    try:
        return format_exact_number(rating_text)
    except ValueError:
        raise StageRefused(
            _("“%(text)s” isn’t a rating. Enter a number, e.g. 1850 or 5.2.")
            % {"text": rating_text[:20]}
        ) from None


def check_distinct_seeds(entry_profiles: Sequence[EntryProfile]) -> None:
    seeds = [profile.seed for profile in entry_profiles if profile.seed is not None]
    repeated_seed = next((seed for seed in seeds if seeds.count(seed) > 1), None)
    if repeated_seed is not None:
        raise StageRefused(_("Seed %(seed)s is used twice.") % {"seed": repeated_seed})


def validate_prize(prize_data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a prize in stored form; raise StageRefused for an invalid one."""
    name = " ".join(str(prize_data.get("name", "")).split())[:80]
    prize_kind, prize_rank = (
        prize_data.get("kind", EventPrize.Kind.HONOUR),
        prize_data.get("place", 1),
    )
    cents = prize_data.get("value", 0) if prize_kind == EventPrize.Kind.MONEY else 0
    prize_list_key = str(prize_data.get("listed", "all"))
    if not name:
        raise StageRefused(_("Give the prize a name."))
    if prize_kind not in EventPrize.Kind.values:
        raise StageRefused(_("Choose money or a trophy as the prize."))
    if prize_kind == EventPrize.Kind.MONEY and not 1 <= cents <= 10**8:
        raise StageRefused(_("Enter the amount of “%(name)s”.") % {"name": name})
    if not 1 <= prize_rank <= 999:
        raise StageRefused(_("Enter a place of 1 or more for the prize."))
    list_kind, _colon, list_value = prize_list_key.partition(":")
    if prize_list_key not in COMMON_PRIZE_LIST_KEYS and not (
        list_kind in ("stratum", "side", "tag") and list_value
    ):
        raise StageRefused(
            _("List “%(listed)s” not found. Choose all, lot, side:NS, stratum:B or tag:mixed.")
            % {"listed": prize_list_key[:40]}
        )
    return {
        "name": name,
        "listed": prize_list_key[:40],
        "place": prize_rank,
        "kind": str(prize_kind),
        "value": cents,
    }


def build_prize_data(prize: EventPrize) -> dict[str, Any]:
    """Return a stored prize in the input format of `set_prizes`."""
    return {
        "name": prize.name,
        "listed": prize.listed,
        "place": prize.place,
        "kind": prize.kind,
        "value": prize.value,
    }


def _build_strata_data(strata: Strata | None) -> dict[str, Any]:
    return {"rule": strata.rule, "lines": strata.lines} if strata else {}


def _lock_event(event: Event) -> Event:
    # Two directors, or a double click, may submit the same page at once.
    events = Event.objects.select_for_update(of=("self",)).select_related("club", "terms")
    return events.get(pk=event.pk)
