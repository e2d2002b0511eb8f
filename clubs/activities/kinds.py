"""The parameters that a kind of activity passes to the shared pages."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from django.utils.functional import Promise

from clubs.activities.history import HistoryFormatter
from clubs.activities.models import EveningActivity
from clubs.activities.visits import ActivityVisit
from clubs.audit import Actor
from clubs.undo import Inverse

Kind = TypeVar("Kind", bound=EveningActivity)


@dataclass(frozen=True, kw_only=True)
class ActivityKind(Generic[Kind]):
    """The parameters of one kind of activity for the shared pages."""

    visit: type[ActivityVisit[Kind]]
    """The loader of its pages."""
    url_prefix: str
    """The first word of its URL names: "drive" for `drive_desk` and `drive_history`."""
    template_folder: str
    """The folder of its templates."""
    get_history_words: Callable[[], HistoryFormatter]
    """Return the formatter of its history."""
    get_inverses: Callable[[], Mapping[str, Inverse]]
    """Return the inverses of its acts."""
    list_tables: Callable[[Kind, Collection[int]], Iterable[int]]
    """Return the numbers of its tables, with those that have a link."""
    make_links: Callable[[Kind, Actor], object]
    """Give every table its link."""
    revoke_links: Callable[[Kind, Sequence[int], Actor], object]
    """Revoke the links of these keys, or all links if no keys are given."""
    links_created_message: str | Promise
    """The message after links were made."""
