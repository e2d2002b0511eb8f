"""What the marking translator left unmarked: words that no translator has seen."""


def outside(text: str) -> str:
    """Return what stands outside all marks, without the blanks round it."""
    depth, left = 0, []
    for sign in text:
        if sign == "»":
            depth -= 1
        elif sign == "«":
            depth += 1
        elif not depth:
            left.append(sign)
    assert depth == 0, text
    return "".join(left).strip()
