"""The papers' values of a drive, from its rows."""

from collections.abc import Mapping

from clubs.activities.secrecy import full
from drives.forms.rounds import custom_of
from drives.held import HeldDrive
from drives.sheets.desk import custom
from drives.sheets.on_paper import (
    USUAL_HANDS,
    AwardOnPaper,
    DriveOnPaper,
    PlayerOnPaper,
    RoundOnPaper,
    onward,
)
from drives.sheets.standing import prize_list
from drives.trumps import trumps_of
from printing.qr import QrCode
from printing.values import Heading


def on_paper(
    held: HeldDrive,
    codes: Mapping[int, QrCode] | None = None,
    table_codes: Mapping[int, QrCode] | None = None,
) -> DriveOnPaper:
    """Return a drive's present state for its papers.

    `codes` are the QR codes of the players' own pages, `table_codes` those of the tables.
    """
    drive = held.drive
    usual = max(1, USUAL_HANDS // drive.hands)
    rounds = max([drive.rounds or (0 if held.rounds else usual), *held.rounds])
    if drive.rounds is None and held.last < usual:
        rounds = usual
    terms = custom_of(drive.terms)
    roles = (held.word("first"), held.word("second")) if held.form.roles else None
    tables = held.table_count
    return DriveOnPaper(
        heading=Heading(drive.club.name, drive.name, drive.date),
        form=drive.form,
        title=held.form.title,
        custom=custom(held),
        hands=drive.hands,
        kind=held.scoring.kind,
        rounds=tuple(_round(held, number) for number in range(1, rounds + 1)),
        players=_players(held, codes or {}),
        tables=tables,
        table_codes=table_codes or {},
        roles=roles,
        onward=onward(held.form, terms, tables, _resting(held)),
        awards=_awards(held),
    )


def _resting(held: HeldDrive) -> int:
    """Return the number of players who are left over when the tables are full."""
    return len(held.at.rest) if held.at is not None else len(held.present(1)) % 4


def _round(held: HeldDrive, number: int) -> RoundOnPaper:
    found = held.rounds.get(number)
    if found is None:
        return RoundOnPaper(number, trumps_of(held.drive, number))
    tables = []
    for table, four in found.tables.items():
        one, two, three, last = (who for who in four if isinstance(who, int))
        tables.append((table, (one, two, three, last)))
    return RoundOnPaper(number, found.row.trumps, tuple(tables), found.rest)


def _players(held: HeldDrive, codes: Mapping[int, QrCode]) -> tuple[PlayerOnPaper, ...]:
    return tuple(
        PlayerOnPaper(
            number=player.number,
            name=player.name,
            role=held.word(player.role),
            fort=player.fort,
            house=player.house,
            code=codes.get(player.number),
        )
        for player in sorted(held.players.values(), key=lambda each: (each.house, each.number))
        if player.to_round is None or player.to_round >= player.from_round
    )


def _awards(held: HeldDrive) -> tuple[AwardOnPaper, ...]:
    """Return the prizes with their winners once the drive is closed; before that without."""
    if not held.drive.is_closed:
        return tuple(
            AwardOnPaper(prize.number, prize.words)
            for prize in held.drive.prizes.all()
            for _each in (prize.places or range(prize.count))
        )
    return tuple(
        AwardOnPaper(
            line.prize,
            line.words,
            line.person.number if line.person else None,
            line.person.name if line.person else "",
            line.why,
        )
        for line in prize_list(held, full)
    )
