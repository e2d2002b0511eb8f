"""Names are standard words: functions are verbs, constants say what and how much.

Modules of the API are left out: the names of its functions are published.
"""

import ast
import re

import pytest

from tests.house.sources import MODULES, list_nodes, list_nodes_below, parse_tree

IRREGULAR_PARTICIPLE_PATTERN = re.compile(
    r"borne|bought|brought|built|caught|chosen|dealt|done|drawn|driven"
    r"|fallen|felt|forgotten|found|frozen|given|gone|grown|heard|held|hidden"
    r"|kept|known|laid|led|left|lost|made|meant|met|paid|parted|risen|said"
    r"|seen|sent|shown|sold|spent|spoken|stood|stuck|sung|swept|taken|thought"
    r"|thrown|told|torn|understood|won|worn|written"
)
"""Participles that do not end in -ed."""
ED_VERBS = {"embed", "exceed", "feed", "need", "proceed", "seed", "shed", "speed"}
"""Verbs that end in -ed."""
ADVERB_PATTERN = re.compile(
    r"afterwards|again|alone|apart|around|aside|away|before|behind|beside"
    r"|besides|between|together|onward|sooner|within|without"
)
UNCLEAR_CONSTANT_PATTERN = re.compile(r"_?(MOST(_.*)?|AT_ONCE|KEPT|FEW|FEWEST|MANY|ENOUGH)")
"""Constants that do not say what they limit, or do not begin with MAX, MIN or DEFAULT."""


def is_participle(name: str) -> bool:
    """Return whether a name is one bare participle, such as `told` or `_counted`."""
    word = name.strip("_")
    if "_" in word or word in ED_VERBS:
        return False
    return bool(IRREGULAR_PARTICIPLE_PATTERN.fullmatch(word)) or word.endswith("ed")


def is_tag_or_property(function: ast.FunctionDef) -> bool:
    """Return whether templates use the name, or it is a property and so no act."""
    decorators = [ast.unparse(item) for item in function.decorator_list]
    return any("register." in decorator or "property" in decorator for decorator in decorators)


def list_unclear_names(module: str) -> list[str]:
    """Return the functions, constants and the name of a module that are unclear."""
    module_name = module.rpartition(".")[2]
    modules = (
        [module] if is_participle(module_name) or ADVERB_PATTERN.fullmatch(module_name) else []
    )
    for function in list_nodes(module, ast.FunctionDef):
        if is_participle(function.name) and not is_tag_or_property(function):
            modules.append(f"{module}.{function.name}")
    assignments = (item for item in parse_tree(module).body if isinstance(item, ast.Assign))
    for name in (item for assignment in assignments for item in list_nodes_below(assignment)):
        if isinstance(name, ast.Name) and UNCLEAR_CONSTANT_PATTERN.fullmatch(name.id):
            modules.append(f"{module}.{name.id}")
    return modules


ROOMS = sorted({module.split(".")[0] for module in MODULES})


@pytest.mark.parametrize("room", ROOMS)
def test_no_name_is_a_bare_participle_adverb_or_riddle(room: str) -> None:
    modules = [m for m in MODULES if m.split(".")[0] == room and ".api" not in m]
    assert [name for module in modules for name in list_unclear_names(module)] == []
