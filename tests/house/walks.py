"""A walk through the house: which of the program's modules a request enters, in order."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

from tests.rooms import PROGRAM, ROOT

SERVICES = "services"
IMPORTED = "<module>"  # what a module does when it is first imported is no step of a route


@dataclass(frozen=True, slots=True)
class Step:
    """One call of a function of the program."""

    module: str
    function: str
    calls: tuple[tuple[str, str], ...]
    """The modules and functions that wait for it, the outermost first."""

    @property
    def name(self) -> str:
        """The function's full name."""
        return f"{self.module}.{self.function}"

    @property
    def callers(self) -> list[str]:
        """The modules that wait for it."""
        return [module for module, _function in self.calls]

    @property
    def kinds(self) -> set[str]:
        """What kind of file it is in, by the parts of its name: "services", "views"."""
        return set(self.module.split("."))

    @property
    def is_within_a_service(self) -> bool:
        """Whether a service is at work and waits for this call's answer."""
        return any(SERVICES in caller.split(".") for caller in self.callers)


@dataclass(slots=True)
class Walk:
    """The calls of one route, from its first to its last."""

    steps: list[Step] = field(default_factory=list)

    def entered(self, name: str) -> int:
        """Say at which step a function is entered first, by its full name."""
        found = [step.name for step in self.steps]
        assert name in found, f"{name} is not on the way"
        return found.index(name)

    @property
    def files(self) -> set[str]:
        """Every module on the way."""
        return {step.module for step in self.steps}

    def errands(self, edge: str) -> list[str]:
        """What an edge asks of others, one after the other: each a way out and back.

        To read a number of the request is no errand.
        """
        return [
            step.name
            for step in self.steps
            if step.module not in (edge, "server.numbers") and step.callers[-1:] == [edge]
        ]

    def places(self, edge: str, name: str) -> set[str]:
        """The modules that wait for a function, from an edge on, and those that they ask.

        A row's own properties, the audit's names and the numbers of a request are no places.
        """
        callers = self.steps[self.entered(name)].callers
        waiting = set(callers[callers.index(edge) :])
        asked = {step.module for step in self.steps if {*step.callers[-1:]} & waiting}
        left_out = {"models", "links", "audit", "numbers"}
        return {each for each in waiting | asked if not left_out & set(each.split("."))}

    def within(self, module: str) -> "Walk":
        """The part of a walk that starts in a module: without what every request passes."""
        return Walk([it for it in self.steps if module in (it.module, *it.callers)])

    def after(self, name: str) -> list[Step]:
        """What is entered after a function has returned for the last time, by its full name."""
        module, _dot, function = name.rpartition(".")
        last = max(
            at
            for at, step in enumerate(self.steps)
            if (module, function) in ((step.module, step.function), *step.calls)
        )
        return self.steps[last + 1 :]


@contextmanager
def walked() -> Iterator[Walk]:
    """Record every function of the program that is called meanwhile."""
    walk, calls, importing = Walk(), list[tuple[str, str]](), 0

    def note(frame: FrameType, event: str, _given: Any) -> None:
        nonlocal importing
        if event not in ("call", "return"):
            return
        module = _module(frame.f_code.co_filename)
        if module is None:
            return
        if event == "call":
            function = frame.f_code.co_name
            importing += function == IMPORTED
            if not importing:
                walk.steps.append(Step(module, function, tuple(calls)))
            calls.append((module, function))
        elif calls:
            importing -= calls.pop()[1] == IMPORTED

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield walk
    finally:
        sys.setprofile(before)


@cache
def _module(file: str) -> str | None:
    """Name the program's module that a file is; None for a library's."""
    path = Path(file)
    if not path.is_relative_to(ROOT) or path.relative_to(ROOT).parts[0] not in PROGRAM:
        return None
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
