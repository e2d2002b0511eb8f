"""The matches and sit-outs of rounds drawn earlier, as input for the next draw."""

from collections.abc import Collection, Sequence
from typing import Any

from scoring.standings_engine.result_lines import EventRows
from tournaments.models import Section, Session
from tournaments.swiss.plan import SWISS, SwissPlan, read_plan

DrawHistory = list[dict[str, Any]]
"""The earlier rounds, in the input format of a draw."""


def load_earlier_rounds(
    session: Session, rows: EventRows, present_entries: Collection[int]
) -> DrawHistory:
    """Return the drawn rounds of earlier sessions with their session numbers, except
    brackets.
    """
    sections = Section.objects.filter(
        session__event=session.event_id, session__number__lt=session.number, movement=SWISS
    )
    history: DrawHistory = []
    for section in sections.select_related("session__event").order_by("session__number"):
        plan = read_plan(section.options)
        if plan is not None and not plan.knockout:
            number = section.session.number
            history += [
                row | {"session": number}
                for row in build_section_rounds(section, plan, rows, present_entries)
            ]
    return history


def build_section_rounds(
    section: Section, plan: SwissPlan, rows: EventRows, present_entries: Collection[int]
) -> DrawHistory:
    """Return the drawn rounds of a section, restricted to the entries `present_entries`.

    If an entry met two others in one draw, as in a three-way match, the draw has several rows.
    """
    meetings_by_draw: dict[int, dict[frozenset[int], dict[str, int]]] = {}
    entries_by_draw = _load_drawn_entries(section, plan)
    tables = dict(section.sittings.values_list("pk", "table"))
    for pk, sides in rows.sittings.items():
        if sides.section != section.pk or not sides.is_played:
            continue
        ns, ew, table = sides.ns[0], sides.ew[0], tables[pk]
        if section.session.event.contest == "teams":
            table = (table + 1) // 2
        row = {"ns": ns, "ew": ew, "table": table}
        of_draw = meetings_by_draw.setdefault(plan.drawn_in(sides.round), {})
        of_draw.setdefault(frozenset((ns, ew)), row)
    lines = []
    for number in sorted(meetings_by_draw):
        met_entries = {entry for meeting in meetings_by_draw[number] for entry in meeting}
        sitting_out = [
            entry_row
            for entry_row in entries_by_draw.get(number, ())
            if entry_row in present_entries and entry_row not in met_entries
        ]
        known_rows = [
            row
            for meeting, row in meetings_by_draw[number].items()
            if meeting <= set(present_entries)
        ]
        for pairings in _split_repeated_entries(known_rows):
            lines.append({"round": number, "pairings": pairings, "sit_out": sitting_out})
            sitting_out = []
    return lines


def _split_repeated_entries(rows: Sequence[dict[str, int]]) -> list[list[dict[str, int]]]:
    """Split matches into lists in which each entry occurs once at most."""
    lists: list[list[dict[str, int]]] = []
    for row in rows:
        entry_pair = {row["ns"], row["ew"]}
        free = (
            pairs
            for pairs in lists
            if not any(entry_pair & {it["ns"], it["ew"]} for it in pairs)
        )
        own = next(free, None)
        if own is None:
            lists.append([row])
        else:
            own.append(row)
    return lists


def _load_drawn_entries(section: Section, plan: SwissPlan) -> dict[int, list[int]]:
    """Return the entries of each draw in force, including sit-outs, by the number of the
    draw.

    An entry that was drawn but has no match sat out too, because its opponent withdrew.
    """
    entries_by_draw = {1: _list_drawn_entries(section.options[SWISS].get("first", {}))}
    draws = section.session.changes.filter(
        undone_at=None, what__kind="drawn", before__letter=section.letter
    )
    for draw_data in draws.values_list("what", flat=True):
        entries_by_draw[plan.drawn_in(draw_data["round"])] = _list_drawn_entries(
            draw_data["draw"]
        )
    if plan.last_of(len(entries_by_draw)) < section.rounds:
        # A copy of an evening has the rounds without their draws.
        entries_by_draw = {
            plan.drawn_in(each): sitting_out
            for each, sitting_out in _find_unseated_entries(section).items()
        } | entries_by_draw
    return entries_by_draw


def _list_drawn_entries(record: dict[str, Any]) -> list[int]:
    """Return all entries of a draw, with the sit-outs first."""
    paired_entries = sorted(
        entry for _table, *entry_pair in record.get("pairings", ()) for entry in entry_pair
    )
    return [*record.get("sit_out", ()), *paired_entries, *record.get("three_way", ())]


def _find_unseated_entries(section: Section) -> dict[int, list[int]]:
    """Return the entries without a table in each round."""
    places_by_round: dict[int, set[int]] = {
        number: set() for number in range(1, section.rounds + 1)
    }
    for row in section.sittings.values_list("round", "north", "east"):
        places_by_round[row[0]].update(row[1:])
    places = dict(section.places.filter(entry__isnull=False).values_list("pk", "entry__number"))
    playing = {
        number: {places[pk] for pk in place_keys if pk in places}
        for number, place_keys in places_by_round.items()
    }
    return {
        number: sorted(set(places.values()) - place_keys)
        for number, place_keys in playing.items()
    }
