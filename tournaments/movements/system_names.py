"""The names that directors use for a system: Mitchell, relay, three-quarter Howell."""

from tournaments.movements.builder import convert_size
from tournaments.movements.systems.catalogue import CATALOGUE
from tournaments.movements.systems.system import System, Unit


def find_systems(word: str) -> list[System]:
    """Return the system with exactly this name, or all systems whose names contain the word."""
    wanted = "-".join(word.casefold().replace("_", "-").split())
    if wanted in CATALOGUE:
        return [CATALOGUE[wanted]]
    return [system for system in CATALOGUE.values() if wanted in system.other_names]


def find_system_name(word: str, sizes: dict[Unit, int]) -> str:
    """Return the system that a word means at a size: the first that fits it, or the first.

    An unknown word is returned unchanged, so that `build` can refuse it.
    """
    found = find_systems(word)
    if not found:
        return word
    return next((each.name for each in found if _fits_sizes(each, sizes)), found[0].name)


def _fits_sizes(system: System, sizes: dict[Unit, int]) -> bool:
    for unit, number in sizes.items():
        size = convert_size(system, unit, number)
        if size is None or not system.fits(size[0]) or (size[1] and system.extra):
            return False
    return bool(sizes)
