"""Strata, prizes, brackets and finals are exported and imported unchanged."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import jsonschema
import pytest

import boards.services
import hall.history.undo
import scoring.services
from boards.models import BoardSet
from boards.whist.dealing import deal_board
from clubs import audit
from exchange.eventfile.errors import UnusableEventFile
from exchange.eventfile.exporter import export_event
from exchange.eventfile.importer import import_event
from exchange.eventfile.reader import read_event_file
from exchange.eventfile.schema import load_schema
from scoring.models import Final, Knockout, Stage
from scoring.sheets.field_lists import build_prize_sheet
from scoring.standings_engine.carry_over import compute_carry_overs
from scoring.standings_engine.knockouts import load_bracket
from scoring.standings_engine.scores import score_event
from tests import evenings
from tests.exchange.eventfile.documents import build_small_file, score_in_points
from tests.scoring.stages.championship import RULE, play_qualifying, seat_event
from tournaments.models import Event, Session
from tournaments.stages.rules import CarryOverKind, FinalsCriterion, StageRules

pytestmark = pytest.mark.django_db


def build_staged_file() -> dict[str, Any]:
    """Build a small file with every kind of stratum, prize and bracket."""
    file = build_small_file()
    file["entries"][0] |= {
        "stays": True,
        "seed": 1,
        "ratings": ["1850", "21/2"],
        "tags": ["mixed", "visitors"],
    }
    file["entries"][1] |= {"stratum": "B"}
    file["event"] |= {
        "strata": {
            "rule": "hand",
            "lines": [{"name": "A", "least": "0"}, {"name": "B", "least": "0"}],
        },
        "prizes": [
            {"name": "Winner", "list": "all", "place": 1, "kind": "money", "cents": 2500},
            {"name": "Best of B", "list": "stratum:B", "place": 1, "kind": "honour"},
        ],
        "knockout": {
            "seeds": [1, 2, 3, 4],
            "segments": 2,
            "seed_wins": True,
            "matches": [
                {"round": 1, "match": 1, "margins": ["3", "-1/2"]},
                {"round": 1, "match": 2, "margins": ["1", "-1"], "extra": ["2"]},
                {"round": 2, "match": 1, "winner": 2},
            ],
        },
        "stage": {
            "by": "strata",
            "carry": "all",
            "cap": "3/2",
            "lot": "seed",
            "withdrawn": [3],
            "finals": [{"name": "A"}, {"name": "B", "size": 2}],
        },
    }
    return file


def import_and_export(file: dict[str, Any]) -> dict[str, Any]:
    return export_event(import_event(document=file, by=None), should_include_deals=True)


@pytest.mark.parametrize("counting", ["tricks", "points"])
def test_staged_event_is_imported_and_exported_unchanged(counting: str) -> None:
    imported_file = (
        score_in_points(build_staged_file()) if counting == "points" else build_staged_file()
    )
    assert import_and_export(imported_file) == imported_file
    event = Event.objects.get()
    assert load_bracket(Knockout.objects.get()).champion_number == 2
    assert [row.name for row in build_prize_sheet(event).rows] == ["Winner", "Best of B"]


def test_file_of_an_earlier_release_has_no_stages() -> None:
    assert import_and_export(build_small_file()) == build_small_file()
    assert not Stage.objects.exists()
    assert not Knockout.objects.exists()


def test_championship_is_imported_with_its_finals_and_carry_overs() -> None:
    event, user = play_qualifying()
    scoring.services.set_stage_rules(event=event, stage_rules=RULE, by=user)
    scoring.services.draw_finals(event=event, by=user)
    final = Event.objects.get(final__order=1)
    seat_event(final, user, 4)
    written_event = export_event(event, should_include_deals=True)
    finals = written_event["event"]["stage"]["finals"]
    assert [item["name"] for item in finals] == ["A final", "B final", "Consolation"]
    assert len(finals[0]["event"]["entries"]) == 4
    new_event = import_event(document=written_event, by=user)
    assert export_event(new_event, should_include_deals=True) == written_event
    new_final = Final.objects.get(stage__event=new_event, order=1)
    assert new_final.event_id != final.pk
    assert compute_carry_overs(new_final.event) == compute_carry_overs(final)
    assert any(item.carried_tricks for item in compute_carry_overs(new_final.event).values())
    imported_final = Event.objects.select_related("club", "terms").get(pk=new_final.event_id)
    assert score_event(imported_final).scores_by_entry == score_event(final).scores_by_entry


def test_undoing_an_import_archives_finals_with_their_qualifying() -> None:
    event, user = play_qualifying()
    scoring.services.set_stage_rules(event=event, stage_rules=RULE, by=user)
    scoring.services.draw_finals(event=event, by=user)
    own_event_pks = set(Event.objects.values_list("pk", flat=True))
    new_event = import_event(document=export_event(event, should_include_deals=True), by=user)
    events = Event.objects.exclude(pk__in=own_event_pks)
    assert events.count() == 4
    for archived_count in (4, 0, 4, 0):  # undone, redone, and undone again
        act = audit.list_acts(new_event).first()
        assert act is not None
        hall.history.undo.undo_event_act(event=new_event, act=act, by=user)
        assert events.exclude(put_away_at=None).count() == archived_count
    assert Event.objects.filter(pk__in=own_event_pks).exclude(put_away_at=None).count() == 0


def test_boards_of_an_open_final_are_only_in_the_stored_copy() -> None:
    event, user = play_qualifying()
    scoring.services.set_stage_rules(event=event, stage_rules=RULE, by=user)
    scoring.services.draw_finals(event=event, by=user)
    session = seat_event(Event.objects.get(final__order=1), user, 4)
    session.board_set = boards.services.import_board_set(
        name="final",
        deals_by_board={n: deal_board(bytes(32), n) for n in range(1, 7)},
        board_count=6,
        source=BoardSet.Source.IMPORTED,
    )
    session.deals = Session.DealsState.RECORDED
    session.save(update_fields=["board_set", "deals"])
    shown_event = export_event(event, should_include_deals=True)
    stored_event = export_event(
        event, should_include_deals=True, should_include_sealed_boards=True
    )

    def count_boards(file: dict[str, Any]) -> int:
        event = file["event"]["stage"]["finals"][0]["event"]
        return len(event["sessions"][0].get("boards", ()))

    assert (count_boards(shown_event), count_boards(stored_event)) == (0, 6)


def test_next_round_of_an_imported_knock_out_can_be_drawn() -> None:
    event, user = evenings.create_event(4)
    scoring.services.set_bracket(event=event, seeds=[1, 2, 3, 4], by=user)
    session = event.sessions.get()
    scoring.services.seat_knockout(session=session, boards_a_round=2, by=user)
    written_event = export_event(event, should_include_deals=True)
    draw = written_event["sessions"][0]["sections"][0]["draw"]
    assert draw["knockout"] is True
    new_event = import_event(document=written_event, by=user)
    assert export_event(new_event, should_include_deals=True) == written_event


def test_two_entries_play_a_knock_out_of_one_round() -> None:
    event, user = evenings.create_event(4)
    scoring.services.set_bracket(event=event, seeds=[1, 2], by=user)
    assert load_bracket(Knockout.objects.get()).rounds[0][0].first_side == 1


def set_value(file: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    *parent_keys, last_key = path.split(".")
    node: Any = file
    for key in parent_keys:
        node = node[int(key)] if key.isdigit() else node[key]
    node[int(last_key) if last_key.isdigit() else last_key] = value
    return file


INVALID_VALUES = [
    ("event.strata.lines", [], "event.strata: Enter 2"),
    ("event.strata.lines.1.name", "A", "event.strata: Give each stratum"),
    ("event.strata.rule", "mean", "event.strata: List the strata from the highest"),
    ("event.prizes.0.list", "nobody", "event.prizes[0]: List “nobody” not found"),
    ("event.prizes.1.cents", 5, "event.prizes[1].cents: An honour has no prize money."),
    ("event.prizes.1.kind", "money", "event.prizes[1]: Enter the amount"),
    ("event.prizes.0.worth", 1, "event.prizes[0].worth: Unknown key"),
    ("event.knockout.seeds", [1, 1], "event.knockout: Each seed"),
    ("event.knockout.seeds", [1, 99], "event.knockout: Each seed"),
    ("event.knockout.segments", 9, "event.knockout.segments: 9 is out of range"),
    ("event.knockout.matches.2.round", 3, "event.knockout.matches[2]: Round "),
    ("event.knockout.matches.1.match", 1, "event.knockout.matches[1]: Match 1 of round 1 is"),
    ("event.knockout.matches.0.margins", ["1"] * 3, "event.knockout.matches[0].margins: A"),
    ("event.knockout.matches.2.winner", 5, "event.knockout.matches[2].winner: Number 5"),
    ("event.knockout.matches.2.winner", 4, "event.knockout.matches: The winner of match"),
    ("event.stage.finals.1.name", "C", "event.stage.finals[1].name: Stratum C isn’t"),
    ("event.stage.finals.1.name", "a", "event.stage: Give each final its own name"),
    ("event.stage.finals.1.size", 1, "event.stage: Each final needs at least"),
    ("event.stage.withdrawn", [77], "event.stage.withdrawn[0]: Entry 77 isn’t"),
    ("event.stage.share", "3/2", "event.stage: Enter a carry-forward"),
    ("event.stage.drawn_at", "yesterday, at nine", "event.stage.drawn_at: Enter the day"),
    (
        "event.stage.drawn",
        [{"entry": 1, "final": "A", "place": 1}],
        "event.stage.drawn_at: This is missing.",
    ),
    ("entries.1.seed", 1, "entries[1].seed: Entry 1 already has seed 1."),
    ("entries.0.ratings", ["strong"], "entries[0].ratings[0]: “strong” isn’t a number"),
    ("entries.0.tags", [str(n) for n in range(9)], "entries[0]: Enter at most 8 tags"),
]


@pytest.mark.parametrize(
    ("path", "value", "message"), INVALID_VALUES, ids=lambda item: str(item)[:40]
)
def test_error_of_an_invalid_value_names_its_path_and_nothing_is_stored(
    path: str, value: Any, message: str
) -> None:
    with pytest.raises(UnusableEventFile) as exc_info:
        import_event(document=set_value(build_staged_file(), path, value), by=None)
    assert any(problem.startswith(message) for problem in exc_info.value.problems), (
        exc_info.value.problems
    )
    assert not Event.objects.exists()


def test_error_in_a_final_names_its_path_in_the_whole_file() -> None:
    file = build_staged_file()
    event_file = build_small_file()
    event_file["event"]["date"] = "2026-02-31"
    event_file["sessions"][0]["sections"][0]["results"][0]["board"] = 99
    event_file["entries"][0]["numbr"] = 1
    file["event"]["stage"] |= {"drawn_at": "2026-03-10T21:05:00+00:00"}
    file["event"]["stage"]["finals"][0] |= {
        "event": event_file,
        "brought": [{"entry": 1, "from": 99, "tricks": "1", "boards": 3}],
    }
    with pytest.raises(UnusableEventFile) as exc_info:
        read_event_file(file)
    path_prefix = "event.stage.finals[0].event."
    lines = [
        problem.removeprefix(path_prefix)
        for problem in exc_info.value.problems
        if problem.startswith(path_prefix)
    ]
    assert any(line.startswith("event.date: ") for line in lines)
    assert any(line.startswith("entries[0].numbr: ") for line in lines)
    assert any(line.startswith("sessions[0].sections[0].results[0]") for line in lines)
    del event_file["entries"][0]["numbr"]
    file["event"]["stage"]["finals"][0]["event"] = build_small_file()
    with pytest.raises(UnusableEventFile) as exc_info:
        read_event_file(file)
    (problem,) = exc_info.value.problems
    assert problem.startswith("event.stage.finals[0].brought[0].from: Entry 99 isn’t")


def test_too_deeply_nested_files_are_refused() -> None:
    file = event_file = build_small_file()
    for _level in range(400):
        inner = build_small_file()
        event_file["event"]["stage"] = {"finals": [{"name": "A", "event": inner}]}
        event_file = inner
    with pytest.raises(UnusableEventFile, match="too deep"):
        read_event_file(file)


def test_every_stage_rule_is_imported_unchanged() -> None:
    event, user = play_qualifying()
    rules = [
        StageRules(finals=(("A", 4), ("B", None)), carry_over_kind=CarryOverKind.NONE),
        StageRules(
            finals=(("A", None), ("B", None)),
            criterion=FinalsCriterion.SECTIONS,
            places_per_section=2,
            other_place_count=1,
        ),
        StageRules(
            finals=(("A", 4),), carry_over_kind=CarryOverKind.ALL, withdrawn_entries=(3, 5)
        ),
    ]
    for rule in rules:
        scoring.services.set_stage_rules(event=event, stage_rules=rule, by=user)
        stored_rule = deepcopy(Stage.objects.get(event=event).rule)
        new_event = import_event(
            document=export_event(event, should_include_deals=False), by=user
        )
        assert Stage.objects.get(event=new_event).rule == stored_rule


def test_staged_file_fits_the_published_schema() -> None:
    jsonschema.validate(build_staged_file(), dict(load_schema()))


def build_file_with_final() -> dict[str, Any]:
    """Return a file whose finals are drawn, one of them with its event."""
    file = build_staged_file()
    stage = file["event"]["stage"]
    stage["drawn_at"] = "2026-03-10T21:05:00+00:00"
    stage["drawn"] = [{"entry": 1, "final": "A", "place": 1}]
    stage["finals"][0] |= {
        "event": build_small_file(),
        "brought": [{"entry": 1, "from": 1, "tricks": "1", "boards": 3}],
        "told": [{"entry": 1, "before": "1", "after": "2", "at": stage["drawn_at"]}],
    }
    file["sessions"][0]["sections"][0]["rulings"] = [
        {"kind": "penalty", "entry": 1, "amount": "1"}
    ]
    return file


def list_required_keys(
    value: Any, schema: Any, path: tuple[Any, ...] = ()
) -> Iterator[tuple[Any, ...]]:
    """Yield the path to each required key of a file; for lists, of the first item."""
    while "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        schema = load_schema() if name == "#" else load_schema()["$defs"][name]
    if isinstance(value, list):
        for item in value[:1]:
            yield from list_required_keys(item, schema["items"], (*path, 0))
    elif isinstance(value, dict):
        yield from ((*path, key) for key in schema.get("required", ()))
        for key, inner in value.items():
            if key in schema.get("properties", {}):
                yield from list_required_keys(inner, schema["properties"][key], (*path, key))


def format_path(path: tuple[Any, ...]) -> str:
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return "".join(steps).removeprefix(".")


def test_any_missing_required_key_is_named() -> None:
    assert read_event_file(build_file_with_final())
    required_keys = list(list_required_keys(build_file_with_final(), load_schema()))
    for path in required_keys:
        file = inner = build_file_with_final()
        for step in path[:-1]:
            inner = inner[step]
        del inner[path[-1]]
        with pytest.raises(UnusableEventFile) as exc_info:
            read_event_file(file)
        assert f"{format_path(path)}: This is missing." in exc_info.value.problems
    texts_by_key = {format_path(path) for path in required_keys}
    assert {
        "event.strata.lines[0].name",
        "event.knockout.matches[0].round",
        "event.stage.drawn[0].final",
        "event.stage.finals[0].name",
        "event.stage.finals[0].told[0].entry",
        "event.stage.finals[0].event.event.name",
    } <= texts_by_key
