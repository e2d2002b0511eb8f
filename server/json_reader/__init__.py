"""JSON reading: decode it safely, validate it against a format, and locate each problem.

A format is a frozen dataclass or a named tuple. The type of a field defines its values, and
`Annotated` adds limits, or the key if it isn't the field's name:

    @dataclass(frozen=True)
    class Player:
        name: Annotated[str, text(80)]
        number: Annotated[int, whole(1, 9999)]
        is_member: Annotated[bool, Key("member")] = False

A key may be left out, or be null, if its field has a default. Unknown keys are refused. All
problems are found in one pass, each with its path, such as `players[3].number: This is
missing.` A format may have a method `check(self, at: Place)` that compares its fields. It is
called if everything in it could be read.
"""
