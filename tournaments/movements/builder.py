"""Builds movements from a name and a size."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from server.translation import gettext_noop
from tournaments.movements.arrow import find_best_switched_rounds, switch_arrows
from tournaments.movements.empty_place import find_fairest_empty_place
from tournaments.movements.formatting import join_alternatives, join_names
from tournaments.movements.schedule import (
    Movement,
    UnplayableMovement,
    leave_places_empty,
    shorten_movement,
)
from tournaments.movements.systems.catalogue import SYSTEMS_BY_NAME
from tournaments.movements.systems.custom import build_custom_movement
from tournaments.movements.systems.switches import SWITCH_ROUNDS_BY_MOVEMENT
from tournaments.movements.systems.system import MovementSystem, SizeUnit, format_size

CUSTOM_OPTIONS = {"meetings", "title", "contest", "sharing", "replays", "places", "one_winner"}
"""The options of a custom movement."""
SizeAndMissingCount = tuple[
    int, int
]  # the size in the system's unit, and the number of missing pairs


def build_named_movement(
    name: str,
    *,
    tables: int | None = None,
    pairs: int | None = None,
    players: int | None = None,
    teams: int | None = None,
    rounds: int | None = None,
    absent: Iterable[int | str] = (),
    one_winner: bool | None = None,
    switch: Iterable[int] = (),
    edition: int | None = None,
    **options: object,
) -> Movement:
    """Build the movement with a name and a size.

    One of tables, pairs, players and teams is enough. A system with a single size needs none.
    If the number of pairs is odd, one place is empty. It is the place in `absent` (a number or
    a label), or a place that the system chooses. `one_winner` switches sides in the rounds that
    give a Mitchell the best balance. `switch` has the rounds in which sides are switched. The
    name "custom" takes the director's rows as `meetings`. If `edition` is None, the newest
    edition of the schedule is built; see `rebuild_movement`. Raises UnplayableMovement for an
    unknown name, a size that does not fit, and an unknown option.
    """
    if name == "custom":
        return leave_places_empty(
            _build_custom_movement(one_winner=one_winner, **options), absent
        )
    movement_system = _find_system(name)
    counts_by_unit = {
        SizeUnit.TABLES: tables,
        SizeUnit.PAIRS: pairs,
        SizeUnit.PLAYERS: players,
        SizeUnit.TEAMS: teams,
    }
    valid_edition = _validate_edition(movement_system, edition)
    if movement_system.edition_count > 1:
        options["edition"] = valid_edition
    given_counts_by_unit = {
        unit: count for unit, count in counts_by_unit.items() if count is not None
    }
    system_size, missing_count = _find_consistent_size(
        movement_system, given_counts_by_unit, edition
    )
    has_switch_option = "switch" in movement_system.options
    if has_switch_option:
        options["switch"] = tuple(switch)
    movement = _build_movement(movement_system, system_size, rounds, options)
    absent = tuple(absent)
    if missing_count and not absent:
        is_full_length = rounds is None or movement_system.list_round_counts is not None
        full_movement = (
            movement
            if is_full_length
            else _build_movement(movement_system, system_size, None, options)
        )
        movement = _leave_place_empty(movement_system, full_movement, movement, valid_edition)
    movement = leave_places_empty(movement, absent)
    switched_rounds = () if has_switch_option else tuple(switch)
    if one_winner and not switched_rounds and movement.winner_count == 2:
        switched_rounds = _find_stored_switched_rounds(
            movement, movement_system.find_vacant_place(movement)
        ) or find_best_switched_rounds(movement)
    return _switch_arrows_in_rounds(movement, switched_rounds)


def rebuild_movement(name: str, *, edition: int = 1, **stored_values: Any) -> Movement:
    """Build a stored movement again, in the edition that was played.

    A missing edition means the first edition. The values `copies` and `blocks` are ignored,
    because they follow from the schedule.
    """
    options = {
        key: value for key, value in stored_values.items() if key not in ("copies", "blocks")
    }
    return build_named_movement(name, edition=edition, **options)


def build_stored_movement_values(movement: Movement) -> dict[str, Any]:
    """Return the data with which `rebuild_movement` can build a movement again."""
    stored_values: dict[str, Any] = {}
    if movement.edition > 1:
        stored_values["edition"] = movement.edition
    if movement.copy_count > 1:
        stored_values |= {"copies": movement.copy_count, "blocks": list(movement.blocks)}
    return stored_values


def build_full_movement(
    system_name: str, system_size: int, rounds: int | None = None
) -> Movement:
    """Build a system's movement without absent places; `system_size` is in its unit."""
    movement_system = _find_system(system_name)
    edition_options: dict[str, object] = {}
    if movement_system.edition_count > 1:
        edition_options["edition"] = movement_system.edition_count
    return _build_movement(movement_system, system_size, rounds, edition_options)


def find_empty_place(movement_system: MovementSystem, movement: Movement, edition: int) -> int:
    """Return the place of a full movement that is left empty if one pair is missing."""
    if movement_system.leaves_fairest_place_empty and edition > 1:
        return find_fairest_empty_place(movement)
    return movement_system.find_vacant_place(movement)


def _leave_place_empty(
    movement_system: MovementSystem, full_movement: Movement, movement: Movement, edition: int
) -> Movement:
    """Leave the place of the missing pair empty.

    If the first edition left another place empty, the movement is marked as a later edition.
    """
    empty_place = find_empty_place(movement_system, full_movement, edition)
    if empty_place != movement_system.find_vacant_place(full_movement):
        movement = replace(movement, edition=edition)
    return leave_places_empty(movement, (empty_place,))


def convert_size(
    movement_system: MovementSystem, unit: SizeUnit, unit_count: int, edition: int | None = None
) -> SizeAndMissingCount | None:
    """Convert a number of tables, pairs, players or teams to a size of a system.

    Returns None if the unit does not apply to the system. The caller must check whether the
    size fits.
    """
    if unit == movement_system.unit:
        return _round_up_pair_count(movement_system, unit_count, edition)
    if unit is SizeUnit.TABLES:
        return unit_count * {SizeUnit.PAIRS: 2, SizeUnit.PLAYERS: 4}.get(
            movement_system.unit, 1
        ), 0
    if (unit, movement_system.unit) == (SizeUnit.PAIRS, SizeUnit.TABLES):
        missing_count = (unit_count - movement_system.extra_pair_count) % 2
        return (
            unit_count - movement_system.extra_pair_count + missing_count
        ) // 2, missing_count
    return None


def _validate_edition(movement_system: MovementSystem, edition: int | None) -> int:
    if edition is None:
        return movement_system.edition_count
    if not 1 <= edition <= movement_system.edition_count:
        raise UnplayableMovement(
            _("Edition %(wanted)s of %(movement)s not found. Choose 1–%(newest)s.")
            % {
                "movement": movement_system.title,
                "newest": movement_system.edition_count,
                "wanted": edition,
            }
        )
    return edition


def _find_system(name: str) -> MovementSystem:
    if name not in SYSTEMS_BY_NAME:
        raise UnplayableMovement(
            _("Movement %(name)s not found. Choose from %(names)s.")
            % {"name": name, "names": join_alternatives([*SYSTEMS_BY_NAME, "custom"])}
        )
    return SYSTEMS_BY_NAME[name]


def _find_consistent_size(
    movement_system: MovementSystem, sizes_by_unit: dict[SizeUnit, int], edition: int | None
) -> SizeAndMissingCount:
    """Return the size that follows from all given numbers.

    Raises UnplayableMovement if there is no such size.
    """
    sizes_by_unit = sizes_by_unit or _find_only_size(movement_system)
    if not sizes_by_unit:
        raise UnplayableMovement(
            _(_MISSING_SIZE_MESSAGES[movement_system.unit])
            % {"movement": movement_system.title}
        )
    placeholders = {
        "movement": movement_system.title,
        "given": join_names(
            [
                format_size(unit, requested_size)
                for unit, requested_size in sizes_by_unit.items()
            ]
        ),
        "sizes": movement_system.sizes,
        "others": join_alternatives(movement_system.alternative_systems)
        if movement_system.alternative_systems
        else "",
    }
    sizes_and_missing_counts = {
        convert_size(movement_system, unit, unit_count, edition)
        for unit, unit_count in sizes_by_unit.items()
    }
    distinct_sizes_and_missing_counts = {
        size_and_missing_count
        for size_and_missing_count in sizes_and_missing_counts
        if size_and_missing_count is not None
    }
    is_size_agreed = (
        None not in sizes_and_missing_counts
        and len({size for size, _missing_count in distinct_sizes_and_missing_counts}) == 1
    )
    if not is_size_agreed or not all(
        movement_system.fits_size(size)
        for size, _missing_count in distinct_sizes_and_missing_counts
    ):
        message = _("%(movement)s doesn’t fit %(given)s. It needs %(sizes)s.")
        if movement_system.alternative_systems:
            message = _(
                "%(movement)s doesn’t fit %(given)s. It needs %(sizes)s. Or play %(others)s."
            )
        raise UnplayableMovement(message % placeholders)
    missing_count = max(
        missing_pair_count for _size, missing_pair_count in distinct_sizes_and_missing_counts
    )
    if missing_count and movement_system.extra_pair_count:
        message = _(
            "%(movement)s doesn’t fit %(given)s. It needs an odd number of pairs, two per "
            "table and one more."
        )
        raise UnplayableMovement(message % placeholders)
    return next(iter(distinct_sizes_and_missing_counts))[0], missing_count


_MISSING_SIZE_MESSAGES = {
    SizeUnit.TABLES: gettext_noop("Enter the number of tables for %(movement)s."),
    SizeUnit.PAIRS: gettext_noop("Enter the number of pairs for %(movement)s."),
    SizeUnit.PLAYERS: gettext_noop("Enter the number of players for %(movement)s."),
    SizeUnit.TEAMS: gettext_noop("Enter the number of teams for %(movement)s."),
}


def _find_only_size(movement_system: MovementSystem) -> dict[SizeUnit, int]:
    """Return the only size of a system, e.g. two pairs in memory duplicate, or {}."""
    fitting_sizes = [size for size in range(1, 200) if movement_system.fits_size(size)]
    return {movement_system.unit: fitting_sizes[0]} if len(fitting_sizes) == 1 else {}


def _build_custom_movement(**options: Any) -> Movement:
    """Build a custom movement from the rows in `meetings`."""
    unknown_options = set(options) - CUSTOM_OPTIONS
    if unknown_options or "meetings" not in options:
        raise UnplayableMovement(
            _(
                "Enter the custom movement’s meetings: rows with round, table, ns, ew and "
                "group. Title, contest and sharing are optional."
            )
        )
    return build_custom_movement(options.pop("meetings"), **options)


def _round_up_pair_count(
    movement_system: MovementSystem, pair_count: int, edition: int | None
) -> SizeAndMissingCount:
    """Return an even number of pairs, and the number of missing pairs (0 or 1).

    A number that the system accepts as it is, or a number of another unit, is not rounded.
    """
    if movement_system.unit is not SizeUnit.PAIRS or (
        edition != 1 and movement_system.fits_size(pair_count)
    ):
        return pair_count, 0
    return pair_count + pair_count % 2, pair_count % 2


def _build_movement(
    movement_system: MovementSystem,
    system_size: int,
    rounds: int | None,
    options: dict[str, object],
) -> Movement:
    for option_name in options:
        if option_name not in (*movement_system.options, "edition"):
            message = _("%(movement)s has no option called %(option)s.")
            raise UnplayableMovement(
                message % {"movement": movement_system.title, "option": option_name}
            )
    if "rounds" in movement_system.options:
        return movement_system.build_movement(system_size, rounds=rounds, **options)
    movement = movement_system.build_movement(system_size, **options)
    return movement if rounds is None else shorten_movement(movement, rounds)


def _find_stored_switched_rounds(movement: Movement, vacant_place: int) -> tuple[int, ...]:
    """Return the stored best rounds to switch, or () if none are stored.

    They are stored for movements without empty places or with only `vacant_place` empty.
    """
    stored_switch_text = SWITCH_ROUNDS_BY_MOVEMENT.get(
        (movement.name, movement.table_count, movement.round_count), ""
    )
    full_text, _separator, half_table_text = stored_switch_text.partition(";")
    texts_by_empty_places = {
        frozenset[int](): full_text,
        frozenset({vacant_place}): half_table_text,
    }
    return tuple(
        int(round_text)
        for round_text in texts_by_empty_places.get(movement.absent_places, "").split()
    )


def _switch_arrows_in_rounds(movement: Movement, rounds: tuple[int, ...]) -> Movement:
    if rounds and movement.winner_count == 1:
        raise UnplayableMovement(
            _("%(movement)s already has one winner. It needs no arrow switch.")
            % {"movement": movement.title}
        )
    return switch_arrows(movement, rounds)
