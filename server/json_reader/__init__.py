"""JSON reading: decode it safely, validate it against a format, and locate each error.

A format is a frozen dataclass or a named tuple. The type of a field defines its values, and
`Annotated` adds limits, or the key if it isn't the field's name:

    @dataclass(frozen=True)
    class Player:
        name: Annotated[str, text(80)]
        number: Annotated[int, whole_number(1, 9999)]
        is_member: Annotated[bool, JsonKey("member")] = False

A key may be missing or null if its field has a default. Unknown keys are refused. All problems
are reported together, each with its path, e.g. `players[3].number: This is missing.` A format
may have a method `validate(self, json_path: JsonPath)` that compares its fields. It is called
if all fields could be read.
"""
