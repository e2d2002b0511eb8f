"""The matches and sit-outs of rounds that were drawn before."""

from collections.abc import Collection, Sequence
from typing import Any

from scoring.reckoning.lines import EventRows
from tournaments.models import Section, Session
from tournaments.swiss.plan import SWISS, SwissPlan, read_plan

History = list[dict[str, Any]]
"""The earlier rounds in the input format of a draw."""


def history_before(session: Session, rows: EventRows, here: Collection[int]) -> History:
    """Return the drawn rounds of earlier sessions, each with its session; without brackets."""
    sections = Section.objects.filter(
        session__event=session.event_id, session__number__lt=session.number, movement=SWISS
    )
    told: History = []
    for section in sections.select_related("session__event").order_by("session__number"):
        plan = read_plan(section.options)
        if plan is not None and not plan.knockout:
            number = section.session.number
            told += [row | {"session": number} for row in history_of(section, plan, rows, here)]
    return told


def history_of(
    section: Section, plan: SwissPlan, rows: EventRows, here: Collection[int]
) -> History:
    """Return the drawn rounds of a section, limited to the entries `here` to be drawn.

    If an entry met two others in one draw, as in a three-way match, the draw has several rows.
    """
    found: dict[int, dict[frozenset[int], dict[str, int]]] = {}
    drawn = _drawn_among(section, plan)
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
    told = []
    for number in sorted(found):
        met = {one for couple in found[number] for one in couple}
        out = [each for each in drawn.get(number, ()) if each in here and each not in met]
        known = [row for couple, row in found[number].items() if couple <= set(here)]
        for pairings in _apart(known):
            told.append({"round": number, "pairings": pairings, "sit_out": out})
            out = []
    return told


def _apart(rows: Sequence[dict[str, int]]) -> list[list[dict[str, int]]]:
    """Split matches into lists in which no entry occurs twice."""
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


def _drawn_among(section: Section, plan: SwissPlan) -> dict[int, list[int]]:
    """Return the entries of each draw in force, sit-outs included, by the number of the draw.

    An entry that was drawn but has no match sat out too: its opponent withdrew.
    """
    found = {1: _among(section.options[SWISS].get("first", {}))}
    drawn = section.session.changes.filter(
        undone_at=None, what__kind="drawn", before__letter=section.letter
    )
    for what in drawn.values_list("what", flat=True):
        found[plan.drawn_in(what["round"])] = _among(what["draw"])
    if plan.last_of(len(found)) < section.rounds:
        # A copy of an evening has the rounds without their draws.
        found = {plan.drawn_in(each): out for each, out in _unseated(section).items()} | found
    return found


def _among(record: dict[str, Any]) -> list[int]:
    """Return all entries of a draw, the sit-outs first, as listed."""
    paired = sorted(one for _table, *both in record.get("pairings", ()) for one in both)
    return [*record.get("sit_out", ()), *paired, *record.get("three_way", ())]


def _unseated(section: Section) -> dict[int, list[int]]:
    """Return the entries without a table, by round."""
    seated: dict[int, set[int]] = {number: set() for number in range(1, section.rounds + 1)}
    for row in section.sittings.values_list("round", "north", "east"):
        seated[row[0]].update(row[1:])
    places = dict(section.places.filter(entry__isnull=False).values_list("pk", "entry__number"))
    playing = {
        number: {places[pk] for pk in found if pk in places} for number, found in seated.items()
    }
    return {number: sorted(set(places.values()) - found) for number, found in playing.items()}
