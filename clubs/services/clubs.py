"""Services that create a club and change its settings."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Undo
from clubs.errors import (
    InvalidAppearance,
    InvalidCorrectionPeriod,
    InvalidCurrencyChange,
    InvalidRoomPlan,
)
from clubs.evenings.money import CURRENCY_SIGNS_BY_CODE
from clubs.logos import hash_logo, redraw_logo
from clubs.models import Attendance, Club, Logo, Membership
from clubs.slugs import create_free_slug
from server.models import User
from server.numbers import parse_whole_number

MAX_CORRECTION_HOURS = 24 * 60
MAX_ROOM_POSITION = 30  # the maximum row and column number of a room plan


@transaction.atomic
def create_club(
    *,
    name: str,
    timezone: str = "Europe/London",
    owner: User | None,
    by: Actor,
    is_demo: bool = False,
) -> Club:
    """Create a club, and give `owner` the role of owner.

    If a club with this name exists, no club is created, and `owner` becomes its owner.
    """
    club, was_created = Club.objects.get_or_create(
        name=name,
        defaults={
            "slug": create_free_slug(slugify(name)[:45] or "club", Club),
            "timezone": timezone,
            "is_demo": is_demo,
            "has_congress_features": is_demo,
        },
    )
    if was_created:
        audit.record(by, "club.created", subject=club, where={"name": name})
    if owner is not None:
        Membership.objects.get_or_create(
            club=club, user=owner, defaults={"role": Membership.Role.OWNER}
        )
    return club


@transaction.atomic
def update_club(
    club: Club,
    action: str,
    values_by_setting: Mapping[str, Any],
    column_by_setting: Mapping[str, str] | None = None,
    inverse_name_suffix: str = "",
    *,
    by: Actor,
) -> Club:
    """Save new settings of a club and record one act, unless nothing changed.

    `values_by_setting` contains the settings by their names in the audit log.
    `column_by_setting` maps a setting's name to the name of its model field if the two differ.
    The act cannot be undone if `inverse_name_suffix`, the suffix of the inverse's name, is "".
    """
    club = Club.objects.select_for_update().get(pk=club.pk)  # serialise concurrent changes
    column_by_name = {
        name: (column_by_setting or {}).get(name, name) for name in values_by_setting
    }
    old_values = {name: getattr(club, column) for name, column in column_by_name.items()}
    if old_values == values_by_setting:
        return club
    for name, column in column_by_name.items():
        setattr(club, column, values_by_setting[name])
    club.save(update_fields=list(column_by_name.values()))
    audit.record(
        by,
        action,
        subject=club,
        where={"name": club.name},
        before=old_values,
        after=values_by_setting,
        undo=Undo((f"club {inverse_name_suffix}",), f"club.{inverse_name_suffix}", old_values)
        if inverse_name_suffix
        else None,
    )
    return club


@transaction.atomic
def set_correction_hours(*, club: Club, hours: str, by: Actor) -> Club:
    """Set how many hours after closing the results of a club's events can be corrected.

    The source is rule J8. Raises InvalidCorrectionPeriod unless `hours` is a number from 0 to
    1440.
    """
    hour_count = parse_whole_number(hours, maximum=MAX_CORRECTION_HOURS)
    if hour_count is None:
        raise InvalidCorrectionPeriod(
            _("“%(hours)s” isn’t a number of hours. Enter 0 to %(most)s.")
            % {"hours": hours.strip()[:20], "most": MAX_CORRECTION_HOURS}
        )
    column_by_setting = {"hours": "correction_hours"}
    return update_club(
        club, "club.correction_hours", {"hours": hour_count}, column_by_setting, "hours", by=by
    )


@transaction.atomic
def set_club_appearance(*, club: Club, short_name: str, accent: str, by: Actor) -> Club:
    """Set the short name and the accent colour of a club.

    Raises InvalidAppearance if the accent is unknown or the name is too long.
    """
    values_by_setting = {"short_name": " ".join(short_name.split()), "accent": accent}
    max_length = Club._meta.get_field("short_name").max_length or 0
    if len(values_by_setting["short_name"]) > max_length:
        raise InvalidAppearance(
            _("Use at most %(most)s characters for the short name.") % {"most": max_length}
        )
    if accent not in Club.AccentColour.values:
        raise InvalidAppearance(_("Choose one of the eight colours."))
    return update_club(club, "club.look", values_by_setting, inverse_name_suffix="look", by=by)


@transaction.atomic
def set_currency(*, club: Club, currency: str, by: Actor) -> Club:
    """Set the currency of the table money.

    Raises InvalidCurrencyChange for an unknown currency, and once any fee is recorded, because
    existing amounts would change their meaning.
    """
    if currency not in CURRENCY_SIGNS_BY_CODE:
        raise InvalidCurrencyChange(_("Choose a currency from the list."))
    club = Club.objects.select_for_update().get(pk=club.pk)
    attendances_with_fee = Attendance.objects.filter(fixture__evening__club=club, fee__gt=0)
    if currency != club.currency and attendances_with_fee.exists():
        message = _("Table money is already recorded in %(currency)s, so it can’t be changed.")
        raise InvalidCurrencyChange(message % {"currency": club.currency})
    return update_club(
        club, "club.currency", {"currency": currency}, inverse_name_suffix="currency", by=by
    )


@transaction.atomic
def set_language(*, club: Club, language: str, by: Actor) -> Club:
    """Set the language of a club's papers, mail, big screen and directors' pages.

    "" is the language of the installation. Raises InvalidAppearance for an unknown language.
    """
    if language and language not in dict(settings.LANGUAGES):
        raise InvalidAppearance(_("Choose a language from the list."))
    return update_club(
        club, "club.language", {"language": language}, inverse_name_suffix="language", by=by
    )


@transaction.atomic
def set_congress_features(*, club: Club, congress: bool, used_by: str = "", by: Actor) -> Club:
    """Switch the congress features of a club on or off; idempotent.

    `used_by` is the name of an imported event that uses congress features, if that is the
    reason for the change.
    """
    club = Club.objects.select_for_update().get(pk=club.pk)  # serialise concurrent changes
    had_congress_features, club.has_congress_features = club.has_congress_features, congress
    if had_congress_features == congress:
        return club
    club.save(update_fields=["has_congress_features"])
    audit.record(
        by,
        "club.congress",
        subject=club,
        where={"name": club.name},
        before={"congress": had_congress_features},
        after={"congress": congress} | ({"used_by": used_by} if used_by else {}),
        undo=Undo(("club congress",), "club.congress", {"congress": had_congress_features}),
    )
    return club


@transaction.atomic
def update_table_positions(
    *, club: Club, positions_by_table: Mapping[str, tuple[int, int]], by: Actor
) -> Club:
    """Set the row and column of these tables in the club's room plan.

    The positions of other tables are not changed; an empty mapping deletes the whole plan.
    Raises InvalidRoomPlan for two tables in one position, or for a position outside the room.
    """
    club = Club.objects.select_for_update().get(pk=club.pk)  # serialise concurrent changes
    new_plan = {
        **club.room_plan,
        **{
            table_label: list(row_and_column)
            for table_label, row_and_column in positions_by_table.items()
        },
    }
    return _store_room_plan(club, new_plan if positions_by_table else {}, by)


@transaction.atomic
def set_room_plan(*, club: Club, plan: Mapping[str, list[int]], by: Actor) -> Club:
    """Replace a club's whole room plan; raise InvalidRoomPlan if it is invalid."""
    return _store_room_plan(Club.objects.select_for_update().get(pk=club.pk), dict(plan), by)


def _store_room_plan(club: Club, new_plan: dict[str, list[int]], by: Actor) -> Club:
    table_positions = [tuple(row_and_column) for row_and_column in new_plan.values()]
    shared_positions = [
        row_and_column
        for row_and_column, count in Counter(table_positions).items()
        if count > 1
    ]
    if shared_positions:
        raise InvalidRoomPlan(
            _("Two tables are in row %(row)s, column %(column)s.")
            % {"row": shared_positions[0][0], "column": shared_positions[0][1]}
        )
    if any(
        not 0 < coordinate <= MAX_ROOM_POSITION
        for row_and_column in table_positions
        for coordinate in row_and_column
    ):
        raise InvalidRoomPlan(
            _("Rows and columns run from 1 to %(most)s.") % {"most": MAX_ROOM_POSITION}
        )
    old_plan, club.room_plan = club.room_plan, new_plan
    if old_plan == new_plan:
        return club
    club.save(update_fields=["room_plan"])
    audit.record(
        by,
        "club.room_plan",
        subject=club,
        where={"name": club.name},
        before={"tables": len(old_plan)},
        after={"tables": len(new_plan)},
        undo=Undo(("club room",), "club.room_plan", {"plan": old_plan}),
    )
    return club


@transaction.atomic
def set_logo(*, club: Club, content: bytes, by: Actor) -> Club:
    """Set a club's logo, or delete it if `content` is empty.

    Raises InvalidLogo if the content is not a picture or is too large.
    """
    image = redraw_logo(content) if content else b""
    image_hash = hash_logo(image) if image else ""
    club = Club.objects.select_for_update().get(pk=club.pk)
    if club.logo_mark == image_hash:
        return club
    Logo.objects.filter(club=club).delete()
    if image:
        Logo.objects.create(club=club, image=image)
    return update_club(club, "club.logo", {"logo": image_hash}, {"logo": "logo_mark"}, by=by)
