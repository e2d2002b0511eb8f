"""Finds a system by one of its names, e.g. Mitchell, relay or three-quarter Howell."""

from tournaments.movements.builder import convert_size
from tournaments.movements.systems.catalogue import SYSTEMS_BY_NAME
from tournaments.movements.systems.system import MovementSystem, SizeUnit


def find_systems(name_or_alias: str) -> list[MovementSystem]:
    """Return the system with this name, or all systems that have it among their other names."""
    system_name = "-".join(name_or_alias.casefold().replace("_", "-").split())
    if system_name in SYSTEMS_BY_NAME:
        return [SYSTEMS_BY_NAME[system_name]]
    return [system for system in SYSTEMS_BY_NAME.values() if system_name in system.alias_names]


def find_system_name(name_or_alias: str, counts_by_unit: dict[SizeUnit, int]) -> str:
    """Return the name of the system that a word means, if possible one that fits the sizes.

    An unknown word is returned unchanged, so that `build_named_movement` raises an error.
    """
    systems = find_systems(name_or_alias)
    if not systems:
        return name_or_alias
    return next(
        (system.name for system in systems if _fits_sizes(system, counts_by_unit)),
        systems[0].name,
    )


def _fits_sizes(system: MovementSystem, counts_by_unit: dict[SizeUnit, int]) -> bool:
    for unit, unit_count in counts_by_unit.items():
        size_and_missing_count = convert_size(system, unit, unit_count)
        if (
            size_and_missing_count is None
            or not system.fits_size(size_and_missing_count[0])
            or (size_and_missing_count[1] and system.extra_pair_count)
        ):
            return False
    return bool(counts_by_unit)
