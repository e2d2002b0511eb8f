"""Trophies made, engraved, awarded for a season, and each of it taken back."""

from collections.abc import Sequence

from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Back
from clubs.letters import plain_letters
from clubs.models import Club, Player
from clubs.privacy import may_be_shown
from clubs.slugs import free_slug
from seasons.errors import SeasonRefused
from seasons.ladders import LadderRow
from seasons.models import EngravedName, Engraving, Season, Trophy
from seasons.season_tables import tables_of

LONGEST_NAME, LONGEST_YEAR = 100, 20
MOST_NAMES = 12
Names = Sequence[int | str]
"""People by their keys, and names that are nobody's here."""


@transaction.atomic
def make_trophy(
    *, club: Club, name: str, ladder: str = "", not_with: Trophy | None = None, by: Actor
) -> Trophy:
    """Add a trophy; raises SeasonRefused for a name that is empty, too long or taken."""
    club = Club.objects.select_for_update().get(pk=club.pk)
    tidy = " ".join(name.split())
    if not tidy or len(tidy) > LONGEST_NAME:
        raise SeasonRefused(_("Give the trophy a name of at most 100 letters."))
    if Trophy.objects.filter(club=club, name__iexact=tidy).exists():
        raise SeasonRefused(_("There is a trophy of this name already."))
    trophy = Trophy.objects.create(
        club=club,
        slug=free_slug(slugify(tidy)[:50] or "trophy", Trophy),
        name=tidy,
        ladder=ladder,
        not_with=not_with,
        order=Trophy.objects.filter(club=club).count() + 1,
    )
    back = Back(("trophy",), "trophy.remove")
    audit.record(by, "trophy.made", subject=trophy, after={"name": tidy}, back=back)
    return trophy


@transaction.atomic
def remove_trophy(*, trophy: Trophy, by: Actor) -> None:
    """Take a trophy away that nothing is engraved on; raises SeasonRefused otherwise."""
    row = Trophy.objects.select_for_update().filter(pk=trophy.pk).first()
    if row is None:
        return
    if row.engravings.exists():
        raise SeasonRefused(_("Names are engraved on it; take these away first."))
    audit.record(by, "trophy.removed", subject=row, before={"name": row.name})
    row.delete()


@transaction.atomic
def engrave(
    *, trophy: Trophy, year: str, names: Names, season: Season | None = None, by: Actor
) -> Engraving:
    """Engrave a year; names are people's keys or texts, and a year has one engraving.

    A text that is the name of somebody of the club, in whatever capitals and accents, stands
    for that person, so that a name that is hidden stays hidden. Raises SeasonRefused for what
    cannot be engraved.
    """
    row = Trophy.objects.select_for_update().filter(pk=trophy.pk).first()
    if row is None:
        raise SeasonRefused(_("There is no such trophy."))
    tidy = " ".join(year.split())
    people = _people(row.club, names)
    if not tidy or len(tidy) > LONGEST_YEAR:
        raise SeasonRefused(_("Write the year, such as 2026 or 2025/26."))
    if not 0 < len(people) <= MOST_NAMES or any(len(str(it)) > LONGEST_NAME for it in people):
        raise SeasonRefused(_("Write one name to twelve, each of at most 100 letters."))
    if row.engravings.filter(year__iexact=tidy).exists():
        words = _("%(trophy)s has names of %(year)s already.")
        raise SeasonRefused(words % {"trophy": row.name, "year": tidy})
    made = Engraving.objects.create(trophy=row, year=tidy, season=season)
    EngravedName.objects.bulk_create(
        EngravedName(
            engraving=made,
            order=order,
            player_id=each if isinstance(each, int) else None,
            name="" if isinstance(each, int) else each,
        )
        for order, each in enumerate(people, start=1)
    )
    back = Back(("trophy",), "trophy.unengrave", {"year": tidy})
    after = {"name": row.name, "year": tidy}
    audit.record(by, "trophy.engraved", subject=row, after=after, back=back)
    return made


@transaction.atomic
def unengrave(*, trophy: Trophy, year: str, by: Actor) -> None:
    """Take a year's names away."""
    rows = Engraving.objects.select_for_update().filter(trophy=trophy)
    row = rows.filter(year=year).first()
    if row is None:
        return
    names = list(row.names.all())
    given = {"year": year, "names": [[each.player_id, each.name] for each in names]}
    before = {"name": trophy.name, "year": year}
    row.delete()
    back = Back(("trophy",), "trophy.engrave", given)
    audit.record(by, "trophy.unengraved", subject=trophy, before=before, back=back)


@transaction.atomic
def award_season(*, season: Season, by: Actor) -> list[Engraving]:
    """Engrave each trophy with the first of its ladder; a trophy that has the year is left.

    Who has the trophy that a trophy does not go with is passed over, and the next has it.
    """
    club = Club.objects.select_for_update().get(pk=season.club_id)
    tables = {row.slug: table for row, table in tables_of(season)}
    won: dict[int, set[int | str]] = {}
    made = []
    for trophy in sorted(
        Trophy.objects.filter(club=club), key=lambda it: it.not_with_id is not None
    ):
        table = tables.get(trophy.ladder)
        if table is None:
            continue
        kept = trophy.engravings.filter(year=season.name[:LONGEST_YEAR]).first()
        if kept is not None:
            won[trophy.pk] = {each.player_id or each.name for each in kept.names.all()}
            continue
        passed = won.get(trophy.not_with_id or 0, set())
        names = _winners(table.ranked, passed)
        if names:
            won[trophy.pk] = set(names)
            year = season.name[:LONGEST_YEAR]
            made.append(engrave(trophy=trophy, year=year, names=names, season=season, by=by))
    return made


def _winners(rows: Sequence[LadderRow], passed: set[int | str]) -> list[int | str]:
    """Everybody who is level first among those who may have it."""
    found: list[int | str] = []
    rank = 0
    for row in rows:
        who = [row.who] if isinstance(row.who, str) else list(row.who)
        if rank and row.rank != rank:
            break
        if not passed & set(who):
            rank = row.rank
            found += who
    return found


def _people(club: Club, names: Names) -> list[int | str]:
    texts = [" ".join(each.split()) for each in names if isinstance(each, str)]
    known = _known(club, texts)
    own = set(Player.objects.filter(club=club).values_list("pk", flat=True))
    found: list[int | str] = []
    for each in names:
        if isinstance(each, int):
            found += [each] if each in own else []
        elif text := " ".join(each.split()):
            found.append(known[text] or text)
    return list(dict.fromkeys(found))


def _known(club: Club, texts: Sequence[str]) -> dict[str, int | None]:
    """Who of the club each text means, by the name as it is written or by its plain letters.

    Of two who differ by an accent alone the plain letters mean the one whose name is less
    shown: whoever is hidden is not told by another's way of writing.
    """
    letters = {text: plain_letters(text) for text in texts}
    rows = Player.objects.filter(club=club, plain__in=set(letters.values()))
    people = sorted(rows, key=lambda each: (not may_be_shown(each), each.pk))
    names = {each.name: each.pk for each in people}
    plain = {each.plain: each.pk for each in people}
    return {text: names.get(text) or plain.get(letters[text]) for text in texts}
