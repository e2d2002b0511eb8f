"""Malformed values, texts and forms, drawn from a seed."""

import json
import random
from collections.abc import Mapping
from typing import Any

VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 5, 14, 8.5, 1e300, 10**29, "", "x", "9", "\u0000", "é" * 300),
    *([], {}, [1], [1, 1], [0, 5], [None], [[1]], {"a": 1}, [True, False], [1.0], "together-8"),
    *(10**19, -(10**19), "\ud800", "９", "𝟜", "\u202e1", "1e5", {"": ""}, [{}] * 50),
)
FIELD_NAMES = (
    *("contract", "by", "tricks", "made", "passed", "times", "revokes", "fines", "pot", "each"),
    *("score", "contracts", "played", "own-1", "own-99", "house", "", "\u0000", "é", "x" * 300),
)
TEXTS = (
    *(
        "",
        " ",
        "0",
        "-0",
        "−1",
        "1,5",
        "8.5",
        "1e9",
        "+",
        "+-",
        "f1:5",
        "x9",
        "9" * 40,
        "-" * 50,
    ),
    *(
        "\u0000",
        "a\u0000b",
        "é" * 3000,
        "９",
        "𝟜",
        "\u202e",
        "<b>",
        "'; --",
        "[]",
        "{}",
        "null",
    ),
    *('{"a":', "[" * 3000, '{"contract": 1}', "own:", "own:\u0000", "all", "1 2 3 4 5 6 7"),
)


def spoil_value(rng: random.Random, value: Any, depth: int = 0) -> Any:
    """Return a value with some of its parts replaced by others."""
    if rng.random() < 0.15:
        return rng.choice(VALUES)
    if isinstance(value, dict) and depth < 4:
        spoiled = {key: spoil_value(rng, item, depth + 1) for key, item in value.items()}
        if rng.random() < 0.4:
            spoiled[rng.choice(FIELD_NAMES)] = rng.choice(VALUES)
        return spoiled
    if isinstance(value, list) and depth < 4:
        return [spoil_value(rng, item, depth + 1) for item in value]
    return value


def spoil_json(rng: random.Random, value: Any) -> str:
    """Return a value with spoiled parts as JSON, which may itself be damaged."""
    text = json.dumps(spoil_value(rng, value), ensure_ascii=rng.random() < 0.8)
    text = text.encode("utf-8", "replace").decode()
    position = rng.randrange(len(text) + 1)
    damaged_texts = {
        0: text[:position],
        1: text[:position] + rng.choice(TEXTS) + text[position:],
        2: text.replace("9", "9" * rng.choice((20, 40, 5000))),
        3: text.replace("{", '{"contract": "misere", "contract": 1,', 1),
        4: rng.choice(("[", '{"a":')) * rng.choice((50, 3000)) + text,
        5: text.replace("1", rng.choice(("NaN", "-Infinity", "1e999", "01", "true"))),
    }
    return damaged_texts.get(rng.randrange(16), text)


def spoil_form(rng: random.Random, form: Mapping[str, str]) -> dict[str, str | list[str]]:
    """Return a form in which some fields are changed, missing, repeated or unknown."""
    spoiled: dict[str, str | list[str]] = {}
    change_probability = rng.choice((0.02, 0.1, 0.4))
    for name, value in form.items():
        if rng.random() >= change_probability:
            spoiled[name] = value
        elif rng.random() < 0.7:
            spoiled[name] = rng.choice(TEXTS)
        elif rng.random() < 0.5:
            spoiled[name] = [value, rng.choice(TEXTS), value]
    if rng.random() < 0.3:
        name = rng.choice([*form, *FIELD_NAMES]) + rng.choice(
            ("", ".made", ".key", "1", "\u0000")
        )
        spoiled[name] = rng.choice(TEXTS)
    return spoiled
