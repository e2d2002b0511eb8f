"""Pages, papers, messages and documents use plain words.

`docs/vocabulary.md` and CONTRIBUTING describe how we write. Each rule here is a pattern that
no text may match, with what to write instead. Quotations of law books are exempt.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.house.sources import MODULES, ROOT, list_nodes

PAGES, PROSE = "pages", "prose"
BOTH_PLACES = (PAGES, PROSE)
MAX_SENTENCE_WORDS = 20
TRANSLATORS = {
    **dict.fromkeys(("_", "gettext", "gettext_lazy", "gettext_noop", "translate", "mark"), 1),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), 2),
}
"""The functions that mark text for readers, with their number of texts."""


class WordRule(NamedTuple):
    """A pattern that texts must not match, what to write instead, and where it holds."""

    pattern: str
    replacement_advice: str
    places: tuple[str, ...] = BOTH_PLACES
    exempt_path_prefixes: tuple[str, ...] = ()  # beginnings of paths


WORD_RULES = (
    # Words that are not in everyday use.
    WordRule(r"anew|afresh|once more", "again"),
    WordRule(r"besides", "also"),
    WordRule(r"oftener", "more often"),
    WordRule(r"beforehand", "in advance"),
    WordRule(r"meanwhile", "drop it, or: in the meantime"),
    WordRule(r"whoever", "name the person: players, the director, you"),
    WordRule(r"shall", "must"),
    WordRule(r"bears", "has, shows"),
    WordRule(r"alone", "only", exempt_path_prefixes=("drives/games/", "docs/contracts.md")),
    WordRule(r"so many", "this many"),
    WordRule(r"in place of", "instead of"),
    WordRule(r"at hand", "available"),
    WordRule(r"from (now|then) on", "drop it"),
    WordRule(r"by (itself|themselves)", "automatically, or just the verb"),
    WordRule(r"all the same", "anyway"),
    WordRule(r"(one|a|at a|by a) press", "click, or nothing"),
    WordRule(r"(some|every|no)body('s)?", "someone, everyone, no one"),
    WordRule(r"an own", "their own, or personal"),
    # Sentences with inverted word order.
    WordRule(
        r"\A(who(ever)?|what|where) (?!(happen(s|ed)|to|is|are|was|plays|sits|won)\b)(?!.*\?)"
        r".*[.;]",
        "begin the sentence with its subject: Late pairs …, If a pair …",
        (PAGES,),
    ),
    WordRule(
        r"(?<!-)stands?(?!-)(?! (down|in|behind))|lies|tells",
        "is, counts, shows",
        exempt_path_prefixes=("laws/book/situations/",),  # words to search for
    ),
    WordRule(r"lie|told", "is, are; shown, reported", (PROSE,)),
    WordRule(r"need not|need be", "doesn't need to"),
    WordRule(r"(is|are) to come", "upcoming"),
    WordRule(r"is wanted|as you wish", "options"),
    WordRule(r"says so", "drop it", (PAGES,)),
    # Error messages.
    WordRule(
        r"(is|are) no (date|number|margin|time|e-mail|address|name|file|card)", "isn’t a …"
    ),
    WordRule(r"there('s| is| are) no such", "not found"),
    WordRule(r"belongs? together", "don’t match"),
    # One thing, one name.
    WordRule(r"puts? \w+ right|puts? right|putting \w+ right", "correct"),
    WordRule(r"tak(e|en|es|ing) (it |them |this |that |\w+ )?back|way back|took back", "undo"),
    WordRule(r"puts? away|(bring|brought) back", "archive, restore"),
    WordRule(r"(go|goes|gone|went) home", "withdraw"),
    WordRule(r"stays? seated", "stationary"),
    WordRule(
        r"compass",
        "Mitchell",
        (PAGES,),
        exempt_path_prefixes=(  # the word of old books
            "config/search/",
            "templates/seasons/learn/",
            "tournaments/movements/systems/mitchell.py",
        ),
    ),
    WordRule(r"arrow is turned|turned arrow", "arrow switch"),
    WordRule(r"secret address", "link, QR code"),
    WordRule(r"are? asked about|asked about", "queried"),
    WordRule(
        r"(made?|make) (the|an?|this) (event|link|season|backup|drive)", "create", (PAGES,)
    ),
    WordRule(r"couples?", "pair", (PAGES,)),
    WordRule(r"take it off|take session|tak(en|es) (away|off)|thrown away", "remove", (PAGES,)),
    WordRule(r"go on this way", "Continue", (PAGES,)),
    WordRule(r"look at these first", "Before you close", (PAGES,)),
    WordRule(r"shut the door|let phones in", "Disconnect phones, Connect phones", (PAGES,)),
    WordRule(r"what really happened", "Correct score", (PAGES,)),
    WordRule(r"limits of the evening", "Time and boards", (PAGES,)),
    WordRule(r"wanted at a table", "Table 3 is calling", (PAGES,)),
    WordRule(r"are these right", "Please check", (PAGES,)),
    WordRule(r"order a paper", "Print", (PAGES,)),
    WordRule(r"board group", "set", (PAGES,)),
    WordRule(r"relieved", "sits out", (PAGES,)),
    WordRule(r"the price|the drawback", "downside", (PAGES,)),
    WordRule(r"winners 2|a winner each way", "two winners", (PAGES,)),
    WordRule(r"relay and share", "share-and-relay", (PAGES,)),
    WordRule(r"as usual( for|:)", "Standard", (PAGES,)),
    WordRule(r"figures explained", "How scores are worked out", (PAGES,)),
    WordRule(r"(['’]s|their) own address(es)?", "personal link", (PAGES,)),
    WordRule(r"plus or minus", "plus/minus", (PAGES,)),
    WordRule(r"open play at once", "Skip setup and start", (PAGES,)),
    WordRule(r"came late, left", "Fix a problem", (PAGES,)),
    WordRule(r"nothing tried|waits for:", "Available after …", (PAGES,)),
    WordRule(r"in doubt(?=\s)", "Not sure?", (PAGES,)),
    WordRule(r"heard of for", "heard from for", (PAGES,)),
    WordRule(r"drive the rehearsal", "Run the rehearsal", (PAGES,)),
    WordRule(r"opens nothing any more", "no longer opens", (PAGES,)),
    # Punctuation.
    WordRule(r";", "two sentences", (PAGES,)),
    WordRule(r"\w+'\w*", "a curly apostrophe: ’", (PAGES,)),
)

EXEMPT_PATH_PREFIXES = (
    "laws/book/laws.py",
    "laws/book/stems.py",  # words that the search leaves out
    "laws/single_table/",
)
"""Quotations of law books, which keep their words; by the beginning of the path."""

ALLOWED_FAULT_COUNTS: dict[str, int] = {}
"""The number of texts of each room that may still break a rule. It may only go down."""

TRANSLATE_TAG_PATTERN = re.compile(
    r"""(?:{%-?\s*trans(?:late)?\s+|\b_\()(?:"([^"]*)"|'([^']*)')"""
)
TRANSLATE_BLOCK_PATTERN = re.compile(
    r"{%-?\s*blocktrans(?:late)?\b[^%]*%}(.*?){%-?\s*endblocktrans(?:late)?\b", re.DOTALL
)
PLURAL_TAG_PATTERN = re.compile(r"{%-?\s*plural[^%]*%}")
CODE_AND_QUOTES = re.compile(
    r"```.*?```|`[^`]*`|\"[^\"]{1,200}\"|“[^”]{1,200}”|^>.*?$", re.DOTALL | re.MULTILINE
)
SENTENCE_END = re.compile(r"(?<=[.?!:])\s|\n| · ")


@cache
def _compile_rules(place: str) -> tuple[tuple[re.Pattern[str], WordRule], ...]:
    """Return the rules of a place with their patterns, which match whole words."""
    return tuple(
        (
            re.compile(
                rule.pattern if rule.pattern == ";" else rf"(?<!\w)(?:{rule.pattern})(?!\w)",
                re.IGNORECASE | re.DOTALL,
            ),
            rule,
        )
        for rule in WORD_RULES
        if place in rule.places
    )


def _find_faults(text: str, place: str, path: str = "") -> list[str]:
    """Return what to write instead, for each rule that a text breaks."""
    advice_texts = [
        rule.replacement_advice
        for pattern, rule in _compile_rules(place)
        if pattern.search(text)
        and not (rule.exempt_path_prefixes and path.startswith(rule.exempt_path_prefixes))
    ]
    if place == PAGES:
        sentence_lengths = [len(sentence.split()) for sentence in SENTENCE_END.split(text)]
        advice_texts += [
            f"{sentence_length} words"
            for sentence_length in sentence_lengths
            if sentence_length > MAX_SENTENCE_WORDS
        ]
    return advice_texts


def _list_marked_expressions(module: str) -> Iterator[ast.expr]:
    """Yield the marked expressions of a module, and the help of a command."""
    for node in list_nodes(module, ast.Call):
        function_name = getattr(node.func, "id", "") or getattr(node.func, "attr", "")
        yield from node.args[: TRANSLATORS.get(function_name, 0)]
        if ".management." in module:
            yield from (keyword.value for keyword in node.keywords if keyword.arg == "help")
    if ".management." in module:
        for assignment in list_nodes(module, ast.Assign):
            if ast.unparse(assignment.targets[0]) == "help":
                yield assignment.value


def _list_module_texts(module: str) -> Iterator[str]:
    """Yield the texts of a module; a condition inside the mark has two."""
    for expression in _list_marked_expressions(module):
        for branch in (
            [expression.body, expression.orelse]
            if isinstance(expression, ast.IfExp)
            else [expression]
        ):
            if isinstance(branch, ast.Constant) and isinstance(branch.value, str):
                yield branch.value


def _list_template_texts(source: str) -> Iterator[str]:
    """Yield the marked texts of a template, singular and plural."""
    for double_quoted, single_quoted in TRANSLATE_TAG_PATTERN.findall(source):
        yield double_quoted or single_quoted
    for block in TRANSLATE_BLOCK_PATTERN.findall(source):
        for part in PLURAL_TAG_PATTERN.split(block):
            yield " ".join(part.split())


def _list_page_texts() -> Iterator[tuple[str, str]]:
    """Yield every text that readers see, with the path of its file."""
    for module, path in MODULES.items():
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(EXEMPT_PATH_PREFIXES):
            yield from ((name, text) for text in _list_module_texts(module))
    for suffix in ("html", "txt"):
        for path in (ROOT / "templates").rglob(f"*.{suffix}"):
            name = path.relative_to(ROOT).as_posix()
            yield from ((name, text) for text in _list_template_texts(path.read_text("utf-8")))


def _list_prose() -> Iterator[tuple[str, str]]:
    """Yield every line of the documents, without code and quotations."""
    documents = [ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")]
    for path in [*documents, *sorted((ROOT / "docs").rglob("*.md"))]:
        name = path.relative_to(ROOT).as_posix()
        text = CODE_AND_QUOTES.sub("", path.read_text("utf-8"))
        yield from ((name, line) for line in text.splitlines())


def _get_room(name: str) -> str:
    """Return the package of a file, such as `scoring` or `templates/scoring`."""
    parts = Path(name).parts
    if parts[0] == "docs":
        return name
    return "/".join(parts[: 2 if parts[0] == "templates" else 1])


def list_rooms_over_limit(texts: Iterator[tuple[str, str]], place: str) -> str:
    """Return the faults of each package that has more than allowed, one per line."""
    faults_by_package = defaultdict(list)
    for name, text in texts:
        if faults := _find_faults(text, place, name):
            faults_by_package[_get_room(name)].append(
                f"{name}: {text[:120]} <- {'; '.join(faults)}"
            )
    return "\n".join(
        line
        for package, lines in faults_by_package.items()
        if len(lines) > ALLOWED_FAULT_COUNTS.get(package, 0)
        for line in lines
    )


def test_pages_and_messages_use_plain_words() -> None:
    assert list_rooms_over_limit(_list_page_texts(), PAGES) == ""


def test_documents_use_plain_words() -> None:
    assert list_rooms_over_limit(_list_prose(), PROSE) == ""


@pytest.mark.parametrize(
    "text",
    [
        "Whoever comes late sits out.",
        "Who comes late sits out.",
        "Take that back first.",
        "The score stands.",
        "Somebody has entered it meanwhile.",
        "Clear it; enter it again.",
        "“abc” is no date.",
        "Pair 7 goes home.",
        "Make the event",
        "The director's page",
        "word " * 21,
    ],
)
def test_odd_wording_is_reported(text: str) -> None:
    assert _find_faults(text, PAGES)


@pytest.mark.parametrize(
    "text",
    [
        "Late pairs sit out.",
        "Who plays next?",
        "What others see",
        "Stand-ins",
        "Undo the newer change above first.",
        "word " * 20 + "· " + "word " * 20,
    ],
)
def test_plain_wording_is_not_reported(text: str) -> None:
    assert _find_faults(text, PAGES) == []
