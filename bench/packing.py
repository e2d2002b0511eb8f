"""What it costs to pack a body for everybody, and how small it becomes: gzip against brotli.

Run by hand: `python -m bench.packing`. The bodies are the standings of 28 and 200 pairs and the
whole page around them, as the program draws them. Prints bytes, and the median of the
processor's time for packing one body.
"""

import gzip
import statistics
import time
from collections.abc import Callable

from bench.nights import night, own_folder

SIZES = ((1, 14), (4, 25))  # sections, tables in each
TRIES = 30
PACKERS = ("gzip 6", "gzip 9", "br 3", "br 4", "br 5", "br 6", "br 9", "br 11")


def main() -> None:
    """Print the figures."""
    with own_folder():
        from django.core.management import call_command

        call_command("collectstatic", interactive=False, verbosity=0)
        for sections, tables in SIZES:
            for name, body in bodies(sections, tables).items():
                print(f"{name} of {2 * sections * tables} pairs, {len(body):,} bytes")
                for packer in PACKERS:
                    size, took = measured(packer_of(packer), body)
                    print(f"  {packer:<7} {size:>7,} bytes {took * 1000:>8.2f} ms")


def bodies(sections: int, tables: int) -> dict[str, bytes]:
    """Draw the standings and the page of an evening."""
    from django.test import Client

    from exchange.eventfile.importing import import_event

    event = import_event(document=night(sections, tables, left_out=1), by=None)
    page = f"/events/{event.slug}/"
    phone = Client(headers={"host": "localhost"})
    part = phone.get(f"{page}standings/", headers={"HX-Request": "true"})
    whole = phone.get(page)
    if {part.status_code, whole.status_code} != {200}:
        raise SystemExit("The pages could not be drawn.")
    return {"standings": part.content, "the whole page": whole.content}


def packer_of(name: str) -> Callable[[bytes], bytes]:
    """The function that a line of the table is about."""
    kind, level = name.split()
    if kind == "gzip":
        return lambda body: gzip.compress(body, int(level))
    import brotli

    return lambda body: bytes(brotli.compress(body, quality=int(level)))


def measured(pack: Callable[[bytes], bytes], body: bytes) -> tuple[int, float]:
    """The size of what was packed, and the processor's seconds for it."""
    times = []
    for _each in range(TRIES):
        began = time.process_time()
        packed = pack(body)
        times.append(time.process_time() - began)
    return len(packed), statistics.median(times)


if __name__ == "__main__":
    main()
