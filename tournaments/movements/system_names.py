"""Finds a system by one of its names, e.g. Mitchell, relay or three-quarter Howell."""

from tournaments.movements.builder import convert_size
from tournaments.movements.systems.catalogue import SYSTEMS_BY_NAME
from tournaments.movements.systems.system import System, Unit


def find_systems(word: str) -> list[System]:
    """Return the system with this name, or all systems that have it among their other names."""
    system_name = "-".join(word.casefold().replace("_", "-").split())
    if system_name in SYSTEMS_BY_NAME:
        return [SYSTEMS_BY_NAME[system_name]]
    return [system for system in SYSTEMS_BY_NAME.values() if system_name in system.other_names]


def find_system_name(word: str, counts_by_unit: dict[Unit, int]) -> str:
    """Return the name of the system that a word means, if possible one that fits the sizes.

    An unknown word is returned unchanged, so that `build` raises an error for it.
    """
    systems = find_systems(word)
    if not systems:
        return word
    return next(
        (system.name for system in systems if _fits_sizes(system, counts_by_unit)),
        systems[0].name,
    )


def _fits_sizes(system: System, counts_by_unit: dict[Unit, int]) -> bool:
    for unit, count in counts_by_unit.items():
        size = convert_size(system, unit, count)
        if size is None or not system.fits_size(size[0]) or (size[1] and system.extra_pairs):
            return False
    return bool(counts_by_unit)
