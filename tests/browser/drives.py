"""A drive for journeys and pages: made by the services."""

from datetime import date

from drives.models import CardLink, Drive
from drives.services import (
    NewPlayer,
    begin_drive,
    close_drive,
    enter_sheet,
    make_card_links,
    set_prizes,
)
from server.models import User
from tests.factories import ClubFactory, MembershipFactory, UserFactory

DAY = date(2026, 11, 27)
NAMES = ("Ann Abbot", "Ben Baker", "Cora Carr", "Dan Dale", "Eve Ede", "Fred Ford", "Gwen Gray",
         "Hal Hope", "Ida Ingle")  # fmt: skip


def organiser() -> User:
    """Somebody who directs a club without an evening yet."""
    user = UserFactory()
    MembershipFactory(club=ClubFactory(name="Riverside Whist Club"), user=user)
    return user


def with_prizes() -> tuple[Drive, User, str]:
    """A drive of nine with its first round entered, a list of prizes and codes on its cards."""
    user = organiser()
    drive = begin_drive(
        club=user.memberships.get().club,
        name="Friday drive",
        date=DAY,
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
    make_card_links(drive=drive, by=user)
    link = CardLink.objects.filter(holder__drive=drive).order_by("holder__number").first()
    assert link is not None
    return drive, user, link.path


def close(drive: Drive, user: User) -> None:
    """Close a drive whose second round nobody plays."""
    close_drive(drive=drive, anyway=True, by=user)
