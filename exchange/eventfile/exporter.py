"""Exports an event as an event file, from which an import creates an equal event."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from boards.whist import Deal, WhistError
from boards.whist.notation import format_hands
from exchange.eventfile.reader import EVENT_FILE_FORMAT
from exchange.eventfile.sections import build_movement
from exchange.eventfile.stage_rows import export_profiles, export_strata_and_stages
from exchange.eventfile.strays import list_stray_boards
from exchange.eventfile.values import DEFAULT_SETTINGS, SCORING_TERM_NAMES
from scoring.models import Outcome, Result, Ruling
from scoring.secrecy import can_see_hands
from scoring.standings_engine.scores import find_scoring_method
from tournaments.board_counts import count_boards
from tournaments.models import Event, Place, Section, Session, Sitting
from tournaments.models.seating import SEATS
from tournaments.movements import SYSTEMS_BY_NAME, SizeUnit
from tournaments.seating_snapshot import load_movement, load_withdrawn_places
from tournaments.swiss.plan import read_plan

SIZE_OPTIONS = ("tables", "pairs", "players", "teams")
EXPORTED_OPTIONS = (
    *(*SIZE_OPTIONS[1:], "one_winner", "switch", "sets", "home", "edition"),
    *("title", "sharing", "replays", "places", "meetings"),
)
ENTRY_COUNT_PER_TABLE = {SizeUnit.PAIRS: 2, SizeUnit.PLAYERS: 4}
SeatedMeetings = set[tuple[int, int, int, tuple[str, ...]]]
"""Meetings as (round, table, board group, place labels of N, E, S and W)."""


def export_event(
    event: Event, *, should_include_deals: bool, should_include_sealed_boards: bool = False
) -> dict[str, Any]:
    """Return the data of an event file for an event and its finals.

    If `should_include_deals` is False, the cards are left out, for people who may still play a
    board (rules D2). The club's own copy has all cards. `should_include_sealed_boards` adds
    the boards of finals whose hands are not public yet.
    """
    players, entries = _export_entries(event)

    def export_final(final: Event) -> dict[str, Any]:
        can_show_hands = all(can_see_hands(session) for session in final.sessions.all())
        return export_event(
            final,
            should_include_deals=should_include_deals
            and (should_include_sealed_boards or can_show_hands),
            should_include_sealed_boards=should_include_sealed_boards,
        )

    return {
        "format": EVENT_FILE_FORMAT,
        "club": {"name": event.club.name},
        "event": {
            "name": event.name,
            "date": event.date.isoformat(),
            "contest": event.contest,
            "method": event.terms.method,
            **_export_settings(event),
            **export_strata_and_stages(event, export_final),
        },
        "players": players,
        "entries": entries,
        "sessions": [
            _export_session(session, event.contest, should_include_deals=should_include_deals)
            for session in event.sessions.select_related("board_set", "evening")
        ],
    }


def _export_settings(event: Event) -> dict[str, Any]:
    """Return the settings of an event that differ from the defaults."""
    settings = {
        name: getattr(event.terms if name in SCORING_TERM_NAMES else event, name)
        for name in DEFAULT_SETTINGS
    }
    settings["whole_averages"] = find_scoring_method(event).has_whole_averages
    return {
        name: value
        for name, value in settings.items()
        if value not in (DEFAULT_SETTINGS[name], [])
    }


def encode_event_file(document: Mapping[str, Any]) -> str:
    """Return the data of an event file as JSON text with unescaped non-ASCII characters."""
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _export_entries(event: Event) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the players and the entries of an event file, both in order of entry number."""
    ids_by_player_pk: dict[int, str] = {}
    players, entries = [], []
    profile_data_by_entry_number = export_profiles(event)
    for entry in event.entries.prefetch_related("memberships__player"):
        members = [membership.player for membership in entry.memberships.all()]
        for player in members:
            ids_by_player_pk[player.pk] = f"p{len(ids_by_player_pk) + 1}"
            players.append({"id": ids_by_player_pk[player.pk], "name": player.name})
        entries.append(
            {
                "number": entry.number,
                "name": entry.name,
                "players": [ids_by_player_pk[player.pk] for player in members],
                **({"stays": True} if entry.stays_seated else {}),
                **profile_data_by_entry_number.get(entry.number, {}),
            }
        )
    return players, entries


def _export_session(
    session: Session, contest_code: str, *, should_include_deals: bool
) -> dict[str, Any]:
    session_data: dict[str, Any] = {"number": session.number}
    deals_by_board = _load_deals(session) if should_include_deals else {}
    if deals_by_board:
        session_data["boards"] = [
            {
                "number": board_number,
                "dealer": deal.dealer.value,
                **({"turn_up": deal.turn_up.code} if deal.turn_up else {}),
                "deal": format_hands(deal),
            }
            for board_number, deal in deals_by_board.items()
        ]
    if session.day != session.event.date:
        session_data["date"] = session.day.isoformat()
    if session.across_sections:
        session_data["across_sections"] = True
    rulings_by_section = _export_rulings(session, should_include_deals=should_include_deals)
    session_data["sections"] = [
        _export_section(section, session, contest_code, rulings_by_section.get(section.pk, []))
        for section in session.sections.all()
    ]
    return session_data


def _load_deals(session: Session) -> dict[int, Deal]:
    """Return the deals of the boards that the session uses, by board number.

    The board set may have more boards.
    """
    deals = session.load_known_deals()
    if not deals or not Sitting.objects.filter(section__session=session).exists():
        return deals
    board_count = count_boards(session)
    return {
        board_number: deal
        for board_number, deal in deals.items()
        if board_number <= board_count
    }


def _export_section(
    section: Section, session: Session, contest_code: str, rulings: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    places_by_pk = {place.pk: place for place in section.places.select_related("entry")}
    sittings = list(section.sittings.all())
    return {
        "letter": section.letter,
        "movement": _export_movement(section, session, contest_code, places_by_pk, sittings),
        "seating": _export_seating(places_by_pk.values(), contest_code),
        **({"draw": plan.as_data()} if (plan := read_plan(section.options)) else {}),
        **_export_withdrawn_places(section, places_by_pk.values(), contest_code),
        **({"strays": stray_boards} if (stray_boards := list_stray_boards(sittings)) else {}),
        "results": list(_export_results(section)),
        "rulings": list(rulings),
    }


def _export_movement(
    section: Section,
    session: Session,
    contest_code: str,
    places_by_pk: Mapping[int, Place],
    sittings: Sequence[Sitting],
) -> dict[str, Any]:
    """Return a section's movement in the format of the file.

    It is the name of a known movement with its options. If the seats have changed since, it is
    a list of all meetings.
    """
    options = {
        option_name: section.options[option_name]
        for option_name in EXPORTED_OPTIONS
        if option_name in section.options
    }
    movement_data: dict[str, Any] = {"name": section.movement}
    if not set(SIZE_OPTIONS) & set(options) and section.movement != "custom":
        movement_data |= _export_movement_size(section, len(places_by_pk))
    if section.movement != "custom":
        movement_data["rounds"] = section.rounds
    movement_data |= {"boards_a_round": session.boards_a_round, **options}
    meetings = {_convert_to_meeting(sitting, places_by_pk) for sitting in sittings}
    if _list_planned_meetings(movement_data, contest_code, places_by_pk) == meetings:
        return movement_data
    return _export_custom_movement(session, contest_code, meetings, list(places_by_pk.values()))


def _export_movement_size(section: Section, place_count: int) -> dict[str, int]:
    """Return the size of a section, e.g. {"tables": 7}.

    If the entries do not fill all tables, it is their number, e.g. {"pairs": 13}.
    """
    size_unit = (
        SYSTEMS_BY_NAME[section.movement].unit
        if section.movement in SYSTEMS_BY_NAME
        else SizeUnit.TABLES
    )
    if (
        size_unit in ENTRY_COUNT_PER_TABLE
        and place_count != ENTRY_COUNT_PER_TABLE[size_unit] * section.tables
    ):
        return {str(size_unit): place_count}
    return {"tables": section.tables}


def _list_planned_meetings(
    movement_data: Mapping[str, Any], contest_code: str, places_by_pk: Mapping[int, Place]
) -> SeatedMeetings:
    absent_labels = [place.label for place in places_by_pk.values() if place.entry is None]
    try:
        movement = build_movement(movement_data, contest_code, absent_labels)
    except (WhistError, TypeError):  # the catalogue no longer has the movement or an option
        return set()
    if {movement.labels[place - 1] for place in movement.absent_places} - {*absent_labels}:
        return set()  # a late entry has a place that the planned size does not have
    return {
        (
            meeting.round,
            meeting.table,
            meeting.board_group,
            tuple(
                movement.labels[place - 1]
                for place in (meeting.north, meeting.east, meeting.south, meeting.west)
            ),
        )
        for meeting in movement.meetings
    }


def _convert_to_meeting(
    sitting: Sitting, places_by_pk: Mapping[int, Place]
) -> tuple[int, int, int, tuple[str, ...]]:
    place_labels = tuple(places_by_pk[getattr(sitting, f"{seat}_id")].label for seat in SEATS)
    return sitting.round, sitting.table, sitting.board_group, place_labels


def _export_custom_movement(
    session: Session, contest_code: str, meetings: SeatedMeetings, places: Sequence[Place]
) -> dict[str, Any]:
    """Return a movement as a list of meetings.

    An option is included only if an import could not derive its value from the meetings.
    """
    idle_labels = {place.label for place in places} - {
        place_label for *_location, place_labels in meetings for place_label in place_labels
    }
    table_counts_by_group = Counter(
        (round_number, group_number) for round_number, _, group_number, _ in meetings
    )
    play_counts_by_place = Counter(
        (place_label, group_number)
        for *_location, group_number, place_labels in meetings
        for place_label in {*place_labels}
    )
    movement_data: dict[str, Any] = {
        "name": "custom",
        "boards_a_round": session.boards_a_round,
        **({"sharing": True} if max(table_counts_by_group.values(), default=0) > 1 else {}),
        **({"replays": True} if max(play_counts_by_place.values(), default=0) > 1 else {}),
        **(
            {"places": max(_parse_place_number(place.label) for place in places)}
            if idle_labels
            else {}
        ),
        "meetings": [
            {
                "round": round_number,
                "table": table_number,
                **_export_seats(
                    [
                        int(place_label) if place_label.isdecimal() else place_label
                        for place_label in place_labels
                    ]
                ),
                "group": group_number,
            }
            for round_number, table_number, group_number, place_labels in sorted(meetings)
        ],
    }
    if contest_code == Event.Contest.MEMORY:
        movement_data.pop("replays", None)
    return movement_data | _export_winner_option(movement_data, contest_code, places)


def _export_winner_option(
    movement_data: Mapping[str, Any], contest_code: str, places: Iterable[Place]
) -> dict[str, bool]:
    """Return the option `one_winner`, or {} if an import can derive it from the meetings."""
    absent_labels = [place.label for place in places if place.entry is None]
    has_one_winner = not any(place.field for place in places)
    try:
        movement = build_movement(movement_data, contest_code, absent_labels)
    except WhistError:  # the meetings do not form a valid movement
        return {}
    is_winner_count_overridden = contest_code == Event.Contest.PAIRS and has_one_winner != (
        movement.winner_count == 1
    )
    return {"one_winner": has_one_winner} if is_winner_count_overridden else {}


def _parse_place_number(place_label: str) -> int:
    """Return the number in a place's label, as in 3 for "3NS"."""
    return int(place_label.removesuffix("NS").removesuffix("EW"))


def _export_seats(seats: Sequence[int | str]) -> dict[str, int | str]:
    north, east, south, west = seats
    if (north, east) == (south, west):
        return {"ns": north, "ew": east}
    return {"n": north, "e": east, "s": south, "w": west}


def _export_seating(places: Iterable[Place], contest_code: str) -> dict[str, int]:
    """Return the entry number of each place, by the key of the place in the file.

    The two places of a team have the same key, which is the team's number.
    """
    entry_number_by_place_key = {}
    for place in places:
        if place.entry is not None:
            entry_number_by_place_key[_get_place_key(place, contest_code)] = place.entry.number
    return entry_number_by_place_key


def _export_withdrawn_places(
    section: Section, places: Iterable[Place], contest_code: str
) -> dict[str, Any]:
    """Return the file's data for places whose entry withdrew during play, by place key.

    If rounds are drawn one at a time, the data also has the first round that each place missed.
    The meetings do not show it: in an earlier round, the place may have had a sit-out.
    """
    first_missed_round_by_place = load_withdrawn_places(section, load_movement(section))
    missed_round_by_place_key = {
        _get_place_key(place, contest_code): first_missed_round_by_place[place.number]
        for place in places
        if place.entry and place.number in first_missed_round_by_place
    }
    missed_rounds_to_export = {
        place_key: round_number
        for place_key, round_number in missed_round_by_place_key.items()
        if round_number
    }
    first_missed_round_data = (
        {"gone_from": missed_rounds_to_export}
        if missed_rounds_to_export and read_plan(section.options)
        else {}
    )
    return (
        {"gone": list(missed_round_by_place_key), **first_missed_round_data}
        if missed_round_by_place_key
        else {}
    )


def _get_place_key(place: Place, contest_code: str) -> str:
    is_team_event = contest_code == Event.Contest.TEAMS
    return place.label.removesuffix("NS").removesuffix("EW") if is_team_event else place.label


def _export_results(section: Section) -> Iterator[dict[str, Any]]:
    result_rows = (
        Result.objects.filter(sitting__section=section)
        .exclude(outcome=Outcome.CLEARED)
        .order_by("sitting__round", "sitting__table", "board", "deal")
        .values_list(
            *("sitting__round", "sitting__table", "board"),
            *("outcome", "ns_tricks", "ns_points", "ew_points", "deal", "trump"),
        )
    )
    for (
        round_number,
        table_number,
        board_number,
        outcome,
        ns_tricks,
        ns_points,
        ew_points,
        deal_number,
        trump,
    ) in result_rows:
        result_data = {"round": round_number, "table": table_number, "board": board_number}
        if deal_number > 1:
            result_data["deal"] = deal_number
        if outcome == Outcome.PLAYED:
            trump_data = {"trump": trump} if trump else {}
            points_data = {"ns_points": ns_points, "ew_points": ew_points}
            yield (
                result_data
                | ({"ns_tricks": ns_tricks} if ns_points is None else points_data)
                | trump_data
            )
        else:
            yield result_data | {"outcome": "not_played"}


def _export_rulings(
    session: Session, *, should_include_deals: bool
) -> dict[int, list[dict[str, Any]]]:
    """Return the rulings in force, by the primary key of the section.

    A penalty is in the section of its entry. Penalties of entries without a seat in this
    session are in the first section.
    """
    seats = Place.objects.filter(section__session=session, entry__isnull=False)
    section_by_entry = dict(seats.order_by("-pk").values_list("entry", "section"))
    first_section_pk = session.sections.values_list("pk", flat=True).first()
    rulings_by_section: dict[int, list[dict[str, Any]]] = defaultdict(list)
    rulings = Ruling.objects.exclude_withdrawn().filter(session=session)
    for ruling in rulings.select_related("result__sitting", "entry"):
        if ruling.result is not None:
            sitting = ruling.result.sitting
            ruling_location = {
                "round": sitting.round,
                "table": sitting.table,
                "board": ruling.result.board,
            }
            if ruling.result.deal > 1:
                ruling_location["deal"] = ruling.result.deal
            rulings_by_section[sitting.section_id].append(
                {
                    **ruling_location,
                    **_export_ruling(ruling, should_include_deals=should_include_deals),
                }
            )
        elif ruling.entry is not None and first_section_pk is not None:
            penalty_data = {
                "entry": ruling.entry.number,
                **_export_ruling(ruling, should_include_deals=should_include_deals),
            }
            rulings_by_section[section_by_entry.get(ruling.entry.pk, first_section_pk)].append(
                penalty_data
            )
    return rulings_by_section


_RULING_FIELDS = (
    *("side", "revokes", "won_before", "full", "ns_tricks", "ew_tricks", "amount"),
    *("law", "situation", "reason"),
)


def _export_ruling(ruling: Ruling, *, should_include_deals: bool) -> dict[str, Any]:
    """Return the file's data of a ruling; trump cards are included only with the deals."""
    field_names = (
        (*_RULING_FIELDS, "trump_recorded", "trump_turned")
        if should_include_deals
        else _RULING_FIELDS
    )
    values_by_field = {name: getattr(ruling, name) for name in field_names}
    ruling_data = {
        name: value for name, value in values_by_field.items() if value not in ("", None, False)
    }
    if ruling.claimed_at is not None:
        ruling_data["claimed_at"] = ruling.claimed_at.isoformat()
    # `not in` also drops 0, because 0 == False, but 0 tricks are a valid value
    ruling_data |= {"won_before": 0} if ruling.won_before == 0 else {}
    return {"kind": str(ruling.kind), **ruling_data}
