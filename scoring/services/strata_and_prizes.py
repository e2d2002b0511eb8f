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
COMMON_PRIZE_LISTS = ("all", "lot")
"""Prize lists that every event has; others are "stratum:B", "side:NS", "tag:mixed"."""


@transaction.atomic
def set_strata(
    *,
    event: Event,
    lines: Sequence[tuple[str, str]],
    rule: str = Strata.Rule.BY_HAND,
    by: Actor,
) -> Strata | None:
    """Divide an event into strata, the highest first, each with its minimum rating.

    Without lines the strata are removed. Strata change ranks, but never scores. Raises
    StageRefused.
    """
    event = _lock_event(event)
    row = Strata.objects.filter(event=event).first()
    before = _strata_to_data(row)
    after = {"rule": str(rule), "lines": validate_strata(lines, rule)} if lines else {}
    if before == after:
        return row
    if not lines:
        Strata.objects.filter(event=event).delete()
        row = None
    else:
        row, _is_new = Strata.objects.update_or_create(event=event, defaults=after)
    audit.record(
        by,
        "strata.settled",
        subject=event,
        before={"strata": [line[0] for line in before["lines"]]} if before else None,
        after={"strata": [line[0] for line in after["lines"]]} if after else None,
        back=Undo(("strata",), "strata.settle", before or {"lines": []}),
    )
    return row


@transaction.atomic
def set_entry_profiles(
    *, event: Event, profiles: Mapping[int, Mapping[str, Any]], by: Actor
) -> None:
    """Set the seeds, ratings, strata and tags of entries, by entry number.

    Fields missing from a profile are not changed. Raises StageRefused for two entries with the
    same seed, and for invalid values.
    """
    event = _lock_event(event)
    entries = {entry.number: entry for entry in event.entries.all()}
    rows = {row.entry_id: row for row in EntryProfile.objects.filter(entry__event=event)}
    before, after, changed_numbers = {}, {}, []
    for number, profile in sorted(profiles.items()):
        if number not in entries:
            raise StageRefused(_("Number %(number)s not found.") % {"number": number})
        entry = entries[number]
        row = rows.get(entry.pk) or EntryProfile(entry=entry)
        former_values = row.to_data()
        new_values = former_values | validate_profile(profile)
        if former_values == new_values:
            continue
        before[str(number)], after[str(number)] = former_values, new_values
        for name, value in new_values.items():
            setattr(row, name, value)
        rows[entry.pk] = row
        changed_numbers.append(row)
    if not changed_numbers:
        return
    check_distinct_seeds(list(rows.values()))
    for row in changed_numbers:
        row.save()
    audit.record(
        by,
        "entries.profiled",
        subject=event,
        after={"entries": len(changed_numbers)},
        back=Undo(("profiles",), "entries.profile", {"profiles": before}),
    )


@transaction.atomic
def set_prizes(
    *, event: Event, prizes: Sequence[Mapping[str, Any]], by: Actor
) -> list[EventPrize]:
    """Replace the prize list of an event, in the given order.

    Each has `name`, `listed`, `place`, `kind` and for money `value` in cents. Raises
    StageRefused.
    """
    event = _lock_event(event)
    if len(prizes) > MAX_PRIZES:
        raise StageRefused(
            _("An event can have at most %(most)s prizes.") % {"most": MAX_PRIZES}
        )
    before = [prize_to_data(row) for row in event.prizes.all()]
    after = [validate_prize(prize) for prize in prizes]
    if before == after:
        return list(event.prizes.all())
    event.prizes.all().delete()
    rows = EventPrize.objects.bulk_create(
        EventPrize(event=event, order=order, **prize_data)
        for order, prize_data in enumerate(after, 1)
    )
    audit.record(
        by,
        "prizes.settled",
        subject=event,
        before={"prizes": len(before)},
        after={"prizes": len(after)},
        back=Undo(("prizes",), "prizes.settle", {"prizes": before}),
    )
    return rows


def validate_strata(lines: Sequence[tuple[str, str]], rule: str) -> list[list[str]]:
    """Return the strata in stored form; raise StageRefused for invalid ones."""
    if rule not in Strata.Rule.values:
        raise StageRefused(_("Choose how the stratum is decided."))
    if not 2 <= len(lines) <= MAX_STRATA:
        raise StageRefused(_("Enter 2 to %(most)s strata.") % {"most": MAX_STRATA})
    names = [" ".join(name.split()) for name, _minimum_rating in lines]
    if len({name.casefold() for name in names}) < len(names) or not all(names):
        raise StageRefused(_("Give each stratum a different name."))
    if max(map(len, names)) > 20:
        raise StageRefused(_("Use 20 characters or fewer for a stratum's name."))
    minimum_ratings = [_normalise_number(text or "0") for _name, text in lines]
    figures = [parse_exact_number(minimum) for minimum in minimum_ratings]
    if rule != Strata.Rule.BY_HAND and sorted(set(figures), reverse=True) != figures:
        raise StageRefused(_("List the strata from the highest to the lowest rating."))
    return [[name, figure] for name, figure in zip(names, minimum_ratings, strict=True)]


def validate_profile(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the given fields of a profile in stored form; raise StageRefused for invalid
    ones.
    """
    values: dict[str, Any] = {}
    if "seed" in data:
        seed = data["seed"]
        if seed is not None and not 1 <= seed <= 999:
            raise StageRefused(_("Enter a seed of 1 or more."))
        values["seed"] = seed
    if "ratings" in data:
        ratings = [_normalise_number(str(rating)) for rating in data["ratings"]]
        values["ratings"] = ratings[:MAX_RATINGS]
    if "stratum" in data:
        values["stratum"] = " ".join(str(data["stratum"]).split())[:20]
    if "tags" in data:
        tags = [" ".join(str(each).split()).casefold() for each in data["tags"]]
        values["tags"] = sorted({each for each in tags if each})
        if len(values["tags"]) > MAX_TAGS or any(
            len(tag) > MAX_TAG_LENGTH for tag in values["tags"]
        ):
            raise StageRefused(
                _("Enter at most %(most)s tags of %(letters)s characters.")
                % {"most": MAX_TAGS, "letters": MAX_TAG_LENGTH}
            )
    return values


def _normalise_number(text: str) -> str:
    try:
        return format_exact_number(text)
    except ValueError:
        raise StageRefused(
            _("“%(text)s” isn't a rating. Enter a number, e.g. 1850 or 5.2.")
            % {"text": text[:20]}
        ) from None


def check_distinct_seeds(rows: Sequence[EntryProfile]) -> None:
    seeds = [row.seed for row in rows if row.seed is not None]
    repeated_seed = next((seed for seed in seeds if seeds.count(seed) > 1), None)
    if repeated_seed is not None:
        raise StageRefused(_("Two entries have seed %(seed)s.") % {"seed": repeated_seed})


def validate_prize(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a prize in stored form; raise StageRefused for an invalid one."""
    name = " ".join(str(data.get("name", "")).split())[:80]
    kind, place = data.get("kind", EventPrize.Kind.HONOUR), data.get("place", 1)
    value = data.get("value", 0) if kind == EventPrize.Kind.MONEY else 0
    prize_list = str(data.get("listed", "all"))
    if not name:
        raise StageRefused(_("Give the prize a name."))
    if kind not in EventPrize.Kind.values:
        raise StageRefused(_("A prize is money or a trophy."))
    if kind == EventPrize.Kind.MONEY and not 1 <= value <= 10**8:
        raise StageRefused(_("Enter the amount of “%(name)s”.") % {"name": name})
    if not 1 <= place <= 999:
        raise StageRefused(_("Enter a place of 1 or more for the prize."))
    list_kind, _colon, list_value = prize_list.partition(":")
    if prize_list not in COMMON_PRIZE_LISTS and not (
        list_kind in ("stratum", "side", "tag") and list_value
    ):
        raise StageRefused(
            _("List “%(listed)s” not found. Choose all, lot, side:NS, stratum:B or tag:mixed.")
            % {"listed": prize_list[:40]}
        )
    return {
        "name": name,
        "listed": prize_list[:40],
        "place": place,
        "kind": str(kind),
        "value": value,
    }


def prize_to_data(row: EventPrize) -> dict[str, Any]:
    """Return a stored prize in the input format of `set_prizes`."""
    return {
        "name": row.name,
        "listed": row.listed,
        "place": row.place,
        "kind": row.kind,
        "value": row.value,
    }


def _strata_to_data(row: Strata | None) -> dict[str, Any]:
    return {"rule": row.rule, "lines": row.lines} if row else {}


def _lock_event(event: Event) -> Event:
    # Two directors, or a double click, may submit the same page at once.
    rows = Event.objects.select_for_update(of=("self",)).select_related("club", "terms")
    return rows.get(pk=event.pk)
