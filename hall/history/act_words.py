"""Texts for the acts in the history (audit log) and for their values."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from django.db import models
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubs.activities.history import CHECK_IN_TITLES
from clubs.audit import AuditData
from clubs.models import Act, Membership, Player
from drives.models import HouseTerms
from drives.sheets.point_changes import format_changed_points, format_legacy_changes
from hall.history.club_values import (
    CLUB_VALUE_FORMATTERS,
    FEE_NAMES,
    Formatter,
    format_choice,
    format_day,
    format_fees,
    format_method,
)
from scoring.models import Doubt, Terms
from scoring.papers import get_paper_kind_title, get_paper_kinds
from scoring.services.trays import InspectionReason, TrayPart
from scoring.sheets.rulings import describe_recorded_ruling
from scoring.sheets.terms import describe_terms
from server.formatting import format_signed
from tournaments.entry_words import get_entry_texts
from tournaments.models import Event
from tournaments.movements.formatting import format_boards_a_round, format_table
from tournaments.services.seats import (
    FAIR_DRAW_METHOD,
    LIST_ORDER_METHOD,
    MANUAL_METHOD,
    RANDOM_DRAW_METHOD,
    RESTORE_METHOD,
)
from tournaments.sheets.continuations.incident_words import describe_incident
from tournaments.sheets.continuations.titles import format_continuation_title
from tournaments.sheets.movement_names import format_movement_size, format_movement_title

TranslatedText = str | Promise

ACT_TITLES: Mapping[str, TranslatedText] = {
    "board.put_right": gettext_lazy("Board fixed"),
    "boards.added": gettext_lazy("Boards added"),
    "boards.dealt_anew": gettext_lazy("Boards dealt again"),
    "boards.filed": gettext_lazy("Dealing machine file created"),
    "boards.ordered": gettext_lazy("Boards dealt"),
    "boards.public_value": gettext_lazy("Public number entered"),
    "boards.sealed": gettext_lazy("Cards hidden from the director too"),
    "boards.set_aside": gettext_lazy("Boards set aside"),
    "boards.tables_ordered": gettext_lazy("Best play requested"),
    "challenge.approved": gettext_lazy("Query: score corrected, both sides agree"),
    "challenge.declined": gettext_lazy("Query: score kept"),
    "challenge.reopened": gettext_lazy("Query reopened"),
    "challenge.unanswered": gettext_lazy("Query: score corrected, no answer from opponents"),
    **CHECK_IN_TITLES,
    "clock.changed": gettext_lazy("Clock"),
    "club.back": gettext_lazy("Club moved back"),
    "club.congress": gettext_lazy("Congress features"),
    "club.correction_hours": gettext_lazy("Time for corrections"),
    "club.currency": gettext_lazy("Currency"),
    "club.created": gettext_lazy("Club created"),
    "club.factor": gettext_lazy("Two-step sign-in rule"),
    "club.language": gettext_lazy("Club’s language"),
    "club.logo": gettext_lazy("Club logo"),
    "club.look": gettext_lazy("Appearance"),
    "club.moved": gettext_lazy("Club moved"),
    "club.room_plan": gettext_lazy("Table plan"),
    "deal.replaced": gettext_lazy("Deal replaced"),
    "deals.entered": gettext_lazy("Hands entered"),
    "boards.shared": gettext_lazy("Boards shared with another session"),
    "entries.profiled": gettext_lazy("Seeds, ratings and tags"),
    "knockout.settled": gettext_lazy("Knock-out bracket"),
    "match.decided": gettext_lazy("Knock-out match"),
    "prizes.settled": gettext_lazy("Prizes"),
    "stage.drawn": gettext_lazy("Finals drawn"),
    "stage.settled": gettext_lazy("Qualifying rule"),
    "stage.undrawn": gettext_lazy("Undone: finals drawn"),
    "strata.settled": gettext_lazy("Strata"),
    "deals.left_out": gettext_lazy("Boards shuffled at the tables"),
    "deals.taken_back": gettext_lazy("Hands removed"),
    "deals.undecided": gettext_lazy("Dealing not decided"),
    "drive.contract_words": gettext_lazy("Contract names"),
    "drive.house_table": gettext_lazy("Points table saved"),
    "drive.house_table_deleted": gettext_lazy("Points table deleted"),
    "drive.house_terms": gettext_lazy("Defaults for drives"),
    "entry.made": gettext_lazy("%(one)s added"),
    "entry.put_back": gettext_lazy("%(one)s restored"),
    "entry.removed": gettext_lazy("%(one)s removed"),
    "entry.renamed": gettext_lazy("%(one)s renamed"),
    "entry_link.revoked": gettext_lazy("%(one)s: link cancelled"),
    "entry_links.made": gettext_lazy("Personal links created"),
    "event.brought_back": gettext_lazy("Event restored"),
    "event.changed": gettext_lazy("Event changed"),
    "event.created": gettext_lazy("Event created"),
    "event.imported": gettext_lazy("Event imported"),
    "event.put_away": gettext_lazy("Event archived"),
    "grades.constants": gettext_lazy("Grade settings changed"),
    "grades.fit": gettext_lazy("Grade settings being calculated"),
    "grades.hidden": gettext_lazy("Grade hidden"),
    "grades.set": gettext_lazy("Grades"),
    "grades.unhidden": gettext_lazy("Grade shown"),
    "hand_link.made": gettext_lazy("Link for entering hands created"),
    "hand_link.revoked": gettext_lazy("Link for entering hands cancelled"),
    "link.revoked": gettext_lazy("Link cancelled"),
    "links.made": gettext_lazy("Table QR codes created"),
    "member.added": gettext_lazy("User added"),
    "member.changed": gettext_lazy("Role changed"),
    "member.password": gettext_lazy("New password"),
    "member.removed": gettext_lazy("User removed"),
    "movement.dropped": gettext_lazy("Saved movement removed"),
    "movement.saved": gettext_lazy("Movement saved"),
    "paper.ordered": gettext_lazy("Paper printed"),
    "people.imported": gettext_lazy("People imported"),
    "people.put_back": gettext_lazy("Undone: people imported"),
    "person.forgotten": gettext_lazy("Personal data deleted"),
    "person.kept": gettext_lazy("Personal details changed"),
    "person_link.made": gettext_lazy("Personal link created"),
    "person_link.revoked": gettext_lazy("Personal link cancelled"),
    "play.recorded": gettext_lazy("Play of a board entered"),
    "play.taken_back": gettext_lazy("Play of a board removed"),
    "player.added": gettext_lazy("Player added"),
    "player.removed": gettext_lazy("Player removed"),
    "player.renamed": gettext_lazy("Player’s name corrected"),
    "player.shown": gettext_lazy("Player’s public details"),
    "players.apart": gettext_lazy("Two names kept separate"),
    "players.unclear": gettext_lazy("Two names to check again"),
    "players.merged": gettext_lazy("Players merged"),
    "players.parted": gettext_lazy("Undone: players merged"),
    "rehearsal.finished": gettext_lazy("Rehearsal fast-forwarded"),
    "rehearsal.made": gettext_lazy("Rehearsal created"),
    "rehearsal.speed": gettext_lazy("Rehearsal speed"),
    "rehearsal.thrown_away": gettext_lazy("Rehearsal deleted"),
    "result.agreed": gettext_lazy("Score confirmed by the other side"),
    "result.kept": gettext_lazy("Checked score kept"),
    "result.settled": gettext_lazy("Score decided (sides disagreed)"),
    "result.queried": gettext_lazy("Score to be checked again"),
    "result.unagreed": gettext_lazy("Score no longer confirmed"),
    "ruling.made": gettext_lazy("Ruling added"),
    "ruling.withdrawn": gettext_lazy("Ruling withdrawn"),
    "scoring.settled": gettext_lazy("Scoring changed"),
    "seating.changed": gettext_lazy("Seating changed"),
    "round.kept": gettext_lazy("Draw kept after a corrected score"),
    "seating.restored": gettext_lazy("Undone: seating change"),
    "results.destination": gettext_lazy("Server for results"),
    "results.mailed": gettext_lazy("Results sent by e-mail"),
    "results.received": gettext_lazy("Results received"),
    "results.sent": gettext_lazy("Results published"),
    "results.withdrawn": gettext_lazy("Results withdrawn"),
    "handicap.found": gettext_lazy("Handicaps recalculated"),
    "handicap.given": gettext_lazy("Handicap set by hand"),
    "handicap.settled": gettext_lazy("Season handicap rule"),
    "ladder.added": gettext_lazy("Ladder added"),
    "ladder.changed": gettext_lazy("Ladder changed"),
    "ladder.removed": gettext_lazy("Ladder removed"),
    "season.changed": gettext_lazy("Season changed"),
    "season.closed": gettext_lazy("Season closed"),
    "season.imported": gettext_lazy("Season imported"),
    "season.removed": gettext_lazy("Season removed"),
    "season.unclosed": gettext_lazy("Undone: season closed"),
    "trophy.engraved": gettext_lazy("Trophy winner added"),
    "trophy.made": gettext_lazy("Trophy added"),
    "trophy.removed": gettext_lazy("Trophy removed"),
    "trophy.unengraved": gettext_lazy("Trophy winner removed"),
    "seats.drawn": gettext_lazy("Seats drawn"),
    "second_play.settled": gettext_lazy("Second play’s suits"),
    "section.seated": gettext_lazy("Movement chosen"),
    "section.unseated": gettext_lazy("Movement cancelled"),
    "session.added": gettext_lazy("Session added"),
    "session.closed": gettext_lazy("Session closed"),
    "session.dated": gettext_lazy("Session date"),
    "session.opened": gettext_lazy("Session started"),
    "session.removed": gettext_lazy("Session removed"),
    "session.reopened": gettext_lazy("Session reopened"),
    "session.unopened": gettext_lazy("Undone: session started"),
    "standings.shown": gettext_lazy("Players see the standings"),
    "trumps.agreed": gettext_lazy("Trumps"),
    "tray.looked_at": gettext_lazy("Director looked at a board"),
    "wish.changed": gettext_lazy("Stationary places"),
    "attendance.dropped": gettext_lazy("Attendance removed"),
    "attendance.kind": gettext_lazy("Table money rate changed"),
    "attendance.noted": gettext_lazy("Attendance"),
    "attendance.put_back": gettext_lazy("Undone: table money"),
    "attendance.settled": gettext_lazy("Table money"),
    "booking.accepted": gettext_lazy("Partner accepted"),
    "booking.asked": gettext_lazy("Partner asked"),
    "booking.declined": gettext_lazy("Partner declined"),
    "booking.entered": gettext_lazy("Bookings entered"),
    "booking.left": gettext_lazy("Booking cancelled"),
    "booking.link": gettext_lazy("Booking link created"),
    "booking.made": gettext_lazy("Booking added"),
    "booking.paired": gettext_lazy("Two singles paired"),
    "booking.promoted": gettext_lazy("Moved up from the waiting list"),
    "booking.refused": gettext_lazy("Single declined"),
    "booking.seeks": gettext_lazy("Looking for a partner"),
    "booking.settled": gettext_lazy("Waiting list moved up"),
    "bookings.put_back": gettext_lazy("Bookings restored"),
    "fixture.cancelled": gettext_lazy("Evening cancelled"),
    "fixture.changed": gettext_lazy("Calendar: evening changed"),
    "fixture.made": gettext_lazy("Calendar: evening added"),
    "fixture.revived": gettext_lazy("Calendar: evening restored"),
    "series.changed": gettext_lazy("Series changed"),
    "series.ended": gettext_lazy("Series ended"),
    "series.filled": gettext_lazy("Evenings of a series added"),
    "series.made": gettext_lazy("Series created"),
    "series.resumed": gettext_lazy("Series resumed"),
}
"""The titles of acts, by the action code in the history."""

RETIRED_ACTS = frozenset({"grades.constants"})
"""The action codes that only older records have; the history still shows them."""

SOURCE_TEXTS: Mapping[str, TranslatedText] = {
    "api": gettext_lazy("API"),
    "file": gettext_lazy("file"),
    "pages": gettext_lazy("on screen"),
    "phone": gettext_lazy("table phone"),
    "undo": gettext_lazy("undo"),
}
"""The texts for the source of an act, by the stored code `Act.way`."""


def format_act(event: Event | None, act: Act) -> str:
    """Return the title of an act and what it changed, e.g. "Board fixed: board 5".

    `event` is None for acts of a club.
    """
    entry_words = get_entry_texts(event or Event())
    title = str(ACT_TITLES[act.action]) if act.action in ACT_TITLES else act.action
    location_text = format_act_location(act.where)
    title = title % {"one": entry_words.singular} if act.action in ACT_TITLES else title
    return f"{title}: {location_text}" if location_text else title


def format_source(act: Act) -> str:
    """Return a text that names the source of an act."""
    return str(SOURCE_TEXTS.get(act.way, act.way))


def format_act_location(location: AuditData) -> str:
    """Return a text for the part of an event or club that an act changed.

    It names the most specific part known.
    """
    for location_key, format_part in _LOCATION_FORMATTERS.items():
        if location_key in location:
            return format_part(location)
    return _format_unknown_values(location)


def format_values(act_values: AuditData, currency: str = "") -> str:
    """Return a text for the values before or after an act.

    `currency` is the code of the club's currency, e.g. "GBP".
    """
    known_value_texts = [
        VALUE_FORMATTERS[name](act_values[name])
        for name in VALUE_FORMATTERS
        if name in act_values
    ]
    unknown_values = {
        name: value
        for name, value in act_values.items()
        if name not in VALUE_FORMATTERS and name not in FEE_NAMES
    }
    all_texts = (
        *known_value_texts,
        *format_fees(act_values, currency),
        _format_unknown_values(unknown_values),
    )
    return ", ".join(text for text in all_texts if text)


def _format_unknown_values(unknown_values: AuditData) -> str:
    return ", ".join(f"{key} {value}" for key, value in sorted(unknown_values.items()))


def _format_board(location: AuditData) -> str:
    if "table" not in location:
        return _("board %(board)s") % {"board": location["board"]}
    return _("board %(board)s, round %(round)s, table %(table)s") % {
        "board": location["board"],
        "round": location["round"],
        "table": _format_table(location),
    }


def _format_table(location: AuditData) -> str:
    return format_table(location["table"], location.get("section", ""))


def _format_changed_fields(location: AuditData) -> str:
    """Return the labels of the event form's fields that an act changed."""
    fields = (*Terms._meta.fields, *Event._meta.fields)
    fields_by_name = {field.name: field for field in fields}
    return ", ".join(
        str(fields_by_name[name].verbose_name) if name in fields_by_name else name
        for name in location["fields"]
    )


def _format_entry(location: AuditData) -> str:
    return " ".join(str(location[name]) for name in ("entry", "name") if name in location)


def _format_object_name(location: AuditData) -> str:
    """Return the name of the thing that an act changed.

    The date follows if the thing is an announced evening.
    """
    day = format_day(location.get("day", ""))
    return ", ".join(text for text in (str(location["name"]), day) if text)


def _format_match(location: AuditData) -> str:
    return _("round %(round)s, match %(match)s") % {
        "round": location["round"],
        "match": location["match"],
    }


def _format_paper(paper_kind: str) -> str:
    if paper_kind in get_paper_kinds():
        return get_paper_kind_title(paper_kind)
    return paper_kind.replace("_", " ")


_LOCATION_FORMATTERS: Mapping[str, Callable[[AuditData], str]] = {
    "board": _format_board,
    "match": _format_match,
    "table": lambda location: _("table %(table)s") % {"table": _format_table(location)},
    "tables": lambda location: (
        _("tables %(tables)s") % {"tables": ", ".join(map(str, location["tables"]))}
    ),
    "sections": lambda location: (
        _("section %(letters)s") % {"letters": ", ".join(location["sections"])}
    ),
    "section": lambda location: _("section %(letters)s") % {"letters": location["section"]},
    "paper": lambda location: _format_paper(location["paper"]),
    "file": lambda location: str(location["file"]).upper(),
    "fields": _format_changed_fields,
    "entry": _format_entry,
    "login": lambda location: str(location["login"]),
    "name": _format_object_name,
    "event": lambda location: str(location["event"]),
    "session": lambda location: _("session %(number)s") % {"number": location["session"]},
}
"""Formatters for the part of an event or club that an act changed, by key.

The most specific comes first, because a board also has a session.
"""


def _build_label_formatter(codes: type[models.TextChoices]) -> Formatter:
    return lambda code: format_choice(codes, code)


def _format_seated_sections(sections: Sequence[AuditData]) -> str:
    return "; ".join(format_movement_size(section) for section in sections)


def _format_movements(sections: Sequence[AuditData]) -> str:
    return "; ".join(dict.fromkeys(format_movement_title(section) for section in sections))


def _format_seating_method(method: str) -> str:
    texts_by_method = {
        LIST_ORDER_METHOD: _("by list"),
        RANDOM_DRAW_METHOD: _("at random"),
        FAIR_DRAW_METHOD: _("fair draw"),
        MANUAL_METHOD: _("by hand"),
        RESTORE_METHOD: _("as before"),
        "seeds": _("by seeds"),
    }
    return texts_by_method.get(method, method)


def _format_board_count(board_count: int) -> str:
    return ngettext("%(count)s board", "%(count)s boards", board_count) % {"count": board_count}


def _format_result_count(result_count: int) -> str:
    text = ngettext("%(count)s result", "%(count)s results", result_count)
    return text % {"count": result_count}


def _format_entry_count(entry_count: int) -> str:
    text = ngettext("%(count)s entry", "%(count)s entries", entry_count)
    return text % {"count": entry_count}


def _format_finals(sizes_by_name: Mapping[str, int]) -> str:
    return ", ".join(f"{final_name} {size}" for final_name, size in sizes_by_name.items())


def _format_tray_part(tray_part: str) -> str:
    texts_by_part = {TrayPart.TURN_UP: _("turn-up"), TrayPart.HANDS: _("hands")}
    return texts_by_part.get(TrayPart(tray_part), tray_part)


def _format_inspection_reason(reason: str) -> str:
    return {
        InspectionReason.NOT_PLAYING: _("isn’t playing"),
        InspectionReason.SPOILED: _("deal spoiled"),
    }.get(InspectionReason(reason), reason)


def _format_clock_change(clock_change: AuditData) -> str:
    minutes = clock_change.get("minutes", 0)
    pace_text = ngettext("%(count)s minute per round", "%(count)s minutes per round", minutes)
    minutes_text = ngettext("%(count)s minute", "%(count)s minutes", abs(minutes))
    texts_by_action = {
        "set": pace_text % {"count": minutes},
        "started": _("started"),
        "goes_on": _("continued"),
        "paused": _("paused"),
        "added": minutes_text % {"count": f"{minutes:+d}"},
        "ended": _("round ended"),
        "set_back": _("reset"),
        "put_back": _("as before"),
    }
    return texts_by_action.get(clock_change["did"], str(clock_change["did"]))


VALUE_FORMATTERS: Mapping[str, Formatter] = {
    "name": str,
    "names": ", ".join,
    **CLUB_VALUE_FORMATTERS,
    "other": str,
    "new": lambda count: _("%(count)s new") % {"count": count},
    "changed": lambda count: _("%(count)s changed") % {"count": count},
    "method": format_method,
    "standings_shown": _build_label_formatter(Event.StandingsVisibility),
    "paper_size": _build_label_formatter(Event.PaperSize),
    "contract_words": _build_label_formatter(HouseTerms.ContractNameStyle),
    "points": format_legacy_changes,
    "changed_points": format_changed_points,
    "trumps": _build_label_formatter(Event.Trumps),
    "other_suits": lambda other: _("other suits") if other else _("the same suits"),
    "agreed": lambda agreed: _("all players agree") if agreed else "",
    "role": _build_label_formatter(Membership.Role),
    "shown": _build_label_formatter(Player.Shown),
    "hours": str,
    "seated": _format_seated_sections,
    "movements": _format_movements,
    "boards_a_round": format_boards_a_round,
    "how": _format_seating_method,
    "seed": lambda seed: _("draw number %(seed)s") % {"seed": seed},
    "stays": lambda stays: _("stationary") if stays else _("can move"),
    "size": _format_board_count,
    "boards": lambda numbers: (
        _("boards %(numbers)s") % {"numbers": ", ".join(map(str, numbers))}
    ),
    "boards_to": lambda last: _("up to board %(last)s") % {"last": last},
    "set": lambda ordinal: _("set %(number)s") % {"number": ordinal},
    "public_value": str,
    "entries": _format_entry_count,
    "results": _format_result_count,
    "reason": str,
    "ruling": describe_recorded_ruling,
    "scoring": describe_terms,
    "doubt": lambda doubt: _("to check") if doubt == Doubt.QUERIED else str(doubt),
    "kept": lambda mark: _("N-S %(tricks)s kept") % {"tricks": mark},
    "mark": str,
    "what": describe_incident,
    "way": format_continuation_title,
    "part": _format_tray_part,
    "ground": _format_inspection_reason,
    "clock": _format_clock_change,
    "outsiders": lambda _are: _("helpers aren’t playing"),
    "speed": str,
    "round": lambda number: _("round %(number)s") % {"number": number},
    "evening": lambda _whole: _("all rounds"),
    "count": str,
    "stage": lambda rule: ", ".join(name for name, _size in rule["finals"]),
    "finals": _format_finals,
    "strata": ", ".join,
    "margin": lambda margin: (
        _("margin %(margin)s") % {"margin": format_signed(Fraction(margin))}
    ),
    "margins": lambda margins: (
        _("margins %(margins)s")
        % {"margins": ", ".join(format_signed(Fraction(margin)) for margin in margins)}
    ),
    "by_hand": lambda _is: _("by the director"),
    "three_way": lambda _is: _("three-way matches"),
    "congress": lambda is_on: _("on") if is_on else _("off"),
    "used_by": lambda event: _("used by %(event)s") % {"event": event},
    "prizes": lambda count: (
        ngettext("%(count)s prize", "%(count)s prizes", count) % {"count": count}
    ),
}
"""The functions that format each kind of value, in the order of display."""
