"""Short names of clubs for the pages and the home screens of phones."""

MAX_NAME_LENGTH = 14
"""The maximum length of a name in the top line of a phone, unless its first word is longer."""


def shorten_club_name(name: str) -> str:
    """Return the first words of a name that fit, at least one."""
    first_word, *other_words = name.split() or [name]
    for word in other_words:
        if len(f"{first_word} {word}") > MAX_NAME_LENGTH:
            break
        first_word = f"{first_word} {word}"
    return first_word
