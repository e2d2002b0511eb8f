"""The event file, whist-event/1: one JSON document that holds a whole event.

`shape` checks plain data against the published JSON Schema, `reading` and `tables` check what
no schema can say, and `values` is what comes out; all of these are pure. `importing` writes an
event from a file, `writing` a file from an event.
The format is described in docs/event-file.md.
"""
