"""Two names that look like one person and are two: said once, and not asked again."""

from django.db import transaction

from clubs import audit
from clubs.audit import Actor, Back
from clubs.models import Club, Player, TwoPeople


@transaction.atomic
def tell_apart(*, one: Player, other: Player, by: Actor) -> TwoPeople | None:
    """Remember that two players are two people; of two clubs they are anyway."""
    if one.club_id != other.club_id or one.pk == other.pk:
        return None
    first, second = sorted((one, other), key=lambda each: each.pk)
    row, made = TwoPeople.objects.get_or_create(one=first, other=second)
    if made:
        about = (f"player {first.pk}", f"player {second.pk}")
        given = {"one": first.pk, "other": second.pk}
        audit.record(
            by,
            "players.apart",
            subject=first.club,
            after={"name": first.name, "other": second.name},
            back=Back(about, "players.ask_again", given),
        )
    return row


@transaction.atomic
def ask_again(*, club: Club, one: int, other: int, by: Actor) -> None:
    """Forget that two players were said to be two people."""
    rows = TwoPeople.objects.filter(one__club=club, one=one, other=other)
    for row in rows.select_related("one", "other"):
        names = {"name": row.one.name, "other": row.other.name}
        about = (f"player {one}", f"player {other}")
        given = {"one": one, "other": other}
        row.delete()
        audit.record(
            by,
            "players.unclear",
            subject=club,
            before=names,
            back=Back(about, "players.apart", given),
        )
