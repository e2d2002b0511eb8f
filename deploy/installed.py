"""Overplay, installed by pip: `overplay serve` runs the program that lies in this folder.

The program's rooms are top folders of its own place, so that place is put before all others;
what is kept lies in `overplay` of the home folder, unless DATA_DIR names another.
"""

import os
import sys
from pathlib import Path


def main() -> None:
    """Run the command line of the program."""
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    os.environ.setdefault("DATA_DIR", str(Path.home() / "overplay"))
    from manage import main as run

    run()
