"""Event files for tests: the Tuesday night, a small event, and many from hypothesis."""

import json
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from boards.whist import PACK, Seat, deal_pack
from boards.whist.notation import format_hands
from clubs.names.tidy import clean_name
from scoring.methods import find_method_for_contest
from tournaments.movements import Contest, Movement, build_named_movement
from tournaments.movements.systems.custom import build_rows

NIGHT_FILE = Path(__file__).resolve().parents[2] / "golden" / "night" / "tuesday-compass.json"
MOVEMENTS: list[dict[str, Any]] = [
    {"name": "compass", "tables": 3},
    {"name": "compass", "tables": 5, "rounds": 2},
    {"name": "compass", "tables": 5, "one_winner": True},
    {"name": "compass-skip", "tables": 4},
    {"name": "compass-relay", "tables": 4, "rounds": 3},
    {"name": "howell", "tables": 3},
    {"name": "howell", "pairs": 5},
    {"name": "four-pairs", "tables": 2},
    {"name": "whist-individual", "players": 9},
    {"name": "rainbow", "tables": 5, "rounds": 2},
    {"name": "howell-teams", "tables": 3},
    {"name": "gilman", "tables": 3, "home": False},
    {"name": "league-fours", "tables": 2, "rounds": 3},
    {"name": "memory", "tables": 1},
]
METHODS_BY_CONTEST = {
    "pairs": ("plus_minus", "matchpoints", "tricks"),
    "individual": ("plus_minus", "matchpoints", "tricks"),
    "teams": ("plus_minus", "matches", "tricks"),
    "memory": ("plus_minus",),
}
PLAYERS_PER_ENTRY = {"pairs": 2, "memory": 2, "individual": 1, "teams": 4}


def read_night_file() -> dict[str, Any]:
    """Return the Tuesday night: 7 tables, 28 boards, 196 results."""
    data: dict[str, Any] = json.loads(NIGHT_FILE.read_text(encoding="utf-8"))
    return data


def build_small_file() -> dict[str, Any]:
    """Return a Mitchell of three tables with one board a round, all of it played."""
    return build_event_file({"name": "compass", "tables": 3}, method="plus_minus")


def score_in_points(file: dict[str, Any], most_points: int = 2000) -> dict[str, Any]:
    """Score an event in points: ten for each trick of N-S, and 65 for E-W on every board."""
    file["event"]["most_points"] = most_points
    for session in file["sessions"]:
        for result in (
            result for section in session["sections"] for result in section["results"]
        ):
            if "ns_tricks" in result:
                result["ns_points"], result["ew_points"] = 10 * result.pop("ns_tricks"), 65
    return file


def build_event_file(
    movement_data: dict[str, Any],
    *,
    method: str,
    names: tuple[str, ...] = (),
    empty_places: frozenset[int] = frozenset(),
    boards_a_round: int = 1,
    with_deals: bool = True,
    outcomes: tuple[int | None, ...] = (7,),
) -> dict[str, Any]:
    """Return an event of one section as a file; `outcomes` are tricks, 14 for not played.

    They are used in turn, and None is a missing result. `empty_places` places have no entry.
    """
    movement = build_named_movement(**movement_data, absent=sorted(empty_places))
    contest = str(movement.contest)
    entries = build_entries(movement, PLAYERS_PER_ENTRY[contest], names)
    rounds = {} if movement_data["name"] == "custom" else {"rounds": movement.round_count}
    number_of_boards = movement.group_count * boards_a_round
    session: dict[str, Any] = {"number": 1}
    if with_deals:
        session["boards"] = [build_board(number) for number in range(1, number_of_boards + 1)]
    section = {
        "letter": "A",
        "movement": {**movement_data, **rounds, "boards_a_round": boards_a_round},
        "seating": build_seating(movement),
        "results": build_results(movement, boards_a_round, outcomes),
        "rulings": [],
    }
    people = [player for entry in entries for player in entry["players"]]
    player_names = names or tuple(f"Player {number}" for number in range(1, len(people) + 1))
    return {
        "format": "whist-event/1",
        "club": {"name": "Riverside Whist Club"},
        "event": {
            "name": "Tuesday compass",
            "date": "2026-03-10",
            "contest": contest,
            "method": method,
        },
        "players": [
            {"id": person, "name": name}
            for person, name in zip(people, player_names, strict=False)
        ],
        "entries": entries,
        "sessions": [{**session, "sections": [section]}],
    }


@st.composite
def draw_event_files(draw: st.DrawFn) -> dict[str, Any]:
    """Draw an event of any movement, with some empty places and missing results."""
    movement_data = dict(draw(st.sampled_from(MOVEMENTS)))
    movement = build_named_movement(**movement_data)
    if movement.contest is Contest.PAIRS and draw(st.booleans()):
        movement_data = {"name": "custom", "meetings": build_rows(movement)}
        if movement.allows_sharing:
            movement_data = {
                "name": "custom",
                "sharing": True,
                "meetings": movement_data["meetings"],
            }
        movement = build_named_movement(**movement_data)
    absent_places = frozenset(movement.absent_places)
    if movement.contest is Contest.PAIRS and not absent_places and movement.table_count > 2:
        absent_places |= draw(st.frozensets(st.integers(1, movement.place_count), max_size=1))
    people = PLAYERS_PER_ENTRY[movement.contest] * movement.place_count
    # Names are stored in Unicode's composed form.
    letters = st.text(st.characters(categories=["Lu", "Ll"]), min_size=1, max_size=12).map(
        clean_name
    )
    names = draw(
        st.lists(letters, min_size=people, max_size=people, unique_by=lambda n: n.casefold())
    )
    outcome = st.one_of(st.none(), st.integers(0, 14))
    event_file = build_event_file(
        movement_data,
        method=draw(st.sampled_from(METHODS_BY_CONTEST[movement.contest])),
        names=tuple(names),
        empty_places=absent_places,
        boards_a_round=draw(st.integers(1, 3)),
        with_deals=draw(st.booleans()),
        outcomes=tuple(draw(st.lists(outcome, min_size=1, max_size=5))),
    )
    section = event_file["sessions"][0]["sections"][0]
    if section["results"]:
        section["rulings"] = draw(st.lists(draw_rulings(section["results"]), max_size=3))
    event_file["event"] |= draw(OPTIONAL_EVENT_FIELDS)
    if (
        find_method_for_contest(
            event_file["event"]["contest"], event_file["event"]["method"]
        ).name
        == "plus_minus"
    ):
        event_file["event"] |= draw(st.sampled_from([{}, {"whole_averages": True}]))
    return event_file


FRACTIONS = st.fractions(0, 13, max_denominator=6).map(str)
OPTIONAL_EVENT_FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "tie_breaks": st.just(["tops", "between_them"]),
        "carry_over": st.sampled_from(["1/2", "0"]),
        "revokes_read": st.just("never_above_average"),
        "unequal_boards": st.just("sums"),
        "by_corrected": st.just(True),
        "totals_grow": st.just("results"),
        "standings_shown": st.sampled_from(["after", "never"]),
        "paper_size": st.just("Letter"),
    },
)


def draw_rulings(results: list[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """Draw a ruling of any kind about one of the results, or a penalty of entry 1."""
    message = {"law": st.just("X.4"), "situation": st.just("I26"), "reason": st.just("claimed")}
    claim_fields = {"claimed_at": st.just("2026-03-10T21:05:00+00:00")}
    trumps = {"trump_recorded": st.just("H6"), "trump_turned": st.just("ST")}
    fields_by_ruling_kind = {
        "revoke": {
            "side": st.sampled_from(["NS", "EW"]),
            "revokes": st.integers(1, 13),
            "won_before": st.integers(0, 13),
        },
        "average": {},
        "noted": {},
        "new_deal": {},
        "fouled": {},
        "adjusted": {"ns_tricks": FRACTIONS, "ew_tricks": FRACTIONS},
    }
    result_rulings = [
        st.tuples(
            st.sampled_from(results).map(
                lambda item: {key: item[key] for key in ("round", "table", "board")}
            ),
            st.fixed_dictionaries(
                {"kind": st.just(kind), **ruling_fields},
                optional={**message, **trumps, **(claim_fields if kind == "revoke" else {})},
            ),
        ).map(lambda parts: {**parts[0], **parts[1]})
        for kind, ruling_fields in fields_by_ruling_kind.items()
    ]
    penalty = st.fixed_dictionaries(
        {"kind": st.just("penalty"), "entry": st.just(1), "amount": FRACTIONS}, optional=message
    )
    return st.one_of(*result_rulings, penalty)


def build_entries(
    movement: Movement, players_per_entry: int, names: tuple[str, ...]
) -> list[dict[str, Any]]:
    occupied_places = movement.occupied_places
    if movement.contest is Contest.TEAMS:
        occupied_places = sorted({movement.get_team_number(place) for place in occupied_places})
    return [
        {
            "number": number,
            "name": f"Number {number}",
            "players": [
                f"p{(number - 1) * players_per_entry + player_index}"
                for player_index in range(1, players_per_entry + 1)
            ],
        }
        for number in range(1, len(occupied_places) + 1)
    ]


def build_seating(movement: Movement) -> dict[str, int]:
    if movement.contest is Contest.TEAMS:
        teams = sorted({movement.get_team_number(place) for place in movement.occupied_places})
        return {str(team): team for team in teams}
    return {
        movement.labels[place - 1]: number
        for number, place in enumerate(movement.occupied_places, start=1)
    }


def build_board(number: int) -> dict[str, Any]:
    cut_position = number * 7 % 52
    deal = deal_pack(PACK[cut_position:] + PACK[:cut_position], Seat.find_dealer(number))
    return {
        "number": number,
        "dealer": deal.dealer.value,
        "turn_up": deal.turn_up.code,
        "deal": format_hands(deal),
    }


def build_results(
    movement: Movement, size: int, outcomes: tuple[int | None, ...]
) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = []
    outcome_index = 0
    for meeting in movement.played_meetings:
        first_board = (meeting.board_group - 1) * size + 1
        for board in range(first_board, first_board + size):
            outcome = outcomes[outcome_index % len(outcomes)]
            outcome_index += 1
            if outcome is not None:
                outcome_data = (
                    {"outcome": "not_played"} if outcome == 14 else {"ns_tricks": outcome}
                )
                result_key = {"round": meeting.round, "table": meeting.table, "board": board}
                results.append(result_key | outcome_data)
    return results
