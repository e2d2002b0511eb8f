"""Docstrings and comments use standard words.

Modules of the API are left out: their docstrings are its published description.
"""

import ast
import io
import re
import tokenize

import pytest

from tests.house.sources import MODULES, list_nodes, read_text

UNUSUAL_WORDS_PATTERN = re.compile(
    r"(?i)\b(nobody|whoever|somebody|anew|afresh|besides|beforehand|oftener|shall|bears"
    r"|in place of|once more|by itself|by themselves|stands|lies|tell|tells|telling|told"
    r"|ask|asks|asked|asking|at hand|of its own accord|so many|so long|the very same)\b"
)
"""Words of a private English, for which there is a standard term (CONTRIBUTING)."""
CLAUSE_START_PATTERN = re.compile(r"(What|Who|Whoever|Where|Which)\b(?!.*\?)")
"""The first word of a docstring that is a clause instead of a sentence or a noun."""


def list_texts(module: str) -> list[str]:
    """Return the docstrings and comments of a module."""
    strings = [
        node.value.value
        for node in list_nodes(module, ast.Expr)
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    ]
    comments = [
        token.string.lstrip("# ")
        for token in tokenize.generate_tokens(io.StringIO(read_text(module)).readline)
        if token.type == tokenize.COMMENT
    ]
    return strings + comments


def list_unusual_texts(room: str) -> list[str]:
    """Return the texts of a package that are not in standard words."""
    quoted_pattern = re.compile(r"`[^`]*`|\"[^\"]*\"|\*[^*]*\*")
    return [
        f"{module}: {text.splitlines()[0]}"
        for module in MODULES
        if module.split(".")[0] == room and ".api" not in module
        for text in list_texts(module)
        if UNUSUAL_WORDS_PATTERN.search(quoted_pattern.sub("", text))
        or CLAUSE_START_PATTERN.match(text)
    ]


ROOMS = sorted({module.split(".")[0] for module in MODULES})


@pytest.mark.parametrize("room", ROOMS)
def test_docstrings_and_comments_use_standard_words(room: str) -> None:
    assert list_unusual_texts(room) == []
