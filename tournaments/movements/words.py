"""Small numbers and plurals, as they are said."""

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def said(number: int) -> str:
    """Say a number: in a word up to ten."""
    return _NUMBERS[number] if 0 <= number < len(_NUMBERS) else str(number)


def counted(number: int, noun: str) -> str:
    """Say how many of something: one table, two tables."""
    return f"{said(number)} {noun}{'' if number == 1 else 's'}"


def spoken(label: str) -> str:
    """Write a place as players know it: "3 N-S", or "5" where one field plays."""
    for ending, words in (("NS", "N-S"), ("EW", "E-W")):
        if label.endswith(ending):
            return f"{label.removesuffix(ending)} {words}"
    return label


def ranged(least: int, most: int, noun: str) -> str:
    """Say a range: two or three rounds, up to five, or just two rounds."""
    if least == most:
        return counted(most, noun)
    if least == 0:
        return f"up to {counted(most, noun)}"
    joint = "or" if most == least + 1 else "to"
    return f"{said(least)} {joint} {counted(most, noun)}"
