"""All text for readers is translated, in the pure packages as in the templates."""

import ast
import re

from tests.house.sources import MODULES, ROOT, nodes, within
from tests.house.test_architecture import PURE_MODULES

TRANSLATORS = {"_", "gettext", "ngettext", "gettext_lazy", "ngettext_lazy", "gettext_noop"}
# Text that only programmers read.
MISTAKES = {"ValueError", "TypeError", "KeyError"}
WORDS = re.compile(r"[A-Za-z]{3,}[,;:]? [a-z]{2,}")


def get_called_name(node: ast.AST) -> str:
    return (
        node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
    )


def _unseen(module: str) -> list[str]:
    """Return the untranslated texts of a module, without docstrings."""
    seen = {id(node.value) for node in nodes(module, ast.Expr)}
    for node in nodes(module, ast.Call):
        if get_called_name(node) in TRANSLATORS | MISTAKES:
            seen |= {id(part) for part in within(node)}
    return [
        f"line {node.lineno}: {node.value[:60]}"
        for node in nodes(module, ast.Constant)
        if isinstance(node.value, str) and id(node) not in seen and WORDS.search(node.value)
    ]


def test_every_word_of_the_pure_packages_goes_through_the_translator() -> None:
    found = {module: _unseen(module) for module in PURE_MODULES}
    assert {module: words for module, words in found.items() if words} == {}


def test_what_is_translated_is_written_out_where_translators_can_find_it() -> None:
    """A sentence that is composed before it is translated is in no catalogue."""
    found = [
        f"{module}:{node.lineno}"
        for module in MODULES
        for node in nodes(module, ast.Call)
        if get_called_name(node) in TRANSLATORS
        and any(isinstance(part, ast.JoinedStr | ast.BinOp) for part in node.args[:2])
    ]
    assert found == []


OLD = {
    "couple": "pair",
    "put away": "archived",
    "take it back": "Cancel link, or Undo",
    "take it off": "Remove",
    "take session": "Remove session",
    "type it anew": "Correct it",
    "print anew": "Print again",
    "go on this way": "Continue",
    "look at these first": "Before you close",
    "shut the door": "Disconnect the phones",
    "let phones in": "Connect phones",
    "what players see;": "Publishing",
    "what really happened": "Fix a problem",
    "limits of the evening": "Time and boards",
    "wanted at a table": "Table 3 is calling",
    "are these right": "Please check",
    "order a paper": "Print",
    "board group": "set",
    "relieved": "sits out",
    "the price": "The drawback",
    "takes off": "Penalty",
    "winners 2": "two winners",
    "relay and share": "share and relay",
    "as usual:": "Standard",
    "as usual for": "Standard",
    "figures explained": "How scores are worked out",
    "everybody's own address": "Personal QR codes",
    "plus or minus": "Plus/minus",
    "open play at once": "Skip setup and start",
    "came late, left": "Fix a problem",
    "nothing tried": "waits for",
    "in doubt ": "If in doubt,",
    "heard of for": "heard from for",
    "drive the rehearsal": "Open rehearsal",
    "stands in the history": "The history records",
    "anew": "again",
    "own addresses": "personal links",
    "an own ": "their own, or personal",
    "thrown away": "discarded",
    "taken away": "removed",
    "opens nothing any more": "no longer opens",
}
"""Words that pages and papers no longer use, and their replacements."""
SENTENCES = re.compile(
    r'{%\s*trans(?:late)?\s+"([^"]+)"|{%\s*trans(?:late)?\s+\'([^\']+)\''
    r"|{%\s*blocktrans(?:late)?\b[^%]*%}(.*?){%\s*endblocktrans",
    re.DOTALL,
)


def _told() -> dict[str, set[str]]:
    """Return every translated text with where it occurs."""
    found: dict[str, set[str]] = {}
    for page in (ROOT / "templates").rglob("*.html"):
        for parts in SENTENCES.findall(page.read_text("utf-8")):
            found.setdefault(page.name, set()).add(" ".join("".join(parts).split()))
    for module in MODULES:
        for node in nodes(module, ast.Call):
            if get_called_name(node) in TRANSLATORS:
                words = [part.value for part in node.args if isinstance(part, ast.Constant)]
                found.setdefault(module, set()).update(str(word) for word in words)
    return found


def test_no_page_says_what_directors_did_not_understand() -> None:
    old = re.compile(rf"(?i)\b({'|'.join(map(re.escape, OLD))})")
    found = [
        f"{place}: {text}"
        for place, texts in _told().items()
        for text in texts
        for said in old.findall(text.replace("’", "'"))
        if said
    ]
    assert sorted(found) == []


UNUSUAL = re.compile(
    r"(?i)\b(nobody|whoever|somebody|anew|afresh|besides|beforehand|meanwhile|oftener|shall|bears"
    r"|in place of|once more|by itself|by themselves|stands|lies|lie|tells|told|alone)\b"
)
"""Words that readers of the documents found odd, and the usual ones."""
DEVELOPERS = (
    "api", "architecture", "jobs", "languages", "operations", "performance", "publishing",
    "releasing", "reliability", "security", "server", "settings", "sources", "testing",
    "vocabulary",
)  # fmt: skip


def test_the_developers_documents_use_usual_words() -> None:
    pages = [ROOT / "CONTRIBUTING.md", *(ROOT / "docs" / "decisions").glob("*.md")]
    pages += [ROOT / "docs" / f"{name}.md" for name in DEVELOPERS]
    quoted = re.compile(r"```.*?```|`[^`]*`|\"[^\"]*\"", re.DOTALL)
    found = {
        page.name: UNUSUAL.findall(quoted.sub("", page.read_text("utf-8"))) for page in pages
    }
    assert {name: words for name, words in found.items() if words} == {}
