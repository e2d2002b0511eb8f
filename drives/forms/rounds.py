"""The creation of rounds from the stored input of a draw, which can be repeated.

Every round is drawn or moved here, for the rows as well as for verification.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from drives.draw.changes import replaced
from drives.draw.company import Company, Drawn, Player
from drives.draw.evening import draw_evening
from drives.draw.roles import seated_by_role
from drives.errors import UnplayableDrive
from drives.forms import Form
from drives.forms.drawn_cards import CARDS, START, seated_by_cards
from drives.forms.ties import TIES
from drives.moves.mending import mended, roles_of
from drives.moves.state import Role, Side, Table

BELL = "bell"
"""The term for who rings the bell that stops all tables."""
HOUSE_TERMS = (TIES, BELL, START)
"""The house's terms that no form reads."""


def custom_of(terms: Mapping[str, Any]) -> dict[str, Any]:
    """Return the terms that a form reads: the custom by which results move."""
    return {term: value for term, value in terms.items() if term not in HOUSE_TERMS}


@dataclass(frozen=True, kw_only=True)
class DrawInput:
    """The input of a draw: the company, and the decisions of tables or the caller.

    `rounds` is the number to make. `standing` is best first. `roles` are the initial ones of
    players, and those of players who rest. `winners` are sides by table. `rests` count
    tonight's. `replaced` are pairs of a player and the one who took over his seats after the
    draw.
    """

    company: Company
    rounds: int = 1
    standing: tuple[int, ...] = ()
    roles: Mapping[int, str] = field(default_factory=dict)
    winners: Mapping[int, str] = field(default_factory=dict)
    rests: Mapping[int, int] = field(default_factory=dict)
    replaced: tuple[tuple[int, int], ...] = ()

    @property
    def people(self) -> tuple[Player, ...]:
        """All players who may be drawn."""
        return (*self.company.players, *self.company.house)

    def data(self) -> dict[str, Any]:
        """Return the input in the format of rows and files, without default values."""
        company = self.company
        whole = {
            "players": list(company.players),
            "house": list(company.house),
            "apart": sorted(sorted(map(_number, pair)) for pair in company.apart),
            "seated": list(company.seated),
            "ledger": _by_text(company.ledger),
            "rounds": self.rounds,
            "standing": list(self.standing),
            "roles": _by_text(self.roles),
            "winners": _by_text(self.winners),
            "rests": _by_text(self.rests),
            "replaced": [list(pair) for pair in self.replaced],
        }
        return {key: value for key, value in whole.items() if value}


class DrawResult(NamedTuple):
    """The rounds made, and the players who are now out, as losers of a cut are."""

    rounds: tuple[Drawn, ...]
    out: tuple[Player, ...] = ()


def make(
    form: Form,
    terms: Mapping[str, Any],
    handed: DrawInput,
    secret: bytes,
    played: Sequence[Drawn],
) -> DrawResult:
    """Draw or move the next rounds of a form; raise UnplayableDrive with the reason.

    Players who took over seats afterwards are replaced by the original ones for the draw.
    """
    for goes, comes in reversed(handed.replaced):
        played = replaced(played, comes, goes)
    made = _made(form, terms, handed, secret, played)
    rounds = list(made.rounds)
    for goes, comes in handed.replaced:
        rounds = replaced(rounds, goes, comes)
    return DrawResult(tuple(rounds), made.out)


def _made(
    form: Form,
    terms: Mapping[str, Any],
    handed: DrawInput,
    secret: bytes,
    played: Sequence[Drawn],
) -> DrawResult:
    company, count = handed.company, handed.rounds
    if form.draws is not None:
        return DrawResult((form.draws(company, secret, played, handed.standing),))
    if form.moves is not None:
        return _moved(form, terms, handed, secret, played)
    if not played:
        return DrawResult(form.plans(company, count, secret).rounds)
    if form.together:
        return DrawResult(
            form.plans(company, len(played) + count, secret).rounds[len(played) :]
        )
    return DrawResult(draw_evening(company, count, secret, played=played).rounds)


def _moved(
    form: Form,
    terms: Mapping[str, Any],
    handed: DrawInput,
    secret: bytes,
    played: Sequence[Drawn],
) -> DrawResult:
    """Seat the first round by lot, by roles or by drawn cards; later rounds by results."""
    assert form.moves is not None
    company = handed.company
    if not played and terms.get(START) == CARDS:
        return DrawResult((seated_by_cards(company, dict(handed.roles.items())),))
    if not played:
        first = form.plans(company, 1, secret).rounds[0]
        if form.roles and any(handed.roles.values()):
            first = seated_by_role(company, dict(handed.roles.items()), secret)
        return DrawResult((first,))
    rests: dict[Player, int] = dict(handed.rests.items())
    moved = form.moves(
        state_tables(played[-1], handed.winners, handed.roles),
        custom_of(terms),
        rests,
    )
    present = [*company.players, *company.filling]
    out: tuple[Player, ...] = ()
    if form.code == "cut":
        out, moved = moved.rest, Drawn(moved.tables, ())
        seated = {player for table in moved.tables for player in table}
        present = [player for player in company.players if player not in out]
        present += [player for player in company.filling if player in seated]
        if not moved.tables:
            raise UnplayableDrive(_("One table was left, and it has played: the cut is over."))
    roles: dict[Player, str] = dict(handed.roles.items())
    roles |= roles_of(played[-1].tables)
    found = mended(moved, present, roles, rests)
    return DrawResult((Drawn(found.tables, found.rest),), out)


def state_tables(
    drawn: Drawn, winners: Mapping[int, str], roles: Mapping[int, str]
) -> list[Table]:
    """Return the tables of a round with their winners, and the half table of those who rest."""
    tables = [
        Table(number, seats, Side(winners[number]) if number in winners else None)
        for number, seats in enumerate(drawn.tables, start=1)
    ]
    if drawn.rest:
        seconds = [who for who in drawn.rest if roles.get(_number(who)) == Role.SECOND]
        firsts = [who for who in drawn.rest if who not in seconds]
        half = max(len(firsts), len(seconds), 1)
        if 2 * half == len(drawn.rest) == 4:
            half += 1  # with four filled seats it would be a full table
        seats = [*_padded(firsts, half), *_padded(seconds, half)]
        tables.append(Table(len(tables) + 1, tuple(seats)))
    return tables


def _padded(players: Sequence[Player], size: int) -> list[Player | None]:
    return [*players, *[None] * (size - len(players))]


def handed_from(data: Mapping[str, Any]) -> DrawInput:
    """Read the format that `DrawInput.data` returns."""
    return DrawInput(
        company=Company(
            players=tuple(data["players"]),
            house=tuple(data.get("house", ())),
            apart=frozenset(frozenset[Player](pair) for pair in data.get("apart", ())),
            seated=tuple(data.get("seated", ())),
            ledger=_by_number(data.get("ledger", {})),
        ),
        rounds=data.get("rounds", 1),
        standing=tuple(data.get("standing", ())),
        roles=_by_number(data.get("roles", {})),
        winners=_by_number(data.get("winners", {})),
        rests=_by_number(data.get("rests", {})),
        replaced=tuple((one, other) for one, other in data.get("replaced", ())),
    )


def _number(player: Player) -> int:
    assert isinstance(player, int)
    return player


def _by_text(found: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(key): found[key] for key in sorted(found)}


def _by_number(found: Mapping[str, Any]) -> dict[Any, Any]:
    return {int(key): value for key, value in found.items()}
