"""Clubs, and what a club settles for all that it holds."""

from collections import Counter
from collections.abc import Mapping

from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Back
from clubs.errors import HoursRefused, LookRefused, MoneyRefused, PlanRefused
from clubs.evenings.money import CURRENCIES
from clubs.logos import drawn_anew, mark_of
from clubs.models import Attendance, Club, Logo, Membership
from clubs.slugs import free_slug
from server.models import User
from server.numbers import whole_number

MOST_HOURS = 24 * 60
FURTHEST = 30  # rows and columns of a hall


@transaction.atomic
def create_club(
    *, name: str, timezone: str = "Europe/London", owner: User | None, by: Actor
) -> Club:
    """Make a club, with its owner; a club of that name is returned as it is."""
    club, made = Club.objects.get_or_create(
        name=name,
        defaults={"slug": free_slug(slugify(name)[:45] or "club", Club), "timezone": timezone},
    )
    if made:
        audit.record(by, "club.created", subject=club, where={"name": name})
    if owner is not None:
        Membership.objects.get_or_create(
            club=club, user=owner, defaults={"role": Membership.Role.OWNER}
        )
    return club


@transaction.atomic
def set_correction_hours(*, club: Club, hours: str, by: Actor) -> Club:
    """Set for how long after closing scores are put right, in all events of the club (J8).

    Raises HoursRefused for anything but 0 to 1440 hours.
    """
    wanted = whole_number(hours, most=MOST_HOURS)
    if wanted is None:
        raise HoursRefused(
            _("“%(hours)s” is not a number of hours. Write 0 to %(most)s.")
            % {"hours": hours.strip()[:20], "most": MOST_HOURS}
        )
    club = Club.objects.select_for_update().get(pk=club.pk)  # two screens race here
    before, club.correction_hours = club.correction_hours, wanted
    if before == club.correction_hours:
        return club
    club.save(update_fields=["correction_hours"])
    audit.record(
        by,
        "club.correction_hours",
        subject=club,
        where={"name": club.name},
        before={"hours": before},
        after={"hours": club.correction_hours},
        back=Back(("club hours",), "club.hours", {"hours": before}),
    )
    return club


@transaction.atomic
def set_look(*, club: Club, short_name: str, accent: str, by: Actor) -> Club:
    """Choose the club's short name and its accent, for every page.

    Raises LookRefused for an accent that is none of the eight, or a name longer than a phone's
    line.
    """
    wanted = {"short_name": " ".join(short_name.split()), "accent": accent}
    longest = Club._meta.get_field("short_name").max_length or 0
    if len(wanted["short_name"]) > longest:
        raise LookRefused(_("A short name has %(most)s letters at most.") % {"most": longest})
    if accent not in Club.Accent.values:
        raise LookRefused(_("Choose one of the eight colours."))
    club = Club.objects.select_for_update().get(pk=club.pk)
    before = {"short_name": club.short_name, "accent": club.accent}
    if before == wanted:
        return club
    club.short_name, club.accent = wanted["short_name"], wanted["accent"]
    club.save(update_fields=["short_name", "accent"])
    audit.record(
        by,
        "club.look",
        subject=club,
        where={"name": club.name},
        before=before,
        after=wanted,
        back=Back(("club look",), "club.look", before),
    )
    return club


@transaction.atomic
def set_currency(*, club: Club, currency: str, by: Actor) -> Club:
    """Choose in what table money is counted.

    Raises MoneyRefused for a currency that is not known, and once somebody has owed or paid
    anything: what was pence would become cents.
    """
    if currency not in CURRENCIES:
        raise MoneyRefused(_("Choose one of the currencies of the list."))
    club = Club.objects.select_for_update().get(pk=club.pk)
    before = club.currency
    if before == currency:
        return club
    if Attendance.objects.filter(fixture__evening__club=club, fee__gt=0).exists():
        words = _("Table money has been noted in %(currency)s already; it stays so.")
        raise MoneyRefused(words % {"currency": before})
    club.currency = currency
    club.save(update_fields=["currency"])
    audit.record(
        by,
        "club.currency",
        subject=club,
        where={"name": club.name},
        before={"currency": before},
        after={"currency": currency},
        back=Back(("club currency",), "club.currency", {"currency": before}),
    )
    return club


@transaction.atomic
def place_tables(*, club: Club, places: Mapping[str, tuple[int, int]], by: Actor) -> Club:
    """Keep where tables stand in the club's hall, each by its row and its column.

    A table that is not named keeps its place; an empty plan forgets all of them. Raises
    PlanRefused where two stand in one place, or one beyond the hall.
    """
    club = Club.objects.select_for_update().get(pk=club.pk)  # two screens race here
    wanted = {**club.room_plan, **{key: list(at) for key, at in places.items()}}
    return _plan(club, wanted if places else {}, by)


@transaction.atomic
def set_room_plan(*, club: Club, plan: Mapping[str, list[int]], by: Actor) -> Club:
    """Keep a whole plan of the hall in place of the one before; raises PlanRefused."""
    return _plan(Club.objects.select_for_update().get(pk=club.pk), dict(plan), by)


def _plan(club: Club, wanted: dict[str, list[int]], by: Actor) -> Club:
    taken = [tuple(at) for at in wanted.values()]
    twice = [at for at, times in Counter(taken).items() if times > 1]
    if twice:
        raise PlanRefused(
            _("Two tables stand in row %(row)s, column %(column)s.")
            % {"row": twice[0][0], "column": twice[0][1]}
        )
    if any(not 0 < each <= FURTHEST for at in taken for each in at):
        raise PlanRefused(
            _("Rows and columns are counted from 1 to %(most)s.") % {"most": FURTHEST}
        )
    before, club.room_plan = club.room_plan, wanted
    if before == wanted:
        return club
    club.save(update_fields=["room_plan"])
    audit.record(
        by,
        "club.room_plan",
        subject=club,
        where={"name": club.name},
        before={"tables": len(before)},
        after={"tables": len(wanted)},
        back=Back(("club room",), "club.room_plan", {"plan": before}),
    )
    return club


@transaction.atomic
def set_logo(*, club: Club, sent: bytes, by: Actor) -> Club:
    """Give the club a picture, or with nothing sent none; raises LogoRefused."""
    image = drawn_anew(sent) if sent else b""
    mark = mark_of(image) if image else ""
    club = Club.objects.select_for_update().get(pk=club.pk)
    if club.logo_mark == mark:
        return club
    Logo.objects.filter(club=club).delete()
    if image:
        Logo.objects.create(club=club, image=image)
    before, club.logo_mark = club.logo_mark, mark
    club.save(update_fields=["logo_mark"])
    audit.record(
        by,
        "club.logo",
        subject=club,
        where={"name": club.name},
        before={"logo": before},
        after={"logo": mark},
    )
    return club
