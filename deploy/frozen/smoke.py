"""Start the frozen program and open pages: `python -m deploy.frozen.smoke FOLDER`.

FOLDER is the output folder of `deploy.frozen.build`. The program runs with its own data. Exits
with an error if a page or the solver for best play is missing.
"""

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

START_SECONDS = 120
PATHS = ("/", "/events/", "/learn/", "/laws/", "/movements/", "/health/ready")


def main() -> None:
    """Run the checks; print each page with its status."""
    folder = Path(sys.argv[1]).resolve()
    program = find_program(folder)
    with tempfile.TemporaryDirectory() as data:
        port = find_free_port()
        environment = os.environ | {"DATA_DIR": data, "PORT": str(port)}
        with subprocess.Popen(
            [program, "serve", "--no-browser"], env=environment, cwd=data
        ) as process:
            try:
                wait_until_open(port, process)
                for path in PATHS:
                    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}") as response:
                        sys.stdout.write(f"{response.status} {path}\n")
            finally:
                process.terminate()
        subprocess.run([program, "doctor"], env=environment, cwd=data, check=False)


def find_program(folder: Path) -> Path:
    """Return the executable in the folder of a build."""
    names = (
        "overplay/overplay",
        "overplay/overplay.exe",
        "Overplay.app/Contents/MacOS/overplay",
    )
    return next(path for name in names if (path := folder / name).exists())


def find_free_port() -> int:
    """Return an unused port."""
    with socket.create_server(("127.0.0.1", 0)) as free_socket:
        return int(free_socket.getsockname()[1])


def wait_until_open(port: int, process: subprocess.Popen[bytes]) -> None:
    """Wait for the first page; exit if the program ends or takes too long."""
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/"):
                return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.5)
    raise SystemExit("The program did not open its first page.")


if __name__ == "__main__":
    main()
