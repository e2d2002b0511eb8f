"""Services that change the personal data and the consents of a club's people."""

from collections.abc import Iterable, Mapping
from datetime import date as Date
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from boards.whist import WhistError
from clubs import audit
from clubs.audit import Actor, Undo
from clubs.models import Club, Consent, Player, TwoPeople
from clubs.names.tidy import build_name_key

PRIVATE_FIELDS = ("number", "kind", "joined", "left", "email", "phone")
"""The fields of a player that only directors and the player can see.

The audit log shows which of these fields changed, but not their values.
"""


class InvalidPersonData(WhistError):
    """An invalid value for a person, with a message that names the field."""

    code = "person_refused"


@transaction.atomic
def update_person(
    *,
    player: Player,
    details: Mapping[str, str | Date | None],
    consents: Mapping[str, bool | None],
    by: Actor,
) -> Player:
    """Change a person's data and consents.

    A consent of None deletes the stored consent.
    Fields that are not passed are not changed. Raises InvalidPersonData for an invalid value,
    such as the number of another person.
    """
    player = Player.objects.select_for_update().select_related("club").get(pk=player.pk)
    check_not_erased(player)
    changed_fields = [
        field_name
        for field_name, value in details.items()
        if (value or None) != (getattr(player, field_name) or None)
    ]
    former_details = get_details(player, changed_fields)
    consents_by_purpose = {consent.what: consent for consent in player.consents.all()}
    changed_purposes = [
        field_name
        for field_name, value in consents.items()
        if _get_consent_value(consents_by_purpose.get(field_name)) != value
    ]
    if not changed_fields and not changed_purposes:
        return player
    for field_name in changed_fields:
        setattr(
            player,
            field_name,
            details[field_name] or (None if field_name in ("joined", "left") else ""),
        )
    _check_person(player)
    player.save(update_fields=changed_fields)
    former_consents_by_purpose = {
        field_name: _to_undo_data(consents_by_purpose.get(field_name))
        for field_name in changed_purposes
    }
    for field_name in changed_purposes:
        _store_consent(player, field_name, consents[field_name], by)
    _record_act(by, player, former_details, former_consents_by_purpose)
    return player


@transaction.atomic
def restore_person(
    *,
    player: Player,
    details: Mapping[str, str],
    consents: Mapping[str, Mapping[str, Any] | None],
    by: Actor,
) -> None:
    """Undo a change of a person's data by restoring the former values and consents."""
    player = Player.objects.select_for_update().select_related("club").get(pk=player.pk)
    check_not_erased(player)
    former_details = get_details(player, details)
    consents_by_purpose = {consent.what: consent for consent in player.consents.all()}
    former_consents_by_purpose = {
        purpose: _to_undo_data(consents_by_purpose.get(purpose)) for purpose in consents
    }
    set_details(player, details)
    _check_person(player)
    player.save(update_fields=list(details))
    for purpose, former_consent in consents.items():
        player.consents.filter(what=purpose).delete()
        if former_consent is not None:
            consent_values = {
                **former_consent,
                "at": datetime.fromisoformat(former_consent["at"]),
            }
            Consent.objects.create(player=player, what=purpose, **consent_values)
    _record_act(by, player, former_details, former_consents_by_purpose)


def get_details(player: Player, field_names: Iterable[str] = PRIVATE_FIELDS) -> dict[str, str]:
    """Return these fields of a person as text; dates are in ISO format."""
    details = {}
    for field_name in field_names:
        field_value = getattr(player, field_name)
        details[field_name] = (
            field_value.isoformat() if isinstance(field_value, Date) else field_value or ""
        )
    return details


def set_details(player: Player, details: Mapping[str, str]) -> None:
    """Set the fields of a person from the texts of `get_details`, without saving the person."""
    for field_name, detail_text in details.items():
        is_date_field = field_name in ("joined", "left")
        setattr(
            player,
            field_name,
            (Date.fromisoformat(detail_text) if detail_text else None)
            if is_date_field
            else detail_text,
        )


def check_not_erased(player: Player) -> None:
    """Raise InvalidPersonData if the person's data was erased."""
    if player.forgotten_on is not None:
        raise InvalidPersonData(_("This player’s data was deleted."))


def _record_act(
    by: Actor,
    player: Player,
    former_details: Mapping[str, str],
    former_consents_by_purpose: Mapping[str, Any],
) -> None:
    undo_arguments = {
        "player": player.pk,
        "details": dict(former_details),
        "consents": dict(former_consents_by_purpose),
    }
    audit.record(
        by,
        "person.kept",
        subject=player.club,
        where={"name": player.name},
        after={"details": sorted([*former_details, *former_consents_by_purpose])},
        undo=Undo((f"player {player.pk}",), "person.put", undo_arguments),
    )


def _check_person(player: Player) -> None:
    try:
        player.full_clean(exclude=["name", "shown"])
    except ValidationError as error:
        messages_by_field = getattr(error, "message_dict", {})
        if "number" in messages_by_field or "one_player_a_club_and_number" in str(error):
            message = _("Number %(number)s belongs to another player.")
            raise InvalidPersonData(message % {"number": player.number}) from None
        raise InvalidPersonData(" ".join(error.messages)) from None


def _store_consent(player: Player, purpose: str, is_given: bool | None, by: Actor) -> None:
    player.consents.filter(what=purpose).delete()
    if is_given is not None:
        now, author_key = timezone.now(), audit.format_author_key(by)
        Consent.objects.create(
            player=player, what=purpose, given=is_given, at=now, by=author_key
        )


def _get_consent_value(consent: Consent | None) -> bool | None:
    return None if consent is None else consent.given


def _to_undo_data(consent: Consent | None) -> dict[str, Any] | None:
    if consent is None:
        return None
    return {"given": consent.given, "at": consent.at.isoformat(), "by": consent.by}


@transaction.atomic
def create_different_people_record(
    *, player: Player, other_player: Player, by: Actor
) -> TwoPeople | None:
    """Record that two players with similar names are different people.

    Returns None for players of different clubs, for whom no record is needed.
    """
    if player.club_id != other_player.club_id or player.pk == other_player.pk:
        return None
    first_player, second_player = sorted((player, other_player), key=lambda player: player.pk)
    different_people_record, was_created = TwoPeople.objects.get_or_create(
        one=first_player, other=second_player
    )
    if was_created:
        undo_subjects = (f"player {first_player.pk}", f"player {second_player.pk}")
        undo_arguments = {"one": first_player.pk, "other": second_player.pk}
        audit.record(
            by,
            "players.apart",
            subject=first_player.club,
            after={"name": first_player.name, "other": second_player.name},
            undo=Undo(undo_subjects, "players.ask_again", undo_arguments),
        )
    return different_people_record


@transaction.atomic
def delete_different_people_records(*, club: Club, one: int, other: int, by: Actor) -> None:
    """Delete the record that two players are different people."""
    different_people_records = TwoPeople.objects.filter(one__club=club, one=one, other=other)
    for different_people_record in different_people_records.select_related("one", "other"):
        names = {
            "name": different_people_record.one.name,
            "other": different_people_record.other.name,
        }
        undo_subjects = (f"player {one}", f"player {other}")
        undo_arguments = {"one": one, "other": other}
        different_people_record.delete()
        audit.record(
            by,
            "players.unclear",
            subject=club,
            before=names,
            undo=Undo(undo_subjects, "players.apart", undo_arguments),
        )


def load_players_by_name_key(club: Club) -> dict[str, Player]:
    """Return the players of a club by their name keys (`build_name_key`)."""
    return {build_name_key(player.name): player for player in club.players.all()}


def load_name_keys(club: Club) -> set[str]:
    """Return the name keys (`build_name_key`) of a club's players."""
    return {build_name_key(name) for name in club.players.values_list("name", flat=True)}
