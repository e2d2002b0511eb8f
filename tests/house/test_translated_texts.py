"""All text for readers is translated, in the pure packages as in the templates."""

import ast
import re
from collections.abc import Iterator

from tests.house.sources import MODULES, list_nodes, list_nodes_below, parse_tree
from tests.house.test_architecture import PURE_MODULES

TRANSLATORS = {
    "_",
    "gettext",
    "ngettext",
    "gettext_lazy",
    "ngettext_lazy",
    "gettext_noop",
    "pgettext",
}
# Text that only programmers read.
PROGRAMMER_ERRORS = {"ValueError", "TypeError", "KeyError"}
SENTENCE_PATTERN = re.compile(r"[A-Za-z]{3,}[,;:]? [a-z]{2,}")


def get_called_name(node: ast.AST) -> str:
    return (
        node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
    )


def list_untranslated_texts(module: str) -> list[str]:
    """Return the untranslated texts of a module, without docstrings."""
    allowed_ids = {id(node.value) for node in list_nodes(module, ast.Expr)}
    for node in list_nodes(module, ast.Call):
        if get_called_name(node) in TRANSLATORS | PROGRAMMER_ERRORS:
            allowed_ids |= {id(descendant) for descendant in list_nodes_below(node)}
    return [
        f"line {node.lineno}: {node.value[:60]}"
        for node in list_nodes(module, ast.Constant)
        if isinstance(node.value, str)
        and id(node) not in allowed_ids
        and SENTENCE_PATTERN.search(node.value)
    ]


def test_every_text_of_the_pure_packages_is_translated() -> None:
    untranslated_texts_by_module = {
        module: list_untranslated_texts(module) for module in PURE_MODULES
    }
    assert {module: text for module, text in untranslated_texts_by_module.items() if text} == {}


def test_translated_text_is_a_literal_for_the_extractor() -> None:
    """The extractor doesn't find a sentence that is composed before it is translated."""
    faults = [
        f"{module}:{node.lineno}"
        for module in MODULES
        for node in list_nodes(module, ast.Call)
        if get_called_name(node) in TRANSLATORS
        and any(isinstance(argument, ast.JoinedStr | ast.BinOp) for argument in node.args[:2])
    ]
    assert faults == []


def test_no_text_is_translated_inside_an_f_string() -> None:
    """GNU gettext doesn't extract text from f-strings, so it would be in no catalogue."""
    faults = [
        f"{module}:{node.lineno}"
        for module in MODULES
        for text in list_nodes(module, ast.JoinedStr)
        for node in list_nodes_below(text)
        if get_called_name(node) in TRANSLATORS
    ]
    assert faults == []


def test_no_text_is_translated_at_import() -> None:
    """The text would stay in the language of the import; `gettext_lazy` avoids that."""
    faults = [
        f"{module}:{call.lineno}"
        for module in MODULES
        for call in list_calls_at_import(parse_tree(module))
        if get_called_name(call) in list_eager_names(module)
    ]
    assert faults == []


def list_eager_names(module: str) -> set[str]:
    """Return the names by which a module calls Django's immediate translation."""
    return {
        name.asname or name.name
        for node in list_nodes(module, ast.ImportFrom)
        if node.module == "django.utils.translation"
        for name in node.names
        if name.name in ("gettext", "ngettext", "pgettext", "npgettext")
    }


def list_calls_at_import(node: ast.AST) -> Iterator[ast.Call]:
    """Yield the calls outside functions, and those in decorators and defaults of functions."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            arguments = child.args
            import_time_expressions = [
                *child.decorator_list,
                *arguments.defaults,
                *arguments.kw_defaults,
            ]
            for expression in filter(None, import_time_expressions):
                yield from (
                    descendant
                    for descendant in ast.walk(expression)
                    if isinstance(descendant, ast.Call)
                )
        elif not isinstance(child, ast.Lambda):
            if isinstance(child, ast.Call):
                yield child
            yield from list_calls_at_import(child)
