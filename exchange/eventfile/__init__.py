"""The event file, whist-event/1: one JSON document with a whole event.

`schema` validates plain data against the published JSON Schema. `reading` and `tables` check
everything that a schema cannot express, and `values` has the result; all of these are pure.
`importing` creates an event from a file, `writing` a file from an event. The format is
described in docs/event-file.md.
"""
