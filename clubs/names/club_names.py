"""Short names of clubs for the pages and the home screens of phones."""

MAX_NAME_LENGTH = 14
"""The maximum number of characters of a short name, unless its first word is longer."""


def shorten_club_name(name: str) -> str:
    """Return the first words of a name that fit into `MAX_NAME_LENGTH`, at least one word."""
    short_name, *other_words = name.split() or [name]
    for word in other_words:
        if len(f"{short_name} {word}") > MAX_NAME_LENGTH:
            break
        short_name = f"{short_name} {word}"
    return short_name
