"""Services that set the rule for an event's finals, and draw the finals by that rule."""

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
from tournaments.errors import ActionUnavailable
from tournaments.models import Entry, Event, Session
from tournaments.services.entries import create_entries
from tournaments.services.events import archive_event
from tournaments.services.seats import set_stationary_wishes
from tournaments.services.second_play import set_second_play
from tournaments.services.trumps import set_trumps
from tournaments.stages.advancement import Advancement
from tournaments.stages.rules import FinalsCriterion, StageRules, assign_to_finals, read_rules

STAGE_SUBJECT = ("stage",)
"""The undo subject of all changes to the finals: they can only be undone in reverse order."""


@transaction.atomic
def set_stage_rules(*, event: Event, stage_rules: StageRules | None, by: Actor) -> Stage | None:
    """Set the rule that assigns entries to finals by rank; None removes it.

    If the rule has no seed for breaking ties, one is generated and stored. Raises StageRefused
    after the finals are drawn.
    """
    event = _lock_event(event)
    stage = Stage.objects.filter(event=event).first()
    if stage is not None and stage.drawn_at is not None:
        raise StageRefused(_("The finals are drawn. Undo the draw first."))
    former_rule_data = stage.rule if stage else None
    new_rule_data = _add_lot_seed(stage_rules, former_rule_data)
    if new_rule_data == former_rule_data:
        return stage
    if stage_rules is not None and stage_rules.criterion is FinalsCriterion.STRATA:
        _check_strata(event, stage_rules)
    if new_rule_data is None:
        Stage.objects.filter(event=event).delete()
        stage = None
    else:
        stage, _is_new = Stage.objects.update_or_create(
            event=event, defaults={"rule": new_rule_data}
        )
    audit.record(
        by,
        "stage.settled",
        subject=event,
        before={"stage": former_rule_data} if former_rule_data else None,
        after={"stage": new_rule_data} if new_rule_data else None,
        undo=Undo(STAGE_SUBJECT, "stage.settle", {"rule": former_rule_data}),
    )
    return stage


def _add_lot_seed(
    stage_rules: StageRules | None, former_rule_data: Mapping[str, Any] | None
) -> dict[str, Any] | None:
    if stage_rules is None:
        return None
    lot_seed = (
        stage_rules.lot_seed or (former_rule_data or {}).get("lot", "") or secrets.token_hex(8)
    )
    return stage_rules.as_data() | {"lot": lot_seed}


def _check_strata(event: Event, stage_rules: StageRules) -> None:
    stratum_names = (
        [stratum_name for stratum_name, _minimum_rating in event.strata.lines]
        if hasattr(event, "strata")
        else []
    )
    unknown_stratum_names = [
        stratum_name
        for stratum_name, _size in stage_rules.finals
        if stratum_name not in stratum_names
    ]
    if unknown_stratum_names:
        raise StageRefused(
            _("Stratum %(name)s not found. Create the strata first, or use: %(names)s.")
            % {"name": unknown_stratum_names[0], "names": ", ".join(stratum_names) or "–"}
        )


def assign_entries_to_finals(event: Event, stage_rules: StageRules) -> list[Advancement]:
    """Return the final of each entry, from the current standings; executes three queries."""
    placed_entries = overall_order.load_placed_entries(event)
    tied_entry_numbers_by_place = [
        [placed_entry.entry_number for placed_entry in tied_entries]
        for tied_entries in overall_order.group_tied_entries(placed_entries)
    ]
    entries_by_section: dict[str, list[int]] = {}
    for placed_entry in placed_entries:
        entries_by_section.setdefault(placed_entry.section_letter, []).append(
            placed_entry.entry_number
        )
    stratum_by_entry = (
        overall_order.load_strata(event)
        if stage_rules.criterion is FinalsCriterion.STRATA
        else {}
    )
    return assign_to_finals(
        stage_rules,
        tied_entry_numbers_by_place,
        entry_ids_by_section=list(entries_by_section.values()),
        stratum_by_entry=stratum_by_entry,
    )


@transaction.atomic
def draw_finals(*, event: Event, date: Date | None = None, by: Actor) -> Stage:
    """Create the finals, each an event with its entries in the order of the ranking.

    This fixes the entries of each final. Idempotent. Raises StageRefused without a rule, and
    ActionUnavailable before every session is closed.
    """
    event = _lock_event(event)
    stage = Stage.objects.filter(event=event).first()
    if stage is None:
        raise StageRefused(_("Choose the rule for the finals first."))
    if stage.drawn_at is not None:
        return stage
    if event.sessions.exclude(state=Session.State.CLOSED).exists():
        raise ActionUnavailable(_("Qualifying isn’t over. Close every session first."))
    stage_rules = read_rules(stage.rule)
    # Recompute now, because the draw must use scores whose recomputation is still queued.
    standings.update_standings(event)
    qualifiers = assign_entries_to_finals(event, stage_rules)
    finals_and_qualifiers = [
        (final_name, qualifiers_of_final)
        for final_name, _size in stage_rules.finals
        if (
            qualifiers_of_final := [
                advancement for advancement in qualifiers if advancement.final == final_name
            ]
        )
    ]
    undersized_final_name = next(
        (
            final_name
            for final_name, qualifiers_of_final in finals_and_qualifiers
            if len(qualifiers_of_final) < 2
        ),
        "",
    )
    if undersized_final_name or not finals_and_qualifiers:
        raise StageRefused(
            _("%(final)s has fewer than two qualifiers. Change the numbers.")
            % {"final": undersized_final_name or stage_rules.finals[0][0]}
        )
    stage.drawn_at, stage.drawn = (
        timezone.now(),
        [_build_qualifier_data(advancement) for advancement in qualifiers],
    )
    stage.save(update_fields=["drawn_at", "drawn"])
    score_and_board_count_by_entry = {
        placed_entry.entry_number: (placed_entry.score_above_average, placed_entry.board_count)
        for placed_entry in overall_order.load_placed_entries(event)
    }
    for final_order, (final_name, qualifiers_of_final) in enumerate(
        finals_and_qualifiers, start=1
    ):
        _create_final(
            stage,
            final_order,
            final_name,
            qualifiers_of_final,
            score_and_board_count_by_entry,
            date or event.date,
            by,
        )
    audit.record(
        by,
        "stage.drawn",
        subject=event,
        after={
            "finals": {
                final_name: len(qualifiers_of_final)
                for final_name, qualifiers_of_final in finals_and_qualifiers
            }
        },
        undo=Undo(STAGE_SUBJECT, "stage.undraw"),
    )
    return stage


@transaction.atomic
def undo_finals(*, event: Event, by: Actor) -> None:
    """Undo the drawing of finals: archive their events, so that they can be drawn again.

    Raises ActionUnavailable after play has begun in one of them.
    """
    event = _lock_event(event)
    stage = Stage.objects.filter(event=event, drawn_at__isnull=False).first()
    if stage is None:
        return
    finals = list(stage.finals.select_related("event__club"))
    for final in finals:
        if final.event.sessions.exclude(state=Session.State.PLANNED).exists():
            raise ActionUnavailable(
                _("%(final)s has begun, so the draw can’t be undone.")
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
        undo=Undo(STAGE_SUBJECT, "stage.draw"),
        after={"finals": {}},
    )


def copy_event(
    *,
    event: Event,
    name: str,
    date: Date,
    entries: Sequence[Entry],
    should_renumber_seeds: bool = True,
    form_key: str | None = None,
    by: Actor,
) -> Event:
    """Create an event for some entries of `event`, with the terms of `event`.

    The entries are numbered in the given order.
    With `should_renumber_seeds`, the first entry becomes the first seed, and so on. Otherwise
    the entries keep their seeds.
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
    if not event.has_turn_up:
        set_trumps(event=new_event, trumps=event.trumps, is_agreed=True, by=by)
    if event.other_suits:
        set_second_play(event=new_event, other_suits=True, by=by)
    set_scoring_terms(event=new_event, **(build_terms_arguments(event) | {"across": ()}), by=by)
    entry_rows, name_by_number = [], {}
    for entry in entries:
        players = [
            membership.player for membership in entry.memberships.select_related("player")
        ]
        entry_rows.append((str(entry.number), [player.name for player in players]))
        name_by_number[str(entry.number)] = entry.name
    team_names = name_by_number if event.contest == Event.Contest.TEAMS else {}
    new_entries = create_entries(
        event=new_event, rows=entry_rows, team_names_by_position=team_names, by=by
    )
    set_stationary_wishes(
        entries=new_entries,
        stationary_numbers=[
            new_entry.number
            for new_entry, old_entry in zip(new_entries, entries, strict=True)
            if old_entry.stays_seated
        ],
        by=by,
    )
    _copy_profiles(entries, new_entries, should_renumber_seeds=should_renumber_seeds)
    return new_event


def _copy_profiles(
    entries: Sequence[Entry], new_entries: Sequence[Entry], *, should_renumber_seeds: bool
) -> None:
    profile_by_entry = {
        entry_profile.entry_id: entry_profile
        for entry_profile in EntryProfile.objects.filter(entry__in=entries)
    }
    new_profiles = []
    for seed_number, (old_entry, new_entry) in enumerate(
        zip(entries, new_entries, strict=True), start=1
    ):
        old_profile = profile_by_entry.get(old_entry.pk)
        if old_profile is None and not should_renumber_seeds:
            continue
        profile_data = (old_profile or EntryProfile()).to_data() | (
            {"seed": seed_number} if should_renumber_seeds else {}
        )
        new_profiles.append(EntryProfile(entry=new_entry, **profile_data))
    EntryProfile.objects.bulk_create(new_profiles)


def _create_final(
    stage: Stage,
    final_order: int,
    name: str,
    qualifiers: Sequence[Advancement],
    score_and_board_count_by_entry: Mapping[int, tuple[Any, int]],
    date: Date,
    by: Actor,
) -> None:
    qualifying_event = stage.event
    entries_by_number = {entry.number: entry for entry in qualifying_event.entries.all()}
    entries = [entries_by_number[advancement.entry_id] for advancement in qualifiers]
    event = copy_event(
        event=qualifying_event,
        name=f"{qualifying_event.name}: {name}",
        date=date,
        entries=entries,
        by=by,
    )
    final = Final(stage=stage, order=final_order, name=name, event=event)
    final.brought = {
        str(final_entry_number): {"from": advancement.entry_id}
        for final_entry_number, advancement in enumerate(qualifiers, start=1)
    }
    final.brought = build_qualifying_data(final, dict(score_and_board_count_by_entry))
    final.save()
    Event.objects.filter(pk=event.pk).update(numbers_stand=True)
    enqueue_recomputation(event)


def _build_qualifier_data(advancement: Advancement) -> dict[str, Any]:
    return {
        "entry": advancement.entry_id,
        "final": advancement.final,
        "place": advancement.place,
        "by_lot": advancement.is_by_lot,
        "moved_up": advancement.is_moved_up,
    }


def _lock_event(event: Event) -> Event:
    # Two directors, or a double click, may submit the same page at once.
    events = Event.objects.select_for_update(of=("self",)).select_related("club", "terms")
    return events.get(pk=event.pk)
