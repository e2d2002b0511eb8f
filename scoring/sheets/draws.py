"""The drawn rounds: the matches, their tables and reasons, by table and by name."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from clubs.audit import describe_author
from clubs.name_folding import fold_name
from printing.values import Heading
from scoring.secrecy import can_see_results, can_see_standings
from scoring.session_snapshot import SeatedTable, SessionSnapshot
from scoring.sheets.headings import build_heading
from scoring.sheets.short_names import list_names_by_partner
from tournaments.models import SeatingChange, Section
from tournaments.seating_snapshot import read_withdrawn_places
from tournaments.swiss import reasons, rounds
from tournaments.swiss.plan import SwissPlan, read_plan


@dataclass(frozen=True, slots=True)
class DrawnMatch:
    """One match of a round: its tables, its two sides, and the reason for the pairing."""

    table: str  # "7", for teams "7–8"
    ns: int
    ns_name: str
    ew: int
    ew_name: str
    reason: str


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """One entry's seat in a round, in the list by name."""

    name: str
    number: int
    table: str  # "" for a sit-out
    side: str
    opponents: str
    reason: str


@dataclass(frozen=True, slots=True)
class DrawnRound:
    """A drawn round: its matches, its entries by name, and the record of the draw."""

    heading: Heading
    round: int
    section: str
    matches: tuple[DrawnMatch, ...]
    lines: tuple[DrawnLine, ...]  # by name
    sit_out: tuple[tuple[int, str, str], ...]  # number, name, reason
    seed: str
    sha256: str
    at: datetime | None = None
    by: str = ""
    change: int = 0  # the primary key of its change; 0 for the first round
    is_told: bool = False  # drawn before a correction, with a note in the list
    is_begun: bool = False
    halves: int = 1  # the number of section rounds that it takes
    has_three: bool = False  # whether three play each other

    @property
    def sitting_out(self) -> tuple[int, ...]:
        """The numbers of the entries that sit out."""
        return tuple(number for number, _name, _reason in self.sit_out)

    @property
    def change_to_undo(self) -> int | None:
        """The primary key of the seating change that drew the round; None for round 1."""
        return self.change or None

    @property
    def rounds(self) -> range:
        """The rounds of the section's movement in which the drawn round is played."""
        return range(self.round, self.round + self.halves)

    @property
    def lines_by_name(self) -> list[DrawnLine]:
        """Return the lines sorted by surname; an entry appears once for each of its players."""
        lines = [
            replace(line, name=name)
            for line in self.lines
            for name in list_names_by_partner(line.name)
        ]
        return sorted(lines, key=lambda line: fold_name(line.name))

    @property
    def title(self) -> str:
        """The title of the round."""
        if self.halves == 1:
            return _("Round %(round)s") % {"round": self.round}
        title = _("Rounds %(first)s and %(last)s")
        return title % {"first": self.round, "last": self.rounds[-1]}

    @property
    def note(self) -> str:
        """The note below the list: about halves, three-way matches, and corrected scores."""
        notes = []
        if self.halves > 1:
            notes.append(_("Each match has two halves of one round each."))
        if self.has_three:
            notes.append(
                _("In three-way matches N-S stay, E-W move down one table, boards move up one.")
            )
        if self.is_told:
            notes.append(_("Drawn before a score was corrected (draw kept)."))
        return " ".join(notes)


def load_drawn_rounds(snapshot: SessionSnapshot) -> list[DrawnRound]:
    """Load all drawn rounds in force, the last first; one query, or none without a draw."""
    drawn_sections = [section for section in snapshot.sections if read_plan(section.options)]
    if not drawn_sections:
        return []
    changes = snapshot.session.changes.filter(undone_at=None, what__kind="drawn")
    changes_by_round = {
        (seating_change.before["letter"], seating_change.what["round"]): seating_change
        for seating_change in changes
    }
    return [
        _build_drawn_round(
            snapshot, section, number, changes_by_round.get((section.letter, number))
        )
        for section in drawn_sections
        for number in _list_first_rounds(section)
    ]


def _list_first_rounds(section: Section) -> list[int]:
    """List the numbers of the section rounds that start a drawn round, the last first."""
    plan = read_plan(section.options)
    step = plan.halves if plan else 1
    return list(range(1, section.rounds + 1, step))[::-1]


def load_last_drawn_rounds(snapshot: SessionSnapshot) -> list[DrawnRound]:
    """Load the last drawn round of each section."""
    last: dict[str, DrawnRound] = {}
    for drawn_round in load_drawn_rounds(snapshot):
        last.setdefault(drawn_round.section, drawn_round)
    return list(last.values())


def load_last_public_drawn_rounds(snapshot: SessionSnapshot) -> list[DrawnRound]:
    """Load the last drawn round of each section, with reasons only if the scores in them are
    public.
    """
    return [
        drawn_round
        if _can_show_reasons(snapshot, drawn_round)
        else _remove_reasons(drawn_round)
        for drawn_round in load_last_drawn_rounds(snapshot)
    ]


def _remove_reasons(drawn_round: DrawnRound) -> DrawnRound:
    return replace(
        drawn_round, lines=tuple(replace(line, reason="") for line in drawn_round.lines)
    )


def _can_show_reasons(snapshot: SessionSnapshot, drawn_round: DrawnRound) -> bool:
    """Return whether the scores behind a draw are public; the first round has none.

    A draw with missing results used parts of rounds, which reveal single boards. A draw also
    used all results of another session that is still in play.
    """
    if not drawn_round.change:
        return True
    event = snapshot.session.event
    other_sessions = (
        session for session in event.sessions.all() if session.pk != snapshot.session.pk
    )
    if any(session.state == session.State.OPEN for session in other_sessions):
        return False
    plans = {section.letter: read_plan(section.options) for section in snapshot.sections}
    plan = plans[drawn_round.section]
    until = plan.last_of(plan.counts_until(plan.drawn_in(drawn_round.round))) if plan else 0
    before = (
        seated_table
        for seated_table in snapshot.tables
        if seated_table.section == drawn_round.section and seated_table.round <= until
    )
    return can_see_standings(event) and all(
        can_see_results(snapshot, board)
        for table in before
        if table.is_played
        for board in table.boards
    )


def _build_drawn_round(
    snapshot: SessionSnapshot, section: Section, number: int, change: SeatingChange | None
) -> DrawnRound:
    """Load a drawn round, with the stored reasons of its draw."""
    record = _get_draw_record(section, number, change)
    names = {place.entry.number: place.entry.name for place in snapshot.places if place.entry}
    plan = read_plan(section.options)
    own = [
        seated_table
        for seated_table in snapshot.tables
        if seated_table.section == section.letter and seated_table.is_played
    ]
    tables = [seated_table for seated_table in own if seated_table.round == number]
    halves = plan.halves if plan else 1
    draw_tables = [
        seated_table for seated_table in own if number <= seated_table.round < number + halves
    ]
    draw_reasons = _build_reasons(record, names)
    if plan is not None and not record["sha256"]:
        record |= _derive_draw_record(snapshot, section, plan, number, draw_tables)
    of_bracket = _get_bracket_title(record)
    matches = _build_matches(
        snapshot, tables, draw_reasons, of_bracket, record.get("three_way", ())
    )
    known_reasons = draw_reasons if record["sha256"] else None  # else the reasons are unknown
    playing = {entry for match in matches for entry in (match.ns, match.ew)}
    sitting_out = tuple(
        (entry, names.get(entry, ""), _explain_sit_out(known_reasons, entry, of_bracket))
        for entry in record["sit_out"]
        if entry not in playing
    )
    return DrawnRound(
        heading=build_heading(snapshot.session, section.letter, len(snapshot.sections)),
        round=number,
        section=section.letter,
        matches=matches,
        lines=_build_lines(matches, sitting_out),
        sit_out=sitting_out,
        seed=record["input"]["seed"],
        sha256=record["sha256"],
        at=change.at if change else None,
        by=describe_author(change.by) if change else "",
        change=change.pk if change else 0,
        is_told=bool(change and change.what.get("told")),
        is_begun=any(
            snapshot.has_result_or_ruling(table, board)
            for table in draw_tables
            for board in table.boards
        ),
        halves=halves,
        has_three=bool(record.get("three_way")),
    )


def _get_bracket_title(record: Mapping[str, Any]) -> str:
    """Return the title of the bracket round that is played; empty in a Swiss round."""
    round_ = record.get("knockout")
    return _("Knock-out, round %(round)s") % {"round": round_} if round_ else ""


def _derive_draw_record(
    snapshot: SessionSnapshot,
    section: Section,
    plan: SwissPlan,
    number: int,
    tables: Sequence[SeatedTable],
) -> dict[str, Any]:
    """Derive a draw that is not stored from the seating, e.g. for an imported event.

    Entries without a table sit out, except those that withdrew; in a bracket only byes sit out.
    """
    opponents_by_entry: dict[int, set[int]] = {}
    for table in tables:
        ns, ew = table.ns.entries[0], table.ew.entries[0]
        opponents_by_entry.setdefault(ns, set()).add(ew)
        opponents_by_entry.setdefault(ew, set()).add(ns)
    drawn_round = plan.drawn_in(number)
    sitting_out = _find_present_entries(snapshot, section, number) - set(opponents_by_entry)
    round_ = {"knockout": (drawn_round - 1) // plan.segments + 1} if plan.knockout else {}
    return {
        "three_way": [entry for entry, others in opponents_by_entry.items() if len(others) > 1],
        "sit_out": sorted(sitting_out) if drawn_round == 1 or not plan.knockout else [],
        **round_,
    }


def _find_present_entries(snapshot: SessionSnapshot, section: Section, number: int) -> set[int]:
    """Return the entries of a section in a round, without those that withdrew before."""
    withdrawn_places = {
        place
        for place, withdrawal_round in read_withdrawn_places(section.options).items()
        if withdrawal_round <= number
    }
    places = [
        place for place in snapshot.places if place.section_id == section.pk and place.entry
    ]
    withdrawn = {
        place.entry.number
        for place in places
        if place.entry and place.number in withdrawn_places
    }
    later = {
        entry
        for table in snapshot.tables
        if table.section == section.letter and table.round >= number and table.is_played
        for entry in (*table.ns.entries, *table.ew.entries)
    }
    return {place.entry.number for place in places if place.entry} - (withdrawn - later)


def _explain_sit_out(
    draw_reasons: reasons.DrawReasons | None, one: int, of_bracket: str
) -> str:
    if of_bracket:
        return _("bye: goes through without a match")
    return draw_reasons.of_sit_out(one) if draw_reasons and one in draw_reasons.entries else ""


def _get_draw_record(
    section: Section, number: int, change: SeatingChange | None
) -> dict[str, Any]:
    """Return the stored record of a draw; copied and imported events lack some parts of it."""
    if change is not None:
        return dict(change.what["draw"])
    first: dict[str, Any] = section.options["swiss"]["first"]
    if number == 1:
        return dict(first)
    empty_input = first["input"] | {"round": number, "seed": "", "history": []}
    return {"input": empty_input, "pairings": [], "sit_out": [], "sha256": ""}


def _build_reasons(record: Mapping[str, Any], names: Mapping[int, str]) -> reasons.DrawReasons:
    """Return the sentences that explain a stored draw."""
    field = rounds.build_named_field(record["input"], names)
    pairs = [(ns, ew) for _table, ns, ew in record["pairings"]]
    return reasons.DrawReasons(field, pairs, by_seeds=bool(pairs) and not record["objective"])


def _build_matches(
    snapshot: SessionSnapshot,
    tables: list[SeatedTable],
    draw_reasons: reasons.DrawReasons,
    of_bracket: str = "",
    three_way: Collection[int] = (),
) -> tuple[DrawnMatch, ...]:
    """Return the matches as seated; in a team event both tables are one match."""
    matches: dict[frozenset[int], DrawnMatch] = {}
    for table in tables:
        ns, ew = table.ns.entries[0], table.ew.entries[0]
        entry_pair = frozenset((ns, ew))
        if entry_pair in matches:
            first_match = matches[entry_pair]
            both_tables = f"{first_match.table}–{table.label}"
            matches[entry_pair] = DrawnMatch(
                both_tables,
                first_match.ns,
                first_match.ns_name,
                first_match.ew,
                first_match.ew_name,
                first_match.reason,
            )
            continue
        names = (_format_entry_name(snapshot, ns), _format_entry_name(snapshot, ew))
        reason = _("Changed after the draw.") if draw_reasons.against else of_bracket
        if draw_reasons.against.get(ns) == ew:
            reason = of_bracket or draw_reasons.of(ns, ew)
        if entry_pair <= set(three_way):
            reason = _("Three-way: each plays half a match against both others.")
        matches[entry_pair] = DrawnMatch(table.label, ns, names[0], ew, names[1], reason)
    return tuple(matches.values())


def _format_entry_name(snapshot: SessionSnapshot, number: int) -> str:
    entries = (place.entry for place in snapshot.places if place.entry)
    return next((entry.name for entry in entries if entry.number == number), "")


def _build_lines(
    matches: tuple[DrawnMatch, ...], sitting_out: tuple[tuple[int, str, str], ...]
) -> tuple[DrawnLine, ...]:
    lines = [
        DrawnLine(name, number, "", "", "", reason) for number, name, reason in sitting_out
    ]
    for match in matches:
        is_at_two = "–" in match.table
        sides = (_("home"), _("away")) if is_at_two else (_("N-S"), _("E-W"))
        ns, ew = (
            f"{number} {name}"
            for number, name in ((match.ns, match.ns_name), (match.ew, match.ew_name))
        )
        lines.append(
            DrawnLine(match.ns_name, match.ns, match.table, sides[0], ew, match.reason)
        )
        lines.append(
            DrawnLine(match.ew_name, match.ew, match.table, sides[1], ns, match.reason)
        )
    return tuple(sorted(lines, key=lambda line: fold_name(line.name)))
