"""The finals of an event: the rule, the qualifiers with reasons, and the events."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _

from scoring.models import Final, Stage
from scoring.secrecy import can_see_standings
from scoring.standings_engine.carry_over import find_final
from server import formatting
from tournaments.addresses import format_address
from tournaments.models import Event
from tournaments.stages.advancement import Advancement
from tournaments.stages.rules import describe_carry_over, read_rules


@dataclass(frozen=True, slots=True)
class QualifierRow:
    """One entry that qualifies for a final, with the reason."""

    place: int
    entry: int
    name: str
    why: str


@dataclass(frozen=True, slots=True)
class FinalGroup:
    """The qualifiers of one final, and the event of the final once it is created."""

    name: str
    rows: tuple[QualifierRow, ...]
    event: Event | None = None
    told: tuple[str, ...] = ()

    @property
    def address(self) -> str:
        """The slug of the final's event in URLs."""
        return format_address(self.event.slug, 1) if self.event else ""


@dataclass(frozen=True, slots=True)
class FinalNote:
    """A note on the page of a final about its qualifying event."""

    source: Event
    name: str
    carried: str
    changes: tuple[str, ...]


def build_final_groups(
    event: Event, qualifiers: Sequence[Advancement], stage: Stage | None = None
) -> tuple[FinalGroup, ...]:
    """Return the qualifiers by final; for a drawn stage with the events of its finals."""
    names = {entry.number: entry.name for entry in event.entries.all()}
    finals = {} if stage is None else {final.name: final for final in _list_stage_finals(stage)}
    order = dict.fromkeys(
        advancement.final
        for advancement in sorted(qualifiers, key=lambda advancement: advancement.place)
    )
    if stage is not None:
        rule = [name for name, _size in read_rules(stage.rule).finals]
        order = dict.fromkeys(name for name in rule if name in order)
    return tuple(
        FinalGroup(
            name=name,
            rows=tuple(
                QualifierRow(
                    advancement.place,
                    advancement.id,
                    names.get(advancement.id, ""),
                    _format_reason(advancement),
                )
                for advancement in qualifiers
                if advancement.final == name
            ),
            event=finals[name].event if name in finals else None,
            told=_list_changes(finals[name]) if name in finals else (),
        )
        for name in order
    )


def build_drawn_final_groups(event: Event, stage: Stage) -> tuple[FinalGroup, ...]:
    """Return the qualifiers by final from the stored draw, with the events of the finals."""
    qualifiers = [
        Advancement(
            final["entry"],
            final["final"],
            final["place"],
            by_lot=final["by_lot"],
            moved_up=final["moved_up"],
        )
        for final in stage.drawn
    ]
    return build_final_groups(event, qualifiers, stage)


def build_final_note(event: Event, *, all_results: bool = False) -> FinalNote | None:
    """Build the note on a final's pages; None for any other event.

    Changes by a correction of the qualifying are scores of that event. Everyone sees them if
    its standings may be seen, and with `all_results` the director always does.
    """
    final = find_final(event)
    if final is None:
        return None
    rule = read_rules(final.stage.rule)
    source = Event.objects.select_related("club").get(pk=final.stage.event_id)
    changes = _list_changes(final) if all_results or can_see_standings(source) else ()
    return FinalNote(source, final.name, describe_carry_over(rule.carry_over), changes)


def list_finals(event: Event) -> list[Final]:
    """Return the listed finals that were drawn from an event; one query."""
    rows = Final.objects.filter(stage__event=event, event__put_away_at=None)
    return list(rows.select_related("event"))


def _list_stage_finals(stage: Stage) -> list[Final]:
    return list(stage.finals.select_related("event__club"))


def _format_reason(qualifier: Advancement) -> str:
    lines = []
    if qualifier.by_lot:
        lines.append(_("random draw at the cut-off"))
    if qualifier.moved_up:
        lines.append(_("moved up"))
    return ", ".join(lines)


def _list_changes(final: Final) -> tuple[str, ...]:
    """Return the changes by corrections of the qualifying since play began."""
    names = {entry.number: entry.name for entry in final.event.entries.all()}
    text = _(
        "%(name)s: qualifying plus/minus corrected from %(before)s "
        "to %(after)s. The carry-forward changes, but not who "
        "qualified."
    )
    return tuple(
        text
        % {
            "name": names.get(change_kind["entry"], ""),
            "before": formatting.format_signed(Fraction(change_kind["before"])),
            "after": formatting.format_signed(Fraction(change_kind["after"])),
        }
        for change_kind in final.told
    )
