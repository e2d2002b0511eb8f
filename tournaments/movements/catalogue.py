"""Every system by its name, and the one way to build a movement from it."""

from collections.abc import Iterable

from tournaments.movements.meetings import Contest
from tournaments.movements.mitchell import compass
from tournaments.movements.schedule import Movement, UnplayableMovement, curtailed, without
from tournaments.movements.system import System, Unit

_SYSTEMS = (
    System(
        name="compass",
        title="Compass (Mitchell)",
        contest=Contest.PAIRS,
        unit=Unit.TABLES,
        sizes="an odd number of tables from 3",
        fits=lambda tables: tables >= 3 and tables % 2 == 1,
        make=compass,
        source="The Standard Hoyle (1912), duplicate bridge; John T. Mitchell",
    ),
)
CATALOGUE: dict[str, System] = {system.name: system for system in _SYSTEMS}


def build(
    name: str,
    *,
    tables: int | None = None,
    pairs: int | None = None,
    players: int | None = None,
    teams: int | None = None,
    rounds: int | None = None,
    absent: Iterable[int | str] = (),
    **options: object,
) -> Movement:
    """Build the movement that a name and one number stand for.

    One of tables, pairs, players and teams is enough. Raises UnplayableMovement with one line
    for an unknown name, a size that does not fit, or an option that the system has not.
    """
    system = CATALOGUE.get(name)
    if system is None:
        raise UnplayableMovement(
            f"There is no movement called {name}: choose from {', '.join(CATALOGUE)}."
        )
    given = {"tables": tables, "pairs": pairs, "players": players, "teams": teams}
    size, missing = _size(system, {unit: n for unit, n in given.items() if n is not None})
    for option in options:
        if option not in system.options:
            raise UnplayableMovement(f"{system.title} has no option called {option}.")
    if rounds is not None and "rounds" in system.options:
        options["rounds"] = rounds
    movement = system.make(size, **options)
    if missing:
        movement = without(movement, [movement.places])
    if rounds is not None and "rounds" not in system.options:
        movement = curtailed(movement, rounds)
    return without(movement, absent)


def _size(system: System, given: dict[str, int]) -> tuple[int, int]:
    """The size in the system's own unit, and how many pairs are missing to fill it."""
    if not given:
        raise UnplayableMovement(f"{system.title} needs the number of {system.unit}.")
    found = {_converted(system, unit, number) for unit, number in given.items()}
    sizes = {size for size, _ in found}
    if len(sizes) > 1 or None in sizes:
        words = " and ".join(f"{number} {unit}" for unit, number in given.items())
        raise UnplayableMovement(
            f"{system.title} cannot be made from {words}: it needs {system.sizes}."
        )
    size = next(iter(sizes))
    assert size is not None
    if not system.fits(size):
        raise UnplayableMovement(
            f"{system.title} does not fit {size} {system.unit}: it needs {system.sizes}."
        )
    return size, max(missing for _, missing in found)


def _converted(system: System, unit: str, number: int) -> tuple[int | None, int]:
    if unit == system.unit:
        return number, 0
    if (unit, system.unit) == ("tables", "pairs"):
        return 2 * number, 0
    if (unit, system.unit) == ("tables", "players"):
        return 4 * number, 0
    if (unit, system.unit) == ("tables", "teams"):
        return number, 0
    if (unit, system.unit) == ("pairs", "tables"):
        missing = (number - system.extra) % 2
        return (number - system.extra + missing) // 2, missing
    return None, 0
