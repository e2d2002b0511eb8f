"""The modules of the program that a request enters, in order."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

from tests.rooms import PROGRAM, ROOT

SERVICES_PACKAGE = "services"
MODULE_FRAME_NAME = (
    "<module>"  # code that runs when a module is first imported is no step of a route
)


@dataclass(frozen=True, slots=True)
class Step:
    """One call of a function of the program."""

    module: str
    function: str
    calls: tuple[tuple[str, str], ...]
    """The modules and functions that wait for it, the outermost first."""

    @property
    def name(self) -> str:
        """Return the function's full name."""
        return f"{self.module}.{self.function}"

    @property
    def callers(self) -> list[str]:
        """Return the modules in its call stack."""
        return [module for module, _function in self.calls]

    @property
    def kinds(self) -> set[str]:
        """Return the kinds of its file, from the parts of its name: "services", "views"."""
        return set(self.module.split("."))

    @property
    def is_within_a_service(self) -> bool:
        """Return whether a service is in the call stack."""
        return any(SERVICES_PACKAGE in caller.split(".") for caller in self.callers)


@dataclass(slots=True)
class Walk:
    """The calls of one route, from first to last."""

    steps: list[Step] = field(default_factory=list)

    def get_first_index(self, name: str) -> int:
        """Return the step at which a function is first entered, by its full name."""
        names = [step.name for step in self.steps]
        assert name in names, f"{name} is not on the way"
        return names.index(name)

    @property
    def files(self) -> set[str]:
        """Return every module on the route."""
        return {step.module for step in self.steps}

    def list_edge_calls(self, edge: str) -> list[str]:
        """Return the calls of an edge into other modules, one after the other.

        Reading a number of the request does not count.
        """
        return [
            step.name
            for step in self.steps
            if step.module not in (edge, "server.numbers") and step.callers[-1:] == [edge]
        ]

    def places(self, edge: str, name: str) -> set[str]:
        """Return the modules in a function's call stack from an edge on, and those they call.

        Properties of models, the audit's names and the numbers of a request do not count.
        """
        callers = self.steps[self.get_first_index(name)].callers
        waiting_modules = set(callers[callers.index(edge) :])
        called_modules = {
            step.module for step in self.steps if {*step.callers[-1:]} & waiting_modules
        }
        left_out = {"models", "links", "audit", "numbers"}
        return {
            item
            for item in waiting_modules | called_modules
            if not left_out & set(item.split("."))
        }

    def select_below(self, module: str) -> "Walk":
        """Return the part of a walk below a module, without what every request passes."""
        return Walk([step for step in self.steps if module in (step.module, *step.callers)])

    def list_steps_after(self, name: str) -> list[Step]:
        """Return the steps after the last return of a function, by its full name."""
        module, _dot, function = name.rpartition(".")
        last_index = max(
            index
            for index, step in enumerate(self.steps)
            if (module, function) in ((step.module, step.function), *step.calls)
        )
        return self.steps[last_index + 1 :]


@contextmanager
def record_walk() -> Iterator[Walk]:
    """Record every call of a function of the program within a block."""
    walk, calls, importing = Walk(), list[tuple[str, str]](), 0

    def note(frame: FrameType, event: str, _argument: Any) -> None:
        nonlocal importing
        if event not in ("call", "return"):
            return
        module = find_module_name(frame.f_code.co_filename)
        if module is None:
            return
        if event == "call":
            function = frame.f_code.co_name
            importing += function == MODULE_FRAME_NAME
            if not importing:
                walk.steps.append(Step(module, function, tuple(calls)))
            calls.append((module, function))
        elif calls:
            importing -= calls.pop()[1] == MODULE_FRAME_NAME

    previous_profiler = sys.getprofile()
    sys.setprofile(note)
    try:
        yield walk
    finally:
        sys.setprofile(previous_profiler)


@cache
def find_module_name(file: str) -> str | None:
    """Return the name of the program's module in a file, or None for a library's."""
    path = Path(file)
    if not path.is_relative_to(ROOT) or path.relative_to(ROOT).parts[0] not in PROGRAM:
        return None
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
