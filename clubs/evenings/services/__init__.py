"""Every change to an evening, its clock, its tables' links and calls: a verb, atomic, audited.

What an evening is played with is known above: rounds, tables and whose history keeps the act
(`about`) are arguments.
"""

from clubs.evenings.services.calls import answer_call, call_director
from clubs.evenings.services.clock import (
    add_to_clock,
    end_phase,
    kept_clock,
    pause_clock,
    put_clock_back,
    reset_clock,
    restart_clock,
    set_clock,
    set_clock_to,
    start_clock,
)
from clubs.evenings.services.evenings import forget_section, remove_evening
from clubs.evenings.services.links import make_links, revoke_link

__all__ = [
    "add_to_clock",
    "answer_call",
    "call_director",
    "end_phase",
    "forget_section",
    "kept_clock",
    "make_links",
    "pause_clock",
    "put_clock_back",
    "remove_evening",
    "reset_clock",
    "restart_clock",
    "revoke_link",
    "set_clock",
    "set_clock_to",
    "start_clock",
]
