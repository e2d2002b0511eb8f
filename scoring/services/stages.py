"""Finals, drawn from the ranking of an event by a rule that was set in advance."""

import secrets
from collections.abc import Mapping, Sequence
from datetime import date as Date
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Undo
from scoring.errors import StageRefused
from scoring.models import EntryProfile, Final, Stage
from scoring.services.events import create_event
from scoring.services.recompute import enqueue_recomputation
from scoring.services.terms import build_terms_arguments, set_scoring_terms
from scoring.standings_engine import overall_order, standings
from scoring.standings_engine.carry_over import build_qualifying_data
from tournaments.errors import NotNow
from tournaments.models import Entry, Event, Session
from tournaments.services.entries import create_entries
from tournaments.services.events import archive_event
from tournaments.services.seats import set_stationary_wishes
from tournaments.services.second_play import set_second_play
from tournaments.services.trumps import set_trumps
from tournaments.stages.advancement import Advancement
from tournaments.stages.rules import FinalsCriterion, StageRules, assign_to_finals, read_rules

STAGE_SUBJECT = ("stage",)


@transaction.atomic
def set_stage_rule(*, event: Event, rule: StageRules | None, by: Actor) -> Stage | None:
    """Set the rule by which the ranking sends entries to finals; None removes it.

    If the rule has no seed for breaking ties, one is generated and stored. Raises StageRefused
    after the finals are drawn.
    """
    event = _lock_event(event)
    stage = Stage.objects.filter(event=event).first()
    if stage is not None and stage.drawn_at is not None:
        raise StageRefused(_("The finals are drawn. Undo the draw first."))
    before = stage.rule if stage else None
    after = _add_tie_seed(rule, before)
    if after == before:
        return stage
    if rule is not None and rule.by is FinalsCriterion.STRATA:
        _check_strata(event, rule)
    if after is None:
        Stage.objects.filter(event=event).delete()
        stage = None
    else:
        stage, _is_new = Stage.objects.update_or_create(event=event, defaults={"rule": after})
    audit.record(
        by,
        "stage.settled",
        subject=event,
        before={"stage": before} if before else None,
        after={"stage": after} if after else None,
        back=Undo(STAGE_SUBJECT, "stage.settle", {"rule": before}),
    )
    return stage


def _add_tie_seed(
    rule: StageRules | None, before: Mapping[str, Any] | None
) -> dict[str, Any] | None:
    if rule is None:
        return None
    tie_seed = rule.lot or (before or {}).get("lot", "") or secrets.token_hex(8)
    return rule.as_data() | {"lot": tie_seed}


def _check_strata(event: Event, rule: StageRules) -> None:
    stratum_names = (
        [name for name, _minimum_rating in event.strata.lines]
        if hasattr(event, "strata")
        else []
    )
    unknown = [name for name, _size in rule.finals if name not in stratum_names]
    if unknown:
        raise StageRefused(
            _("Stratum %(name)s not found. Create the strata first, or use: %(names)s.")
            % {"name": unknown[0], "names": ", ".join(stratum_names) or "–"}
        )


def assign_entries_to_finals(event: Event, rule: StageRules) -> list[Advancement]:
    """Return the final of each entry by the current standings; three queries."""
    rows = overall_order.load_placed_entries(event)
    ranking = [
        [row.entry for row in shared_rows] for shared_rows in overall_order.group_by_place(rows)
    ]
    sections: dict[str, list[int]] = {}
    for row in rows:
        sections.setdefault(row.section, []).append(row.entry)
    strata = overall_order.load_strata(event) if rule.by is FinalsCriterion.STRATA else {}
    return assign_to_finals(rule, ranking, sections=list(sections.values()), strata=strata)


@transaction.atomic
def draw_finals(*, event: Event, date: Date | None = None, by: Actor) -> Stage:
    """Create the finals, each an event with its entries in the order of the ranking.

    This fixes the entries of each final. Idempotent. Raises StageRefused without a rule, and
    NotNow before every session is closed.
    """
    event = _lock_event(event)
    stage = Stage.objects.filter(event=event).first()
    if stage is None:
        raise StageRefused(_("Choose the rule for the finals first."))
    if stage.drawn_at is not None:
        return stage
    if event.sessions.exclude(state=Session.State.CLOSED).exists():
        raise NotNow(_("The qualifying isn't over. Close every session first."))
    rule = read_rules(stage.rule)
    standings.update_standings(
        event
    )  # the draw is final, so a late score must not wait for a worker
    qualifiers = assign_entries_to_finals(event, rule)
    final_events = [
        (name, final_event)
        for name, _size in rule.finals
        if (
            final_event := [
                advancement for advancement in qualifiers if advancement.final == name
            ]
        )
    ]
    short = next((name for name, final_event in final_events if len(final_event) < 2), "")
    if short or not final_events:
        raise StageRefused(
            _("%(final)s has fewer than two entries. Change the numbers.")
            % {"final": short or rule.finals[0][0]}
        )
    stage.drawn_at, stage.drawn = (
        timezone.now(),
        [_entry_to_data(advancement) for advancement in qualifiers],
    )
    stage.save(update_fields=["drawn_at", "drawn"])
    plus = {
        row.entry: (row.score_above_average, row.boards)
        for row in overall_order.load_placed_entries(event)
    }
    for place, (name, final_event) in enumerate(final_events, start=1):
        _make_final(stage, place, name, final_event, plus, date or event.date, by)
    audit.record(
        by,
        "stage.drawn",
        subject=event,
        after={"finals": {name: len(final_event) for name, final_event in final_events}},
        back=Undo(STAGE_SUBJECT, "stage.undraw"),
    )
    return stage


@transaction.atomic
def undo_finals(*, event: Event, by: Actor) -> None:
    """Undo the drawing of finals: archive their events, so that they can be drawn again.

    Raises NotNow after play has begun in one of them.
    """
    event = _lock_event(event)
    stage = Stage.objects.filter(event=event, drawn_at__isnull=False).first()
    if stage is None:
        return
    finals = list(stage.finals.select_related("event__club"))
    for final in finals:
        if final.event.sessions.exclude(state=Session.State.PLANNED).exists():
            raise NotNow(
                _("%(final)s has begun, so the draw can't be undone.")
                % {"final": final.event.name}
            )
    for final in finals:
        archive_event(event=final.event, by=by)
    stage.finals.all().delete()
    stage.drawn_at, stage.drawn = None, []
    stage.save(update_fields=["drawn_at", "drawn"])
    audit.record(
        by,
        "stage.undrawn",
        subject=event,
        back=Undo(STAGE_SUBJECT, "stage.draw"),
        after={"finals": {}},
    )


def copy_event(
    *,
    event: Event,
    name: str,
    date: Date,
    entries: Sequence[Entry],
    with_new_seeds: bool = True,
    form_key: str | None = None,
    by: Actor,
) -> Event:
    """Create an event from some entries of another, on its terms, numbered in the given
    order.

    With `with_new_seeds` the first entry is the first seed, and so on; otherwise each keeps
    its earlier seed.
    """
    new_event = create_event(
        club=event.club,
        name=name[:100],
        date=date,
        contest=event.contest,
        method=event.terms.method,
        standings_shown=event.standings_shown,
        paper_size=event.paper_size,
        most_points=event.most_points,
        form_key=form_key,
        by=by,
    )
    if not event.turns_a_card:
        set_trumps(event=new_event, trumps=event.trumps, agreed=True, by=by)
    if event.other_suits:
        set_second_play(event=new_event, other_suits=True, by=by)
    set_scoring_terms(event=new_event, **(build_terms_arguments(event) | {"across": ()}), by=by)
    rows, known_names = [], {}
    for entry in entries:
        people = [
            membership.player for membership in entry.memberships.select_related("player")
        ]
        rows.append((str(entry.number), [player.name for player in people]))
        known_names[str(entry.number)] = entry.name
    team_names = known_names if event.contest == Event.Contest.TEAMS else {}
    new = create_entries(event=new_event, rows=rows, called=team_names, by=by)
    set_stationary_wishes(
        entries=new,
        staying=[
            new_entry.number
            for new_entry, old_entry in zip(new, entries, strict=True)
            if old_entry.stays_seated
        ],
        by=by,
    )
    _copy_profiles(entries, new, with_new_seeds=with_new_seeds)
    return new_event


def _copy_profiles(
    entries: Sequence[Entry], new_entries: Sequence[Entry], *, with_new_seeds: bool
) -> None:
    profiles_by_entry = {
        entry_profile.entry_id: entry_profile
        for entry_profile in EntryProfile.objects.filter(entry__in=entries)
    }
    rows = []
    for seed, (old_entry, entry) in enumerate(zip(entries, new_entries, strict=True), start=1):
        old = profiles_by_entry.get(old_entry.pk)
        if old is None and not with_new_seeds:
            continue
        profile_data = (old or EntryProfile()).to_data() | (
            {"seed": seed} if with_new_seeds else {}
        )
        rows.append(EntryProfile(entry=entry, **profile_data))
    EntryProfile.objects.bulk_create(rows)


def _make_final(
    stage: Stage,
    place: int,
    name: str,
    qualifiers: Sequence[Advancement],
    plus: Mapping[int, tuple[Any, int]],
    date: Date,
    by: Actor,
) -> None:
    source = stage.event
    entries_by_number = {entry.number: entry for entry in source.entries.all()}
    entries = [entries_by_number[advancement.id] for advancement in qualifiers]
    event = copy_event(
        event=source, name=f"{source.name}: {name}", date=date, entries=entries, by=by
    )
    final = Final(stage=stage, order=place, name=name, event=event)
    final.brought = {
        str(number): {"from": advancement.id}
        for number, advancement in enumerate(qualifiers, start=1)
    }
    final.brought = build_qualifying_data(final, dict(plus))
    final.save()
    Event.objects.filter(pk=event.pk).update(numbers_stand=True)
    enqueue_recomputation(event)


def _entry_to_data(qualifier: Advancement) -> dict[str, Any]:
    return {
        "entry": qualifier.id,
        "final": qualifier.final,
        "place": qualifier.place,
        "by_lot": qualifier.by_lot,
        "moved_up": qualifier.moved_up,
    }


def _lock_event(event: Event) -> Event:
    # Two directors, or a double click, may submit the same page at once.
    rows = Event.objects.select_for_update(of=("self",)).select_related("club", "terms")
    return rows.get(pk=event.pk)
