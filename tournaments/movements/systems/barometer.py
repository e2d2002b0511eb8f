"""The barometer: all tables play the same boards in each round, so interim standings are fair.

Each round has new boards. Tables that share a copy of them pass it on during the round. The
number of pairs is one more than a prime power of the form 4k + 3. Any two pairs then meet once
and sit the same way equally often. The movement can stop after any round.

Source: the barometer of Scandinavian clubs; the squares of a field give sides with
autocorrelation -1 (Paley, 1933).
"""

from django.utils.translation import gettext as _

from server.translation import gettext_noop
from tournaments.movements.meetings import Contest, make_numeric_labels, make_pair_meeting
from tournaments.movements.schedule import Movement
from tournaments.movements.systems.finite_fields import FiniteField
from tournaments.movements.systems.system import MovementSystem, SizeUnit, format_title

MAX_PAIRS = 84


def build_barometer(pair_count: int) -> Movement:
    """Seat the highest number East-West at the last table; all others move every round.

    The other pairs are the elements of a finite field. In round 1 each square of the field
    sits North-South against its negative. Each later round adds the next element to all pairs.
    """
    finite_field = FiniteField.build(pair_count - 1)
    first_round_tables = [
        (square, finite_field.subtract(0, square)) for square in sorted(finite_field.squares)
    ]
    meetings = [
        make_pair_meeting(
            round_index + 1,
            table_number,
            1 + finite_field.add(ns, round_index),
            1 + finite_field.add(ew, round_index),
            round_index + 1,
        )
        for round_index in range(pair_count - 1)
        for table_number, (ns, ew) in enumerate(first_round_tables, start=1)
    ]
    meetings += [
        make_pair_meeting(
            round_index + 1, pair_count // 2, 1 + round_index, pair_count, round_index + 1
        )
        for round_index in range(pair_count - 1)
    ]
    return Movement(
        name="barometer",
        title=format_title(_("Barometer"), SizeUnit.PAIRS, pair_count),
        contest=Contest.PAIRS,
        meetings=tuple(meetings),
        labels=make_numeric_labels(pair_count),
        allows_sharing=True,
    )


def fits_barometer(pair_count: int) -> bool:
    """Return whether a perfect barometer for a number of pairs is known."""
    return (
        8 <= pair_count <= MAX_PAIRS
        and pair_count % 4 == 0
        and FiniteField.can_build(pair_count - 1)
    )


def _list_barometer_announcements(movement: Movement) -> list[str]:
    lines = [
        _("Pair %(pair)s stays.") % {"pair": movement.format_place(movement.place_count)}
        if movement.place_count in movement.occupied_places
        else "",
        _("Everyone else follows the guide card."),
        _("All tables play the same boards in a round. Tables that share a copy pass it on."),
        _("The boards of a round aren’t played again."),
    ]
    return [line for line in lines if line]


BAROMETER_SYSTEM = MovementSystem(
    name="barometer",
    title=gettext_noop("Barometer"),
    unit=SizeUnit.PAIRS,
    sizes=gettext_noop("8, 12, 20, 24, 28, 32, 44, 48, 60, 68, 72, 80 or 84 pairs"),
    alternative_systems=("howell",),
    fits_size=fits_barometer,
    build_movement=build_barometer,
    source=gettext_noop("Scandinavian clubs, R. Paley (1933)"),
    remarks=gettext_noop("one winner, all play the same boards each round (copies needed)"),
    list_announcements=_list_barometer_announcements,
    is_recommended=False,
)
