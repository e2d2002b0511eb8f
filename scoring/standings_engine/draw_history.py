"""The matches and sit-outs of rounds drawn earlier, as input for the next draw."""

from collections.abc import Collection, Sequence
from typing import Any

from scoring.standings_engine.result_lines import EventRows
from tournaments.models import Section, Session
from tournaments.movements.drawn_rounds import DRAWN_MOVEMENT_NAME
from tournaments.swiss.plan import SwissPlan, read_plan

DrawHistory = list[dict[str, Any]]
"""The earlier rounds, in the input format of a draw."""


def load_draw_history(
    session: Session, event_rows: EventRows, present_entry_numbers: Collection[int]
) -> DrawHistory:
    """Return the Swiss rounds of earlier sessions, each with the number of its session.

    Rounds of a bracket are left out.
    """
    sections = Section.objects.filter(
        session__event=session.event_id,
        session__number__lt=session.number,
        movement=DRAWN_MOVEMENT_NAME,
    )
    history: DrawHistory = []
    for section in sections.select_related("session__event").order_by("session__number"):
        plan = read_plan(section.options)
        if plan is not None and not plan.knockout:
            session_number = section.session.number
            history += [
                draw_row | {"session": session_number}
                for draw_row in build_section_rounds(
                    section, plan, event_rows, present_entry_numbers
                )
            ]
    return history


def build_section_rounds(
    section: Section,
    plan: SwissPlan,
    event_rows: EventRows,
    present_entry_numbers: Collection[int],
) -> DrawHistory:
    """Return the drawn rounds of a section, restricted to the entries `present_entry_numbers`.

    If an entry has two opponents in one draw, as in a three-way match, several rows are
    returned for that draw.
    """
    meetings_by_draw: dict[int, dict[frozenset[int], dict[str, int]]] = {}
    entries_by_draw = _load_drawn_entries(section, plan)
    table_number_by_sitting = dict(section.sittings.values_list("pk", "table"))
    for sitting_id, sitting_sides in event_rows.sides_by_sitting.items():
        if sitting_sides.section_pk != section.pk or not sitting_sides.is_played:
            continue
        ns_entry, ew_entry, table_number = (
            sitting_sides.ns[0],
            sitting_sides.ew[0],
            table_number_by_sitting[sitting_id],
        )
        if section.session.event.contest == "teams":
            table_number = (table_number + 1) // 2
        pairing = {"ns": ns_entry, "ew": ew_entry, "table": table_number}
        pairings_by_entry_pair = meetings_by_draw.setdefault(
            plan.find_drawn_round(sitting_sides.round_number), {}
        )
        pairings_by_entry_pair.setdefault(frozenset((ns_entry, ew_entry)), pairing)
    draw_rows = []
    for draw_number in sorted(meetings_by_draw):
        paired_entry_numbers = {
            entry_number
            for entry_pair in meetings_by_draw[draw_number]
            for entry_number in entry_pair
        }
        unpaired_entry_numbers = [
            entry_number
            for entry_number in entries_by_draw.get(draw_number, ())
            if entry_number in present_entry_numbers
            and entry_number not in paired_entry_numbers
        ]
        present_pairings = [
            pairing
            for entry_pair, pairing in meetings_by_draw[draw_number].items()
            if entry_pair <= set(present_entry_numbers)
        ]
        for pairings in _split_repeated_entries(present_pairings):
            draw_rows.append(
                {"round": draw_number, "pairings": pairings, "sit_out": unpaired_entry_numbers}
            )
            unpaired_entry_numbers = []
    return draw_rows


def _split_repeated_entries(pairings: Sequence[dict[str, int]]) -> list[list[dict[str, int]]]:
    """Split matches into lists in which each entry occurs once at most."""
    pairing_lists: list[list[dict[str, int]]] = []
    for new_pairing in pairings:
        entry_pair = {new_pairing["ns"], new_pairing["ew"]}
        open_lists = (
            pairing_list
            for pairing_list in pairing_lists
            if not any(
                entry_pair & {listed_pairing["ns"], listed_pairing["ew"]}
                for listed_pairing in pairing_list
            )
        )
        available_list = next(open_lists, None)
        if available_list is None:
            pairing_lists.append([new_pairing])
        else:
            available_list.append(new_pairing)
    return pairing_lists


def _load_drawn_entries(section: Section, plan: SwissPlan) -> dict[int, list[int]]:
    """Return the entries of each draw in force, including sit-outs, by the number of the
    draw.

    An entry also sat out if it was drawn but has no match, because its opponent withdrew.
    """
    entries_by_draw = {
        1: _list_drawn_entries(section.options[DRAWN_MOVEMENT_NAME].get("first", {}))
    }
    draws = section.session.changes.filter(
        undone_at=None, what__kind="drawn", before__letter=section.letter
    )
    for draw_data in draws.values_list("what", flat=True):
        entries_by_draw[plan.find_drawn_round(draw_data["round"])] = _list_drawn_entries(
            draw_data["draw"]
        )
    if plan.get_last_section_round(len(entries_by_draw)) < section.rounds:
        # A copied evening has the seats of its rounds, but not the records of their draws.
        entries_by_draw = {
            plan.find_drawn_round(round_number): unpaired_entry_numbers
            for round_number, unpaired_entry_numbers in _find_unseated_entries(section).items()
        } | entries_by_draw
    return entries_by_draw


def _list_drawn_entries(draw_data: dict[str, Any]) -> list[int]:
    """Return all entries of a draw, with the sit-outs first."""
    paired_entry_numbers = sorted(
        entry_number
        for _table, *entry_pair in draw_data.get("pairings", ())
        for entry_number in entry_pair
    )
    return [
        *draw_data.get("sit_out", ()),
        *paired_entry_numbers,
        *draw_data.get("three_way", ()),
    ]


def _find_unseated_entries(section: Section) -> dict[int, list[int]]:
    """Return the entries without a table in each round."""
    seated_places_by_round: dict[int, set[int]] = {
        round_number: set() for round_number in range(1, section.rounds + 1)
    }
    for sitting_row in section.sittings.values_list("round", "north", "east"):
        seated_places_by_round[sitting_row[0]].update(sitting_row[1:])
    entry_by_place = dict(
        section.places.filter(entry__isnull=False).values_list("pk", "entry__number")
    )
    entries_by_round = {
        round_number: {
            entry_by_place[place_id] for place_id in place_ids if place_id in entry_by_place
        }
        for round_number, place_ids in seated_places_by_round.items()
    }
    return {
        round_number: sorted(set(entry_by_place.values()) - seated_entry_numbers)
        for round_number, seated_entry_numbers in entries_by_round.items()
    }
