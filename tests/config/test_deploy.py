"""The deployment files around the pages are valid for the programs that read them."""

import re
import shutil
import ssl
import subprocess
from pathlib import Path

import pytest

DEPLOY_FOLDER = Path(__file__).resolve().parents[2] / "deploy"
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
CADDY = shutil.which("caddy")
SYSTEMD_ANALYZE = shutil.which("systemd-analyze")
UNITS = sorted(path.name for path in DEPLOY_FOLDER.glob("*.service"))
MAX_EXPOSURE = 3.0


@pytest.mark.skipif(not SYSTEMD_ANALYZE, reason="systemd is not there")
def test_systemd_units_have_minimal_privileges() -> None:
    for unit in UNITS:
        process = subprocess.run(
            [str(SYSTEMD_ANALYZE), "security", "--offline=true", str(DEPLOY_FOLDER / unit)],
            capture_output=True,
            text=True,
            check=False,
        )
        if "unrecognized option" in process.stderr:
            pytest.skip("this systemd reads no unit that is not installed")
        match = re.search(r"exposure level for \S+: ([\d.]+)", process.stdout)
        assert match is not None, process.stderr
        assert float(match[1]) <= MAX_EXPOSURE, unit


@pytest.mark.skipif(not NGINX, reason="nginx is not there")
def test_nginx_accepts_its_configuration(tmp_path: Path) -> None:
    nginx_configuration = (DEPLOY_FOLDER / "nginx.conf").read_text("utf-8")
    nginx_configuration = re.sub(r"\n\s*ssl_certificate.*", "", nginx_configuration).replace(
        " ssl http2", ""
    )
    nginx_configuration = re.sub(
        r"\n\s*listen \[::\].*", "", nginx_configuration
    )  # not every machine has IPv6
    nginx_configuration = nginx_configuration.replace("/var/log/nginx", str(tmp_path)).replace(
        "listen 80;", "listen 8080;"
    )
    nginx_configuration = nginx_configuration.replace(
        "/var/cache/overplay", str(tmp_path / "cache")
    )
    (tmp_path / "site.conf").write_text(
        nginx_configuration.replace("listen 443", "listen 8443")
    )
    temp_path_directives = "".join(
        f"{kind}_temp_path {tmp_path}/{kind}; "
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (tmp_path / "nginx.conf").write_text(
        f"pid {tmp_path}/pid; error_log {tmp_path}/error.log; events {{}}\n"
        f"http {{ {temp_path_directives} include {tmp_path}/site.conf; }}\n"
    )
    process = subprocess.run(
        [str(NGINX), "-t", "-c", str(tmp_path / "nginx.conf"), "-e", str(tmp_path / "e.log")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr


@pytest.mark.skipif(not CADDY, reason="Caddy is not there")
def test_caddy_accepts_its_configuration(tmp_path: Path) -> None:
    file = str(DEPLOY_FOLDER / "Caddyfile")
    process = subprocess.run(
        [str(CADDY), "validate", "--config", file, "--adapter", "caddyfile"],
        capture_output=True,
        text=True,
        check=False,
        env={"SITE_HOST": "whist.example.org", "HOME": str(tmp_path)},
    )
    assert process.returncode == 0, process.stderr
    assert "Valid configuration" in process.stdout + process.stderr
    assert '"level":"warn"' not in process.stderr


def test_nginx_follows_cache_headers_and_logs_no_secret_url() -> None:
    site = (DEPLOY_FOLDER / "nginx.conf").read_text("utf-8")
    assert "proxy_cache_valid" not in site
    assert "proxy_ignore_headers" not in site
    assert "limit_req " not in site.partition("location /login/")[0].partition("server {")[2]
    assert "$request_uri" not in site.partition("log_format")[2].partition(";")[0]


def test_nginx_accepts_only_tls_with_forward_secrecy() -> None:
    site = (DEPLOY_FOLDER / "nginx.conf").read_text("utf-8")
    assert re.findall(r"ssl_protocols (.+);", site) == ["TLSv1.2 TLSv1.3"]
    [cipher_list] = re.findall(r"ssl_ciphers (\S+);", site)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_ciphers(cipher_list)
    older_ciphers = [item for item in context.get_ciphers() if item["protocol"] != "TLSv1.3"]
    assert older_ciphers
    for cipher in older_ciphers:
        assert (cipher["kea"], cipher["aead"]) == ("kx-ecdhe", True)


@pytest.mark.parametrize("unit", UNITS)
def test_every_unit_runs_as_its_own_account(unit: str) -> None:
    text = (DEPLOY_FOLDER / unit).read_text("utf-8")
    assert "User=overplay" in text
    assert "ProtectSystem=strict" in text
    assert "InaccessiblePaths=-/srv/overplay/.git" in text  # the history of the source


def test_manage_command_runs_with_the_settings_of_the_systemd_units() -> None:
    """`deploy/manage_script` uses the account, settings, folders and program of a unit."""
    manage_script = (DEPLOY_FOLDER / "manage").read_text("utf-8")
    unit = dict(
        line.split("=", 1)
        for line in (DEPLOY_FOLDER / "overplay-backup.service").read_text("utf-8").splitlines()
        if "=" in line
    )
    assert f"--uid={unit['User']} " in manage_script
    assert f"--working-directory={unit['WorkingDirectory']} " in manage_script
    for name in ("EnvironmentFile", "UMask", "StateDirectory", "StateDirectoryMode"):
        assert f"--property={name}={unit[name]} " in manage_script
    assert unit["ExecStart"].removesuffix(" backup") + ' "$@"' in manage_script
    assert (DEPLOY_FOLDER / "manage").stat().st_mode & 0o111
