"""The matches and sit-outs of rounds drawn earlier, as input for the next draw."""

from collections.abc import Collection, Sequence
from typing import Any

from scoring.standings_engine.result_lines import EventRows
from tournaments.models import Section, Session
from tournaments.swiss.plan import SWISS, SwissPlan, read_plan

DrawHistory = list[dict[str, Any]]
"""The earlier rounds, in the input format of a draw."""


def load_earlier_rounds(
    session: Session, rows: EventRows, here: Collection[int]
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
                for row in build_section_rounds(section, plan, rows, here)
            ]
    return history


def build_section_rounds(
    section: Section, plan: SwissPlan, rows: EventRows, here: Collection[int]
) -> DrawHistory:
    """Return the drawn rounds of a section, restricted to the entries `here`.

    If an entry met two others in one draw, as in a three-way match, the draw has several rows.
    """
    found: dict[int, dict[frozenset[int], dict[str, int]]] = {}
    drawn = _load_drawn_entries(section, plan)
    tables = dict(section.sittings.values_list("pk", "table"))
    for pk, seated in rows.sittings.items():
        if seated.section != section.pk or not seated.is_played:
            continue
        ns, ew, table = seated.ns[0], seated.ew[0], tables[pk]
        if section.session.event.contest == "teams":
            table = (table + 1) // 2
        row = {"ns": ns, "ew": ew, "table": table}
        of_draw = found.setdefault(plan.drawn_in(seated.round), {})
        of_draw.setdefault(frozenset((ns, ew)), row)
    lines = []
    for number in sorted(found):
        met = {one for couple in found[number] for one in couple}
        out = [each for each in drawn.get(number, ()) if each in here and each not in met]
        known = [row for couple, row in found[number].items() if couple <= set(here)]
        for pairings in _split_repeated_entries(known):
            lines.append({"round": number, "pairings": pairings, "sit_out": out})
            out = []
    return lines


def _split_repeated_entries(rows: Sequence[dict[str, int]]) -> list[list[dict[str, int]]]:
    """Split matches into lists in which each entry occurs once at most."""
    lists: list[list[dict[str, int]]] = []
    for row in rows:
        both = {row["ns"], row["ew"]}
        free = (each for each in lists if not any(both & {it["ns"], it["ew"]} for it in each))
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
    found = {1: _list_drawn_entries(section.options[SWISS].get("first", {}))}
    drawn = section.session.changes.filter(
        undone_at=None, what__kind="drawn", before__letter=section.letter
    )
    for what in drawn.values_list("what", flat=True):
        found[plan.drawn_in(what["round"])] = _list_drawn_entries(what["draw"])
    if plan.last_of(len(found)) < section.rounds:
        # A copy of an evening has the rounds without their draws.
        found = {
            plan.drawn_in(each): out for each, out in _find_unseated_entries(section).items()
        } | found
    return found


def _list_drawn_entries(record: dict[str, Any]) -> list[int]:
    """Return all entries of a draw, with the sit-outs first."""
    paired = sorted(one for _table, *both in record.get("pairings", ()) for one in both)
    return [*record.get("sit_out", ()), *paired, *record.get("three_way", ())]


def _find_unseated_entries(section: Section) -> dict[int, list[int]]:
    """Return the entries without a table in each round."""
    seated: dict[int, set[int]] = {number: set() for number in range(1, section.rounds + 1)}
    for row in section.sittings.values_list("round", "north", "east"):
        seated[row[0]].update(row[1:])
    places = dict(section.places.filter(entry__isnull=False).values_list("pk", "entry__number"))
    playing = {
        number: {places[pk] for pk in found if pk in places} for number, found in seated.items()
    }
    return {number: sorted(set(places.values()) - found) for number, found in playing.items()}
