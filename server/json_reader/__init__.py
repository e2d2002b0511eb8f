"""Read JSON: decode it with care, check it against a format, and name each problem's place.

A format is a frozen dataclass or a named tuple. The type of a field says what belongs there,
and `Annotated` adds limits, or the key if it isn't the field's name:

    @dataclass(frozen=True)
    class Player:
        name: Annotated[str, text(80)]
        number: Annotated[int, whole(1, 9999)]
        is_member: Annotated[bool, Key("member")] = False

A key may be left out, or be null, if its field has a default. A key that no field has is
refused. All problems are found in one pass, each with its path, such as
`players[3].number: This is missing.` A format with a method `check(self, at: Place)` compares
its fields there. It is called when everything in it could be read.
"""
