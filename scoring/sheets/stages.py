"""The finals of an event: the rule, the qualifiers with reasons, and the events."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _

from scoring.models import Final, Stage
from scoring.secrecy import can_see_standings
from scoring.standings_engine.carry_over import find_final
from server import formatting
from tournaments.addresses import format_event_address
from tournaments.models import Event
from tournaments.stages.advancement import Advancement
from tournaments.stages.rules import describe_carry_over, read_rules


@dataclass(frozen=True, slots=True)
class QualifierRow:
    """One entry that qualifies for a final, with the reason."""

    place: int
    entry: int
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class FinalGroup:
    """The qualifiers of one final, and the event of the final once it is created."""

    name: str
    rows: tuple[QualifierRow, ...]
    event: Event | None = None
    correction_notes: tuple[str, ...] = ()

    @property
    def address(self) -> str:
        """The slug of the final's event in URLs."""
        return format_event_address(self.event.slug, 1) if self.event else ""


@dataclass(frozen=True, slots=True)
class FinalNote:
    """A note on the page of a final about its qualifying event."""

    qualifying_event: Event
    name: str
    carry_over_text: str
    correction_sentences: tuple[str, ...]


def build_final_groups(
    event: Event, qualifiers: Sequence[Advancement], stage: Stage | None = None
) -> tuple[FinalGroup, ...]:
    """Return the qualifiers by final; for a drawn stage with the events of its finals."""
    name_by_entry = {entry.number: entry.name for entry in event.entries.all()}
    final_by_name = (
        {} if stage is None else {final.name: final for final in _list_stage_finals(stage)}
    )
    final_names = dict.fromkeys(
        advancement.final
        for advancement in sorted(qualifiers, key=lambda advancement: advancement.place)
    )
    if stage is not None:
        rule_final_names = [final_name for final_name, _size in read_rules(stage.rule).finals]
        final_names = dict.fromkeys(
            final_name for final_name in rule_final_names if final_name in final_names
        )
    return tuple(
        FinalGroup(
            name=final_name,
            rows=tuple(
                QualifierRow(
                    advancement.place,
                    advancement.entry_id,
                    name_by_entry.get(advancement.entry_id, ""),
                    _format_reason(advancement),
                )
                for advancement in qualifiers
                if advancement.final == final_name
            ),
            event=final_by_name[final_name].event if final_name in final_by_name else None,
            correction_notes=_list_carry_over_corrections(final_by_name[final_name])
            if final_name in final_by_name
            else (),
        )
        for final_name in final_names
    )


def build_final_groups_from_draw(event: Event, stage: Stage) -> tuple[FinalGroup, ...]:
    """Return the qualifiers by final from the stored draw, with the events of the finals."""
    qualifiers = [
        Advancement(
            qualifier_data["entry"],
            qualifier_data["final"],
            qualifier_data["place"],
            is_by_lot=qualifier_data["by_lot"],
            is_moved_up=qualifier_data["moved_up"],
        )
        for qualifier_data in stage.drawn
    ]
    return build_final_groups(event, qualifiers, stage)


def build_final_note(
    event: Event, *, should_include_hidden_results: bool = False
) -> FinalNote | None:
    """Build the note on a final's pages; None for any other event.

    The note lists carry-overs that were corrected. These reveal scores of the qualifying event,
    so by default they are listed only if its standings are public.
    """
    final = find_final(event)
    if final is None:
        return None
    stage_rules = read_rules(final.stage.rule)
    qualifying_event = Event.objects.select_related("club").get(pk=final.stage.event_id)
    correction_sentences = (
        _list_carry_over_corrections(final)
        if should_include_hidden_results or can_see_standings(qualifying_event)
        else ()
    )
    return FinalNote(
        qualifying_event,
        final.name,
        describe_carry_over(stage_rules.carry_over),
        correction_sentences,
    )


def list_finals(event: Event) -> list[Final]:
    """Return the finals that were drawn from an event and are not archived; one query."""
    finals = Final.objects.filter(stage__event=event, event__put_away_at=None)
    return list(finals.select_related("event"))


def _list_stage_finals(stage: Stage) -> list[Final]:
    return list(stage.finals.select_related("event__club"))


def _format_reason(advancement: Advancement) -> str:
    reasons = []
    if advancement.is_by_lot:
        reasons.append(_("random draw at the cut-off"))
    if advancement.is_moved_up:
        reasons.append(_("moved up"))
    return ", ".join(reasons)


def _list_carry_over_corrections(final: Final) -> tuple[str, ...]:
    """Return a sentence for each carry-over that was corrected after the final had begun."""
    name_by_entry = {entry.number: entry.name for entry in final.event.entries.all()}
    template = _(
        "%(name)s: qualifying plus/minus corrected from %(before)s "
        "to %(after)s. The carry-forward changes, but not who "
        "qualified."
    )
    return tuple(
        template
        % {
            "name": name_by_entry.get(change["entry"], ""),
            "before": formatting.format_signed(Fraction(change["before"])),
            "after": formatting.format_signed(Fraction(change["after"])),
        }
        for change in final.told
    )
