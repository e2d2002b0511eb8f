"""Every form of drive is one record, is documented, and plans the rounds known in advance."""

import re
from collections import Counter
from dataclasses import MISSING, fields, replace
from pathlib import Path

import pytest
from django.core.management import call_command

from drives.draw.participants import Participants
from drives.errors import UnplayableDrive
from drives.play_forms import PLAY_FORMS, DriveForm, SeatingTime, find_play_form
from tests.drives import recount

DOCUMENT_PATH = Path(__file__).resolve().parents[2] / "docs" / "drives.md"
SEATS_KNOWN_BY_FORM = {
    "before play": SeatingTime.BEFORE_PLAY,
    "a round ahead": SeatingTime.ONE_ROUND_AHEAD,
    "after each round": SeatingTime.AFTER_RESULT,
}
"""The words of the documents for when seats are known."""


def create_participants(size: int, **preferences) -> Participants:
    return Participants(players=tuple(range(1, size + 1)), **preferences)


def test_form_cannot_be_created_without_its_texts() -> None:
    assert all(field.kw_only for field in fields(DriveForm))
    required_fields = {field.name for field in fields(DriveForm) if field.default is MISSING}
    assert {
        "code",
        "title",
        "blurb",
        "drawbacks",
        "seating_time",
        "plan_rounds",
    } <= required_fields
    with pytest.raises(TypeError, match="title"):
        DriveForm(
            code="half",
            seating_time=SeatingTime.BEFORE_PLAY,
            plan_rounds=PLAY_FORMS["lot"].plan_rounds,
            terms={},
            has_roles=False,
        )


def test_every_form_is_documented_and_has_its_texts() -> None:
    document_parts = DOCUMENT_PATH.read_text("utf-8").partition("| `cut` |")
    table = document_parts[0] + document_parts[1] + document_parts[2].partition("\n")[0]
    rows = re.findall(r"^\| `([\w-]+)` \|[^|]*\| ([\w ]+) \|$", table, re.MULTILINE)
    assert [code for code, _known in rows] == list(PLAY_FORMS)
    for (_code, row), form in zip(rows, PLAY_FORMS.values(), strict=True):
        assert SEATS_KNOWN_BY_FORM[row] == form.seating_time
        assert form.title
        assert form.blurb.endswith(".")
        assert form.drawbacks.endswith(".")
        assert form.format_call({}).endswith(".")
        assert bool(form.move_players) == (form.seating_time is SeatingTime.AFTER_RESULT)
        assert bool(form.draw_next_round) == (form.seating_time is SeatingTime.ONE_ROUND_AHEAD)
    with pytest.raises(UnplayableDrive, match="military"):
        find_play_form("salsa")


def test_new_form_is_planned_moved_and_named_by_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(PLAY_FORMS, "waltz", replace(PLAY_FORMS["progressive"], code="waltz"))
    call_command("drive", "plan", "--players", "8", "--rounds", "2", "--form", "waltz")
    assert '"form": "waltz"' in capsys.readouterr().out
    with pytest.raises(UnplayableDrive, match="waltz"):
        find_play_form("salsa")


@pytest.mark.parametrize("code", PLAY_FORMS)
def test_every_form_plans_the_same_seats_for_the_same_secret(
    code: str,
) -> None:
    form, size = PLAY_FORMS[code], 16 if code == "military" else 14
    plan = form.plan_rounds(create_participants(size), 3, b"1")
    assert recount.find_faults(plan.rounds, range(1, size + 1)) == []
    assert len(plan.rounds) == (
        1 if form.seating_time is SeatingTime.AFTER_RESULT or code == "standing" else 3
    )
    assert plan.rounds == form.plan_rounds(create_participants(size), 3, b"1").rounds
    with pytest.raises(UnplayableDrive, match="rounds"):
        form.plan_rounds(create_participants(size), 101, b"1")
    if code not in ("social", "lot"):
        with pytest.raises(UnplayableDrive):
            form.plan_rounds(create_participants(size, stationary_players=(3,)), 3, b"1")


def test_each_fort_visits_every_other_once_before_any_twice() -> None:
    for fort_count in range(2, 12):
        plan = PLAY_FORMS["military"].plan_rounds(
            create_participants(4 * fort_count), (fort_count - 1) // 2 or 1, b""
        )
        visits = Counter()
        for tables, _rest in plan.rounds:
            for one, two, _three, _four in tables:
                visits[frozenset(((one - 1) // 4, (two - 1) // 4))] += 1
        assert all(len(pair) == 2 for pair in visits)
        assert fort_count == 2 or max(visits.values()) == 1
        rounds = PLAY_FORMS["military"].plan_rounds(
            create_participants(4 * fort_count), fort_count - 1, b""
        )
        pairs = Counter(
            frozenset((t[seat_index], t[seat_index + 1]))
            for r in rounds.rounds
            for t in r.tables
            for seat_index in (0, 2)
        )
        assert max(pairs.values()) == 1
    with pytest.raises(UnplayableDrive, match=r"leave 3 over\. Add 1"):
        PLAY_FORMS["military"].plan_rounds(create_participants(11), 2, b"")
    assert (
        PLAY_FORMS["military"]
        .plan_rounds(create_participants(11, house_players=(-1,)), 2, b"")
        .rounds
    )


def test_odd_pairs_move_up_and_even_pairs_stay() -> None:
    plan = PLAY_FORMS["partner"].plan_rounds(create_participants(12), 3, b"")
    assert [table[1] for table in plan.rounds[2].tables] == [3, 7, 11]
    assert [[table[0] for table in r.tables] for r in plan.rounds] == [
        *[[1, 5, 9], [9, 1, 5], [5, 9, 1]]
    ]
    with pytest.raises(UnplayableDrive, match="even number"):
        PLAY_FORMS["partner"].plan_rounds(create_participants(13), 3, b"")


@pytest.mark.parametrize(
    ("code", "expected_start"), [("partner", "Partners stay"), ("social", "New")]
)
def test_call_promises_new_partners_only_if_they_change(code: str, expected_start: str) -> None:
    assert find_play_form(code).format_call({}).startswith(expected_start)
