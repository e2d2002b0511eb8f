"""The hall box has a valid configuration and gives a phone an address, a name and a page."""

import configparser
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BOX_FOLDER = ROOT / "deploy" / "hall-box"
SYSTEM_PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
DNSMASQ, HOSTAPD, IP_PATH, UDHCPC = (
    shutil.which(name, path=SYSTEM_PATH) for name in ("dnsmasq", "hostapd", "ip", "udhcpc")
)
HAS_NETWORK_PROGRAMS = bool(DNSMASQ and IP_PATH and UDHCPC and shutil.which("curl"))
BOX_IP_ADDRESS, BOX_HOST_NAME = "10.77.0.1", "whist.home.arpa"
PATIENCE_SECONDS = 60


def _read_settings() -> dict[str, str]:
    lines = (BOX_FOLDER / "settings").read_text("utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines)


def run_command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(arguments, capture_output=True, text=True, check=False)


def test_all_files_have_the_same_address() -> None:
    assert _read_settings()["SITE_URL"] == f"http://{BOX_IP_ADDRESS}"
    assert _read_settings()["ALLOWED_HOSTS"] == BOX_HOST_NAME
    assert f"address=/{BOX_HOST_NAME}/{BOX_IP_ADDRESS}\n" in (
        BOX_FOLDER / "dnsmasq.conf"
    ).read_text("utf-8")
    assert f"address {BOX_IP_ADDRESS}/24\n" in (BOX_FOLDER / "interfaces").read_text("utf-8")
    assert f"http://{BOX_IP_ADDRESS}" in (ROOT / "templates/hall/no_wifi.html").read_text(
        "utf-8"
    )


def test_box_unit_overrides_only_its_differences() -> None:
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment, method-assign]  # keeps capital letters
    unit.read(BOX_FOLDER / "overplay-web.conf", "utf-8")
    assert set(unit["Service"]) == {
        *("ExecStartPre", "ExecStart", "KillSignal", "TimeoutStopSec"),
        *("AmbientCapabilities", "CapabilityBoundingSet"),
    }
    assert "/srv/overplay/.venv/bin/python manage.py serve" in unit["Service"]["ExecStart"]


def test_readme_installs_every_file() -> None:
    note = (BOX_FOLDER / "README.md").read_text("utf-8")
    installed_files = set(re.findall(r"^ +install .*-m \d+ (\S+) /etc/", note, re.MULTILINE))
    assert installed_files == {
        path.name for path in BOX_FOLDER.iterdir() if path.name != "README.md"
    } | {"../overplay-web.service"}


@pytest.mark.skipif(not DNSMASQ, reason="dnsmasq is not there")
def test_dnsmasq_accepts_its_configuration() -> None:
    output = run_command(str(DNSMASQ), "--test", f"--conf-file={BOX_FOLDER / 'dnsmasq.conf'}")
    assert output.returncode == 0, output.stderr


@pytest.mark.skipif(not HOSTAPD, reason="hostapd is not there")
def test_hostapd_can_read_its_configuration(tmp_path: Path) -> None:
    """Without Wi-Fi hardware hostapd stops after it has read the file."""
    wrong_path = tmp_path / "wrong.conf"
    wrong_path.write_text(
        (BOX_FOLDER / "hostapd.conf").read_text("utf-8") + "no_such_setting=1\n"
    )
    # The copy names a missing interface, so that no network starts on a machine with Wi-Fi.
    copy = tmp_path / "hostapd.conf"
    copy.write_text(
        (BOX_FOLDER / "hostapd.conf").read_text("utf-8").replace("=wlan0", "=overplay-none")
    )
    error_message = "errors found in configuration file"
    assert error_message in run_command(str(HOSTAPD), str(wrong_path)).stdout
    assert error_message not in run_command(str(HOSTAPD), str(copy)).stdout


@pytest.fixture
def network_namespaces() -> Iterator[tuple[str, str]]:
    """Yield two network namespaces, box and phone, joined by a cable called wlan0."""
    if not HAS_NETWORK_PROGRAMS or os.geteuid() != 0:
        pytest.skip("needs root, ip, dnsmasq, udhcpc and curl")
    box, phone = (f"overplay-{role}-{os.getpid()}" for role in ("box", "phone"))
    with ExitStack() as stack:
        for name in (box, phone):
            if run_command("ip", "netns", "add", name).returncode:
                pytest.skip("network namespaces are not allowed here")
            stack.callback(run_command, "ip", "netns", "del", name)
        for arguments in (
            f"link add wlan0 netns {box} type veth peer name wlan0 netns {phone}",
            f"-n {box} addr add {BOX_IP_ADDRESS}/24 dev wlan0",
            f"-n {box} link set wlan0 up",
            f"-n {phone} link set wlan0 up",
            f"-n {phone} link set lo up",
            f"-n {box} link set lo up",
        ):
            output = run_command("ip", *arguments.split())
            assert output.returncode == 0, output.stderr
        yield box, phone


def _wait_for(*arguments: str) -> str:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while (output := run_command(*arguments)).returncode and time.monotonic() < deadline:
        time.sleep(0.3)
    assert output.returncode == 0, output.stdout + output.stderr
    return output.stdout


@pytest.mark.slow
def test_phone_gets_an_address_a_name_and_the_first_page(
    network_namespaces: tuple[str, str], tmp_path: Path
) -> None:
    box, phone = (("ip", "netns", "exec", name) for name in network_namespaces)
    lease_script = tmp_path / "lease"
    lease_script.write_text(
        '#!/bin/sh\n[ "$1" = bound ] || exit 0\nip addr add "$ip/$mask" dev wlan0\n'
        'echo "$ip $dns router=$router"\n'
    )
    lease_script.chmod(0o700)
    environment = os.environ | _read_settings() | {"DATA_DIR": str(tmp_path / "data")}
    environment = {name: value for name, value in environment.items() if "_URL" not in name} | {
        "SITE_URL": _read_settings()["SITE_URL"]
    }
    dnsmasq_command = (
        *(str(DNSMASQ), "--keep-in-foreground", "--user=root", "--pid-file"),
        *(
            f"--conf-file={BOX_FOLDER / 'dnsmasq.conf'}",
            f"--dhcp-leasefile={tmp_path / 'leases'}",
        ),
    )
    serve_command = (
        *(sys.executable, str(ROOT / "manage.py"), "serve", "--no-browser"),
        *("--host", "0.0.0.0", "--port", "80", "--without-demo"),
    )
    with ExitStack() as stack:
        for arguments in (dnsmasq_command, serve_command):
            program = subprocess.Popen(
                (*box, *arguments), env=environment, stdout=subprocess.DEVNULL, cwd=ROOT
            )
            stack.callback(program.wait)
            stack.callback(program.terminate)
        lease_output = _wait_for(
            *phone, "udhcpc", "-i", "wlan0", "-n", "-q", "-s", str(lease_script)
        )
        # The phone gets an address of the box and its name server, but no gateway.
        assert re.search(
            rf"^10\.77\.0\.\d+ {re.escape(BOX_IP_ADDRESS)} router=$", lease_output, re.MULTILINE
        )
        curl_command = ("curl", "--silent", "--fail", "--location", "--max-time", "20")
        assert "Overplay" in _wait_for(*phone, *curl_command, f"http://{BOX_IP_ADDRESS}/login/")
        lookup_output = run_command(
            *phone, "busybox", "nslookup", BOX_HOST_NAME, BOX_IP_ADDRESS
        ).stdout
        assert f"Address: {BOX_IP_ADDRESS}" in lookup_output.replace("Address 1:", "Address:")
        host_name_arguments = (
            "--resolve",
            f"{BOX_HOST_NAME}:80:{BOX_IP_ADDRESS}",
            f"http://{BOX_HOST_NAME}/login/",
        )
        assert "Overplay" in _wait_for(*phone, *curl_command, *host_name_arguments)
