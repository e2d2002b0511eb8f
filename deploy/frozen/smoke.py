"""Start the frozen program and open pages: `python -m deploy.frozen.smoke FOLDER`.

FOLDER is the output folder of `deploy.frozen.build`. The program runs with an empty data
folder. The test signs in and sets a password, as a director does before phones can connect. It
fails if a page, a library or the solver for best play is missing.
"""

import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

START_TIMEOUT_SECONDS = 120
CHECKED_URL_PATHS = ("/", "/events/", "/learn/", "/laws/", "/movements/", "/health/ready")
PASSWORD = "maple kettle river"


def main() -> None:
    """Run the checks; print each page with its status."""
    folder = Path(sys.argv[1]).resolve()
    program_path = find_program(folder)
    with tempfile.TemporaryDirectory() as data_folder:
        port = find_free_port()
        environment = os.environ | {"DATA_DIR": data_folder, "PORT": str(port)}
        # on Windows the program itself writes its output to this file
        output_path = Path(data_folder, "overplay.log")
        with (
            output_path.open("w") as output_file,
            subprocess.Popen(
                [program_path, "serve", "--no-browser"],
                env=environment,
                cwd=data_folder,
                stdout=output_file,
            ) as process,
        ):
            try:
                wait_until_server_responds(port, process)
                for url_path in CHECKED_URL_PATHS:
                    with urllib.request.urlopen(
                        f"http://127.0.0.1:{port}{url_path}"
                    ) as response:
                        sys.stdout.write(f"{response.status} {url_path}\n")
                set_password(find_sign_in_link(output_path.read_text("utf-8")))
            finally:
                process.terminate()
        subprocess.run([program_path, "doctor"], env=environment, cwd=data_folder, check=False)


def find_program(folder: Path) -> Path:
    """Return the executable in the folder of a build."""
    executable_names = (
        "overplay/overplay",
        "overplay/overplay.exe",
        "Overplay.app/Contents/MacOS/overplay",
    )
    return next(
        executable_path
        for executable_name in executable_names
        if (executable_path := folder / executable_name).exists()
    )


def find_free_port() -> int:
    """Return an unused port."""
    with socket.create_server(("127.0.0.1", 0)) as free_socket:
        return int(free_socket.getsockname()[1])


def wait_until_server_responds(port: int, process: subprocess.Popen[bytes]) -> None:
    """Wait for the first page; exit if the program ends or takes too long."""
    deadline = time.monotonic() + START_TIMEOUT_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/"):
                return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.5)
    raise SystemExit("The program did not open its first page.")


def find_sign_in_link(output_text: str) -> str:
    """Return the link that signs the owner in; exit if the program has printed none."""
    link_match = re.search(r"http://\S+/start/\S+", output_text)
    if link_match is None:
        raise SystemExit("The program printed no link that signs in.")
    return link_match[0]


def set_password(sign_in_link: str) -> None:
    """Sign in and set a password; exit if a page fails or the password is not saved."""
    url_opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    url_opener.open(sign_in_link)
    password_url = urllib.parse.urljoin(sign_in_link, "/director/password/")
    with url_opener.open(password_url) as page:
        token_match = re.search(
            r'name="csrfmiddlewaretoken" value="(\w+)"', page.read().decode()
        )
    form_data = {
        "csrfmiddlewaretoken": token_match[1] if token_match else "",
        "new_password1": PASSWORD,
        "new_password2": PASSWORD,
    }
    with url_opener.open(password_url, urllib.parse.urlencode(form_data).encode()) as page:
        if page.url == password_url:  # the form again, with an error
            raise SystemExit("The password was not saved.")
        sys.stdout.write(f"{page.status} {urllib.parse.urlsplit(page.url).path}\n")


if __name__ == "__main__":
    main()
