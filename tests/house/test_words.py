"""Words that people read go through the translator, in the pure packages as on the pages."""

import ast
import re

from tests.house.test_architecture import MODULES, PURE_MODULES, _tree

TRANSLATORS = {"_", "gettext", "ngettext", "gettext_lazy", "ngettext_lazy", "gettext_noop"}
# What only a programmer reads.
MISTAKES = {"ValueError", "TypeError", "KeyError"}
WORDS = re.compile(r"[A-Za-z]{3,}[,;:]? [a-z]{2,}")


def _called(node: ast.AST) -> str:
    return (
        node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
    )


def _unseen(module: str) -> list[str]:
    """The words of a module that no translator sees; docstrings are not words of a page."""
    tree, seen = _tree(module), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            seen.add(id(node.value))
        elif _called(node) in TRANSLATORS | MISTAKES:
            seen |= {id(part) for part in ast.walk(node)}
    return [
        f"line {node.lineno}: {node.value[:60]}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in seen
        and WORDS.search(node.value)
    ]


def test_every_word_of_the_pure_packages_goes_through_the_translator() -> None:
    found = {module: _unseen(module) for module in PURE_MODULES}
    assert {module: words for module, words in found.items() if words} == {}


def test_what_is_translated_is_written_out_where_translators_can_find_it() -> None:
    """A sentence that is put together before it is translated is in no catalogue."""
    found = [
        f"{module}:{node.lineno}"
        for module in MODULES
        for node in ast.walk(_tree(module))
        if _called(node) in TRANSLATORS
        and any(isinstance(part, ast.JoinedStr | ast.BinOp) for part in node.args[:2])
    ]
    assert found == []
