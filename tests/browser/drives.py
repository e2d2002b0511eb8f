"""Create drives for browser tests with the services."""

from datetime import date
from typing import Any

from clubs.models import TableLink
from drives.models import CardLink, Drive
from drives.services import (
    NewPlayer,
    close_drive,
    create_card_links,
    create_drive,
    enter_sheet,
    set_prizes,
)
from rubbers.models import RubberNight
from rubbers.services import (
    NewRubberPlayer,
    create_marker_links,
    create_rubber_night,
    record_hand,
    seat_next_players,
)
from server.models import User
from tests.copies import build_once
from tests.factories import ClubFactory, MembershipFactory, UserFactory

DRIVE_DATE = date(2026, 11, 27)
NAMES = ("Ann Abbot", "Ben Baker", "Cora Carr", "Dan Dale", "Eve Ede", "Fred Ford", "Gwen Gray",
         "Hal Hope", "Ida Ingle")  # fmt: skip


def create_organiser() -> User:
    """Return a login that directs a club without any evening."""
    user = UserFactory()
    MembershipFactory(club=ClubFactory(name="Riverside Whist Club"), user=user)
    return user


def create_drive_with_prizes() -> tuple[Drive, User, str]:
    """Create a drive of nine with one entered round, prizes, and codes on its cards."""
    drive, user, link = build_drive_with_prizes()
    return drive, user, link.path


@build_once
def build_drive_with_prizes() -> tuple[Drive, User, CardLink]:
    user = create_organiser()
    drive = create_drive(
        club=user.memberships.get().club,
        name="Friday drive",
        date=DRIVE_DATE,
        form="social",
        players=[NewPlayer(name=name) for name in NAMES],
        rounds=2,
        by=user,
    )
    for table in (1, 2):
        enter_sheet(drive=drive, round_number=1, table=table, score=[6 + table], by=user)
    lines = [
        {"words": "Highest total"},
        {"words": "Raffle", "measure": "raffle", "ties": "lot"},
    ]
    lines[0]["measure"] = "total-high"
    set_prizes(drive=drive, lines=lines, by=user)
    create_card_links(drive=drive, by=user)
    link = CardLink.objects.filter(holder__drive=drive).order_by("holder__number").first()
    assert link is not None
    return drive, user, link


def create_marked_rubber_night() -> tuple[RubberNight, User, str]:
    """Return a rubber night of five: a marked hand with a revoke, and a code for its table."""
    user = create_organiser()
    night = create_rubber_night(
        club=user.memberships.get().club,
        name="Thursday rubbers",
        date=date(2026, 11, 26),
        code="pole",
        players=[NewRubberPlayer(name=name) for name in NAMES[:5]],
        by=user,
    )
    service_arguments: dict[str, Any] = {"night": night, "table": 1, "spell": 1, "by": user}
    seat_next_players(**service_arguments, seating_mode="", seats=[1, 2, 3, 4])
    revokes = [{"by": "B", "penalty": "minus"}]
    record_hand(
        **service_arguments, number=1, hand={"tricks": {"A": 9, "B": 4}, "revokes": revokes}
    )
    create_marker_links(night=night, by=user)
    return night, user, TableLink.objects.get(evening=night.evening).path


def close_drive_early(drive: Drive, user: User) -> None:
    """Close a drive whose second round is not played."""
    close_drive(drive=drive, anyway=True, by=user)
