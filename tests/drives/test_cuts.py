"""The winner of a cut for a prize is stored, and must be one of the tied players."""

import pytest

from clubs.errors import ActionUnavailable
from drives.drive_results import compute_awards
from drives.errors import DriveActionNotAllowed
from drives.models import Drive
from drives.services import close_drive, enter_sheet, record_cut_winners, set_prizes
from tests.drives.test_desk_sheets import open_desk
from tests.drives.test_services import begin_drive, load_snapshot

pytestmark = pytest.mark.django_db
PRIZE_TERMS = {"field": "all", "count": "1", "ties": "cut"}


def create_drive_with_prizes(*lines: str) -> Drive:
    """Create a drive of eight with tied partners; a line is a prize text and a measure."""
    drive = begin_drive(size=8, rounds=1)
    for table, tricks in ((1, 9), (2, 8)):
        enter_sheet(drive=drive, round_number=1, table=table, score=[tricks], by=None)
    texts = [line.partition(" ") for line in lines]
    set_prizes(
        drive=drive,
        lines=[{"words": w, "measure": m or "total-high", "ties": "cut"} for w, _, m in texts],
        by=None,
    )
    return drive


def build_prize_form(*lines: str) -> dict[str, list[str]]:
    texts = [line.partition(" ") for line in lines]
    return {
        "words": [text for text, _space, _measure in texts],
        "measure": [measure or "total-high" for _words, _space, measure in texts],
        **{name: [value] * len(lines) for name, value in PRIZE_TERMS.items()},
    }


@pytest.mark.parametrize(
    ("saved_lines", "won"),
    [
        (("Wine", "Wine", "Ham"), [[1], [2], [3]]),  # the form is unchanged
        (("", "Wine", "Ham"), [[2], [3]]),
        (("Wine", "", "Ham"), [[1], [3]]),
        (("Ham", "Wine", "Wine"), [[3], [2], [1]]),
        (("Wine", "Wine", "Wine", "Ham"), [[1], [2], [], [3]]),
        (("Wine total-low", "Wine", "Ham"), [[], [2], [3]]),
        (("Beer", "Wine", "Ham", "Wine"), [[], [2], [3], [1]]),
    ],
)
def test_prizes_with_the_same_name_keep_their_own_cut_winners(
    saved_lines: tuple[str, ...], won: list[list[int]]
) -> None:
    drive = create_drive_with_prizes("Wine", "Wine", "Ham")
    for number in (1, 2, 3):
        drive.prizes.filter(number=number).update(won=[number])
    client, desk_url = open_desk(drive)
    assert client.post(f"{desk_url}prizes/", build_prize_form(*saved_lines)).status_code == 302
    assert [prize.won for prize in drive.prizes.order_by("number")] == won


def list_awards_by_number(drive: Drive) -> list[tuple[int, object]]:
    prizes = list(drive.prizes.all())
    return [
        (award.prize_number, award.player_number)
        for award in compute_awards(load_snapshot(drive), prizes, is_secret_revealed=False)
    ]


def list_equal_sides(drive: Drive) -> list[list[int]]:
    """Return the partners of each side, best first.

    Table 1 made 9 and 4, table 2 made 8 and 5.
    """
    tables = load_snapshot(drive).round_by_number[1].seats_by_table
    return [
        sorted(map(int, tables[t][side_offset::2]))
        for t, side_offset in ((1, 0), (2, 0), (2, 1), (1, 1))
    ]


@pytest.mark.slow
def test_only_a_tied_player_can_be_saved_as_cut_winner() -> None:
    drive = create_drive_with_prizes("Best", "Next", "Last total-low")
    best_side, second, _third_side, last_side = list_equal_sides(drive)
    for prize, tied_players in ((1, best_side), (3, last_side)):
        for number in range(1, 9):
            winners_before = drive.prizes.get(number=prize).won
            if number in tied_players:
                record_cut_winners(
                    drive=drive, prize_number=prize, winner_numbers=[number], by=None
                )
                assert (prize, number) in list_awards_by_number(drive)
                continue
            text = f"{number} isn’t cutting for prize {prize}"
            with pytest.raises(DriveActionNotAllowed, match=text):
                record_cut_winners(
                    drive=drive, prize_number=prize, winner_numbers=[number], by=None
                )
            assert drive.prizes.get(number=prize).won == winners_before
    with pytest.raises(
        DriveActionNotAllowed, match="isn’t cutting for"
    ):  # the other has no tie
        record_cut_winners(drive=drive, prize_number=2, winner_numbers=[second[0]], by=None)
    record_cut_winners(drive=drive, prize_number=1, winner_numbers=[], by=None)
    assert (1, None) in list_awards_by_number(drive)
    client, root = open_desk(drive)
    html = client.post(
        f"{root}closing/cut/", {"prize": "1", "won": str(last_side[0])}, follow=True
    ).content.decode()
    assert "isn’t cutting for" in html
    assert "Winner saved." not in html


@pytest.mark.slow
def test_player_tied_after_an_earlier_lot_can_be_cut_winner() -> None:
    drive = create_drive_with_prizes("Best", "Next", "Third")
    drive.prizes.filter(number=1).update(ties="lot", count=1)
    best, second, *_rest = list_equal_sides(drive)
    awards = compute_awards(
        load_snapshot(drive), list(drive.prizes.all()), is_secret_revealed=True
    )
    (drawn_winner,) = (award.player_number for award in awards if award.prize_number == 1)
    with pytest.raises(ActionUnavailable, match=r"Prize 3: .* are tied: cut cards"):
        close_drive(drive=drive, by=None)  # the best have a prize each by then
    assert drawn_winner in best
    record_cut_winners(drive=drive, prize_number=3, winner_numbers=[second[0]], by=None)
    close_drive(drive=drive, by=None)
    assert drive.prizes.get(number=3).awards.get().player.number == second[0]


def test_cut_winner_is_requested_in_every_language(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The tie rule is a code, not the translated text of the prize."""
    monkeypatch.setattr("drives.prizes.awards._", lambda words: words.replace("cut", "heben"))
    drive = create_drive_with_prizes("Best")
    client, root = open_desk(drive)
    form_action = f'action="{root}closing/cut/"'
    assert form_action in client.get(f"{root}closing/").content.decode()
    record_cut_winners(
        drive=drive, prize_number=1, winner_numbers=[list_equal_sides(drive)[0][0]], by=None
    )
    assert form_action not in client.get(f"{root}closing/").content.decode()
