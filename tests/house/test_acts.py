"""Every change is recorded in the history as codes and data, with a text for every code."""

import ast
import re
from functools import cache

from django.apps import apps

import clubs.activities.history
import clubs.inverses
import drives.services.inverses
import drives.sheets.act_words
import hall.history.act_words
import hall.history.inverses
import rubbers.drive_tables
import rubbers.services.inverses
import rubbers.sheets.act_words
import seasons.ladders.inverses
from clubs.activities.models import Activity, EveningActivity
from clubs.activities.services.undo import build_shared_inverses
from drives.models import Drive
from rubbers.models import RubberNight
from tests.house.sources import MODULES, index_functions, list_nodes, list_nodes_below
from tests.house.test_architecture import PURE_MODULES, SERVICE_MODULES
from tests.house.test_translated_texts import TRANSLATORS, get_called_name

ACT_TITLES = hall.history.act_words.ACT_TITLES | drives.sheets.act_words.TITLES_BY_ACTION
ACT_TITLES |= (
    clubs.activities.history.SHARED_TITLES
    | rubbers.sheets.act_words.TITLES_BY_ACTION
    | rubbers.drive_tables.RUBBER_TABLE_HOOKS.titles
)
SEASON_INVERSES = seasons.ladders.inverses.INVERSES | seasons.ladders.inverses.TROPHY_INVERSES
INVERSES = hall.history.inverses.INVERSES | drives.services.inverses.INVERSES
INVERSES |= (
    rubbers.services.inverses.INVERSES | rubbers.drive_tables.RUBBER_TABLE_HOOKS.inverses
)
INVERSES |= build_shared_inverses(Drive) | build_shared_inverses(RubberNight)
CLUB_INVERSES = hall.history.inverses.CLUB_INVERSES | clubs.inverses.EVENING_INVERSES
RECORD_FUNCTION = "clubs.audit.record"
RECORDERS = {
    RECORD_FUNCTION,
    "drives.services.seat_changes.record_seat_change",
    "rubbers.services.table_acts.record_table_act",
    "tournaments.session_acts.record_session_act",
}
"""The functions that record an act when they are called with its code."""
ACTION_CODE_PATTERN = re.compile(r"^[a-z_]+\.[a-z_]+$")
ARCHIVE_ENDINGS = ("bring_back", "brought_back", "put_away")
CLOSING_ENDINGS = ("close", "closed", "reopen", "reopened")
"""The endings of the lifecycle codes of every activity; they begin with its kind."""
WRITE_METHODS = ("save", "delete", "create", "update", "bulk_create", "get_or_create")
WRITE_METHODS = (*WRITE_METHODS, "update_or_create", "bulk_update")

_SERVICES_BY_REASON = {
    "the boards know no club; whoever has them made records it": (
        "boards.services.add_boards",
        "boards.services.add_public_value",
        "boards.services.queue_best_play_tables",
        "boards.services.undo_or_restore_deals",
        "boards.services.import_board_set",
        "boards.services.create_board_set",
        "boards.services.replace_deal",
        "boards.services.retry_board_set",
    ),
    "it is worked out, and can be worked out again": (
        "seasons.people.services.compute_statistics",
        "seasons.publishing.services.iter_event_tables",
        "seasons.publishing.services.cache_tables",
        "seasons.ladders.services.handicaps.freeze_handicaps",
        "seasons.grades.services.constants_fit.fit_constants",
        "seasons.grades.services.settings.set_constants",
        "seasons.grades.services.computation.compute_grades",
        "tournaments.services.groundwork.revisions.increment_revisions",
        "tournaments.services.groundwork.revisions.count_write_for_event",
    ),
    "every value entered is a version of its result, with who, when and by what way": (
        "scoring.services.doubts.exchange_results",
        "scoring.services.doubts.correct_round",
        "scoring.services.doubts.swap_result_sides",
        "scoring.services.results.record_result_in_snapshot",
        "scoring.services.results.record_result",
        "scoring.services.results.record_results",
        "scoring.services.undo_results.undo_result",
    ),
    "players do it without a login; the row says when, and its decision who": (
        "hall.challenges.services.answer_challenge",
        "hall.challenges.services.challenge_result",
        "clubs.evenings.services.calls.answer_call",
        "clubs.evenings.services.calls.call_director",
    ),
    "it notes that a page was opened, or how far a rehearsal has come": (
        "hall.rehearsal.services.set_elapsed_time",
    ),
    "it is a part of an act, which the service that calls it records": (
        "clubs.activities.services.lifecycle.increment_revision",
        "clubs.evenings.services.check_in_state.end_check_in",
        "clubs.evenings.services.check_in_state.write_check_in_state",
        "clubs.evenings.services.clock.restart_clock",
        "clubs.evenings.services.clock.set_clock_state",
        "clubs.evenings.services.evenings.delete_section_links",
        "clubs.evenings.services.fixtures.create_fixture_with_evening",
        "clubs.evenings.services.fixtures.update_fixture_days",
        "clubs.evenings.services.fixtures.set_cancellation",
        "clubs.evenings.services.fixtures.update_fixture",
        "clubs.evenings.services.series.update_evenings",
        "tournaments.services.sessions.move_session",
        "scoring.services.score_checks.check_saved_results",
        "scoring.services.score_checks.save_doubts",
        "scoring.services.moved_results.move_result_to_board",
        "scoring.services.moved_results.move_results",
        "scoring.services.moved_results.check_moved_results",
        "scoring.services.wrong_boards.omit_already_played_boards",
        "clubs.evenings.services.bookings.create_booked_people",
        "clubs.evenings.services.evenings.delete_evening",
        "tournaments.services.player_references.move_references",
        "tournaments.services.player_references.restore_references",
        "tournaments.services.entries.set_entry_name",
        "tournaments.services.entries.delete_unused_players",
        "tournaments.services.entries.find_or_create_players",
        "tournaments.services.entries.create_memberships",
        "tournaments.services.players.rename_entries",
        "tournaments.services.seating.clear_seating",
        "tournaments.services.seating.write_section",
        "tournaments.services.groundwork.changes.apply_snapshot",
        "tournaments.services.groundwork.events.update_event",
        "tournaments.services.sessions.create_session",
        "tournaments.services.trumps.queue_every_suit_analysis",
        "tournaments.services.withdrawals.recreate_entry",
        "rubbers.services.files.create_drive_rubbers",
        "rubbers.services.files.create_hands",
        "rubbers.services.nights.create_player",
        "drives.services.seat_changes.delete_round",
        "drives.services.seat_changes.write_rounds",
        "drives.services.draw_rounds.draw_additional_rounds",
        "drives.services.draw_rounds.draw_first_rounds",
        "drives.services.draw_rounds.exchange_seats",
        "drives.services.draw_rounds.adapt_rounds",
        "drives.services.players.create_house_players",
        "drives.services.players.create_players",
    ),
}
UNRECORDED_SERVICES = {
    service: reason for reason, services in _SERVICES_BY_REASON.items() for service in services
}
"""Services that write and are not in the history, each with its reason."""


@cache
def read_module_names(module: str) -> dict[str, str]:
    """Return the names of a module with what they import, and its own functions."""
    imported_names = {}
    for node in list_nodes(module, ast.ImportFrom):
        imported_names |= {a.asname or a.name: f"{node.module}.{a.name}" for a in node.names}
    for node in list_nodes(module, ast.Import):
        imported_names |= {a.name.split(".")[0]: a.name.split(".")[0] for a in node.names}
    return imported_names | {name: f"{module}.{name}" for name in index_functions(module)}


@cache
def list_function_nodes(function: str) -> list[ast.AST]:
    """Return the nodes of one of the program's functions by its full name, or an empty list."""
    module, _dot, name = function.rpartition(".")
    node = index_functions(module).get(name) if module in MODULES else None
    return list_nodes_below(node) if node else []


def format_dotted_name(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return f"{format_dotted_name(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


@cache
def resolve_name(name: str) -> str:
    """Resolve a full name through the re-exports of packages to the function itself."""
    module, _dot, function = name.rpartition(".")
    if module in MODULES and function in read_module_names(module):
        full_name = read_module_names(module)[function]
        return name if full_name == name else resolve_name(full_name)
    return name


@cache
def list_calls(function: str) -> frozenset[str]:
    """Return the functions that a function names, wherever they are imported from."""
    name_parts = {
        format_dotted_name(function_node).partition(".")
        for function_node in list_function_nodes(function)
    } - {("", "", "")}
    full_names_by_name = read_module_names(function.rpartition(".")[0]) if name_parts else {}
    names = {
        resolve_name(f"{full_names_by_name[first_part]}{dot}{rest}")
        for first_part, dot, rest in name_parts
        if first_part in full_names_by_name
    }
    return frozenset(names - {function})


@cache
def list_reachable_functions(function: str) -> frozenset[str]:
    actual, remaining_functions = set[str](), [function]
    while remaining_functions:
        new_functions = list_calls(remaining_functions.pop()) - actual
        actual |= new_functions
        remaining_functions += new_functions
    return frozenset(actual)


@cache
def writes_rows(function: str) -> bool:
    return function.rpartition(".")[0] not in PURE_MODULES and any(
        isinstance(function_node, ast.Call)
        and isinstance(function_node.func, ast.Attribute)
        and function_node.func.attr in WRITE_METHODS
        for function_node in list_function_nodes(function)
    )


def list_services() -> list[str]:
    """Return every public function of the services."""
    return [
        f"{module}.{name}"
        for module in SERVICE_MODULES
        for name in index_functions(module)
        if not name.startswith("_")
    ]


def list_unrecorded_services() -> set[str]:
    return {
        service
        for service in list_services()
        if RECORD_FUNCTION not in (reachable_functions := list_reachable_functions(service))
        and any(writes_rows(service) for service in {service, *reachable_functions})
    }


def test_every_writing_service_records_history_or_is_exempt() -> None:
    assert len(list_services()) > 100
    assert list_unrecorded_services() == UNRECORDED_SERVICES.keys()


def test_search_follows_an_act_across_functions_and_packages() -> None:
    assert RECORD_FUNCTION in list_reachable_functions("scoring.services.events.edit_event")
    assert RECORD_FUNCTION not in list_reachable_functions(
        "scoring.services.results.parse_mark"
    )
    assert writes_rows("tournaments.services.entries.create_memberships")
    assert not writes_rows("scoring.services.results.parse_mark")


@cache
def list_recording_modules() -> list[str]:
    return [
        module
        for module in MODULES
        if any(RECORDERS & list_calls(f"{module}.{name}") for name in index_functions(module))
    ]


def list_lifecycle_codes() -> frozenset[str]:
    kinds = [model for model in apps.get_models() if issubclass(model, Activity)]
    assert len(kinds) > 1
    return frozenset(
        f"{activity_model.kind}.{act}"
        for activity_model in kinds
        for act in (
            ARCHIVE_ENDINGS + CLOSING_ENDINGS
            if issubclass(activity_model, EveningActivity)
            else ARCHIVE_ENDINGS
        )
    )


@cache
def list_action_codes() -> frozenset[str]:
    return list_lifecycle_codes() | frozenset(
        node.value
        for module in list_recording_modules()
        for node in list_nodes(module, ast.Constant)
        if isinstance(node.value, str) and ACTION_CODE_PATTERN.match(node.value)
    )


def test_every_recorded_act_has_text_and_every_undo_has_an_inverse() -> None:
    assert len(list_recording_modules()) > 20
    assert (
        list_action_codes()
        - set(ACT_TITLES)
        - set(INVERSES)
        - set(CLUB_INVERSES)
        - set(SEASON_INVERSES)
        == set()
    )


def test_no_history_text_is_left_for_unused_acts() -> None:
    assert set(ACT_TITLES) - list_action_codes() == hall.history.act_words.RETIRED_ACTS


@cache
def list_recorder_names(module: str) -> set[str]:
    """Return the names by which a module records an act: `audit.record` and wrappers."""
    recording_functions = {
        n
        for n in index_functions(module)
        if RECORD_FUNCTION in list_reachable_functions(f"{module}.{n}")
    }
    return {"record"} | {name for name in recording_functions if name.startswith("_")}


def test_history_stores_no_translated_text() -> None:
    """Text translated before it is stored would be in the language of the person who acted."""
    faults = [
        f"{module}:{call.lineno}"
        for module in list_recording_modules()
        for call in list_nodes(module, ast.Call)
        if format_dotted_name(call.func).split(".")[-1] in list_recorder_names(module)
        and any(get_called_name(node) in TRANSLATORS for node in list_nodes_below(call))
    ]
    assert faults == []
