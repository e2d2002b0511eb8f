"""What a kind of job is: the rooms above fill these in, and `config` hands them over."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta

from server.models import Job
from server.quotas import Quota

Lane = Job.Lane


def _nothing(about: int, error: str) -> None:
    """Leave the thing as it is."""


def _no_name(about: int) -> str:
    return ""


def _no_rest(about: int) -> float:
    return 0.0


def _none(about: int) -> int | None:
    return None


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of work.

    `do` does it for the thing with that key; it is safe to do twice, does nothing for a thing
    that is gone, and answers True after a slice of it, when there is more. `lacking` looks
    in the things themselves for work that no row knows of. `give_up` tells the thing that its
    job has failed; `rest` says how many seconds a worker gathers wishes before it begins (less
    than one, for it does nothing else), `wait` how many pass before the job is due at all.
    """

    code: str
    title: object
    """What people call it, to be translated when it is read."""
    lane: Job.Lane
    limit: int
    """Seconds; a worker that is longer at it is stopped."""
    do: Callable[[int], bool | None]
    lacking: Callable[[], Iterable[int]]
    give_up: Callable[[int, str], None] = _nothing
    rest: Callable[[int], float] = _no_rest
    wait: Callable[[int], float] = _no_rest
    tell: Callable[[int], str] = _no_name
    """Name the thing for people."""
    club_of: Callable[[int], int | None] = _none
    """Whose thing it is: the key of the club that pays for the work and may see its job."""
    anew: timedelta | None = None
    """How long after it has failed it is wanted again by itself, if it is still lacking."""
    quota: Quota | None = None
    """What its seconds count against: a job whose club has had all of its day's rests."""


Kinds = Mapping[str, Kind]


def table(*kinds: Kind) -> Kinds:
    """Gather kinds by their code."""
    return {kind.code: kind for kind in kinds}
