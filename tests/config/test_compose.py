"""The compose files have only allowed keys, limited privileges and a health check.

The schema next to this file is ours, written after the Compose Specification for the keys in
use; where Docker Compose is installed it validates the file too.
"""

import copy
import json
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from deploy import health

ROOT = Path(__file__).resolve().parents[2]
COMPOSE_FILE = ROOT / "deploy" / "compose.yaml"
COMPOSE: dict[str, Any] = yaml.safe_load(COMPOSE_FILE.read_text("utf-8"))
SERVICES: dict[str, Any] = COMPOSE["services"]
SMALL_COMPOSE: dict[str, Any] = yaml.safe_load(
    COMPOSE_FILE.with_name("compose-small.yaml").read_text("utf-8")
)
CONTAINERFILE = COMPOSE_FILE.with_name("Containerfile").read_text("utf-8")
COMPOSE_SCHEMA_VALIDATOR = Draft202012Validator(
    json.loads(Path(__file__).with_name("compose.schema.json").read_text("utf-8"))
)
ENVIRONMENT = {"SITE_HOST": "whist.example.org", "SECRET_KEY": "s", "DB_PASSWORD": "d"}
FREELY_NAMED_KEYS = {"environment", "services", "volumes", "depends_on", "sysctls"}
"""Keys whose children have names of our own choice."""


def list_key_paths(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every key of the file whose name the specification defines."""
    items = node.items() if isinstance(node, dict) else enumerate(node)
    for key, value in items:
        if str(key).startswith("x-"):
            continue
        if isinstance(key, str) and not (path and path[-1] in FREELY_NAMED_KEYS):
            yield (*path, key)
        if isinstance(value, dict | list):
            yield from list_key_paths(value, (*path, key))


def follow_path(node: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        node = node[key]
    return node


def test_compose_file_has_only_keys_of_the_specification() -> None:
    assert not [error.message for error in COMPOSE_SCHEMA_VALIDATOR.iter_errors(COMPOSE)]
    Draft202012Validator.check_schema(COMPOSE_SCHEMA_VALIDATOR.schema)


@pytest.mark.parametrize(
    "path", list(list_key_paths(COMPOSE)), ids=lambda path: "/".join(map(str, path))
)
def test_misspelt_key_anywhere_is_detected(path: tuple[Any, ...]) -> None:
    misspelt_compose = copy.deepcopy(COMPOSE)
    parent_node = follow_path(misspelt_compose, path[:-1])
    parent_node[f"{path[-1]}_"] = parent_node.pop(path[-1])
    assert list(COMPOSE_SCHEMA_VALIDATOR.iter_errors(misspelt_compose))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("services", "web", "healthcheck", "interval"), 10),
        (("services", "web", "healthcheck", "test"), ["python", "-c"]),
        (("services", "web", "restart"), "sometimes"),
        (("services", "web", "volumes"), ["data"]),
        (("services", "web", "depends_on", "redis", "condition"), "service_well"),
        (("services", "proxy", "ports"), [80]),
        (("services", "db", "deploy", "resources", "limits", "memory"), "much"),
        (("services", "db", "tmpfs"), ["run/postgresql"]),
        (("services", "db", "read_only"), "yes"),
    ],
)  # fmt: skip
def test_wrong_value_is_detected(path: tuple[str, ...], value: object) -> None:
    slipped = copy.deepcopy(COMPOSE)
    follow_path(slipped, path[:-1])[path[-1]] = value
    assert list(COMPOSE_SCHEMA_VALIDATOR.iter_errors(slipped))


def test_small_compose_file_has_only_keys_of_the_specification() -> None:
    assert not [error.message for error in COMPOSE_SCHEMA_VALIDATOR.iter_errors(SMALL_COMPOSE)]
    (service,) = SMALL_COMPOSE["services"].values()
    assert service["volumes"] == [f"{name}:/data" for name in SMALL_COMPOSE["volumes"]]
    assert "REDIS_URL" not in service["environment"], "the worker is in the same process"
    assert "manage.py serve" in service["command"]


@pytest.mark.parametrize("name", [*SERVICES, *SMALL_COMPOSE["services"]])
def test_containers_have_minimal_privileges(name: str) -> None:
    service = (SERVICES | SMALL_COMPOSE["services"])[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["user"].partition(":")[0] not in ("", "0", "root")
    limits = service["deploy"]["resources"]["limits"]
    assert set(limits) == {"memory", "pids"}
    assert ("test" in service["healthcheck"]) == (name != "setup")
    assert set(service.get("cap_add", [])) <= {"NET_BIND_SERVICE"}


def test_every_image_has_a_fixed_version() -> None:
    images = {name: service["image"] for name, service in SERVICES.items()}
    assert images["db"] == "postgres:17"
    assert images["redis"] == "valkey/valkey:8"
    base_images = re.findall(
        r"FROM (\S+)", str(SERVICES["proxy"]["build"]["dockerfile_inline"])
    )
    base_images += re.findall(r"(?m)^ARG BASE=(\S+)", CONTAINERFILE)
    assert re.findall(r"(?m)^FROM (\S+)", CONTAINERFILE) == ["${BASE}"]
    assert len(base_images) == 2
    assert all(":" in base and not base.endswith(":latest") for base in base_images)


def test_services_wait_only_for_those_with_a_health_check() -> None:
    for service in SERVICES.values():
        for dependency, dependency_options in service.get("depends_on", {}).items():
            if dependency_options["condition"] == "service_healthy":
                assert "test" in SERVICES[dependency]["healthcheck"]
            else:
                assert SERVICES[dependency]["restart"] == "no", "it has to end one day"


def test_every_named_volume_is_declared_and_used() -> None:
    mounts = [mount for service in SERVICES.values() for mount in service.get("volumes", [])]
    volume_names = {mount.partition(":")[0] for mount in mounts if not mount.startswith(".")}
    assert volume_names == set(COMPOSE["volumes"])


def test_pages_run_under_the_account_created_in_their_image() -> None:
    (account_id,) = re.findall(r"--uid (\d+)", CONTAINERFILE)
    assert {
        SERVICES[name]["user"].partition(":")[0] for name in ("web", "worker", "setup")
    } == {account_id}


def test_image_runs_as_its_account_and_checks_its_health() -> None:
    steps = [line.split()[0] for line in CONTAINERFILE.splitlines() if line[:1].isupper()]
    assert steps.index("USER") > max(i for i, step in enumerate(steps) if step == "RUN")
    assert re.findall(r"(?m)^USER (.+)", CONTAINERFILE) == ["overplay"]
    health_scripts = [
        *re.findall(r'HEALTHCHECK .*"(deploy/[^"]+)"', CONTAINERFILE),
        SERVICES["web"]["healthcheck"]["test"][2],
        SMALL_COMPOSE["services"]["overplay"]["healthcheck"]["test"][2],
    ]
    assert health_scripts == ["deploy/health.py"] * 3


def test_image_contains_no_secret_of_its_build_folder() -> None:
    left_out = (ROOT / ".dockerignore").read_text("utf-8").split()
    assert {".git", ".venv", "var", "deploy/.env"} <= set(left_out)


@pytest.mark.parametrize(("status", "message"), [(200, ""), (503, "503 /health/ready")])
def test_health_check_fails_unless_the_response_is_200(
    monkeypatch: pytest.MonkeyPatch, status: int, message: str
) -> None:
    class HealthPageHandler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status if self.path == "/health/ready" else 404)
            self.end_headers()

        def log_message(self, *args: Any) -> None:
            """Write nothing."""

    with HTTPServer(("127.0.0.1", 0), HealthPageHandler) as server:
        monkeypatch.setenv("PORT", str(server.server_port))
        monkeypatch.setattr(sys, "argv", ["health.py", "ready"])
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        if message:
            with pytest.raises(SystemExit, match=message):
                health.main()
        else:
            health.main()
        thread.join()
    with pytest.raises(SystemExit, match="/health/ready"):
        health.main()  # the server is closed


@pytest.mark.skipif(not shutil.which("docker"), reason="Docker is not there")
def test_docker_compose_accepts_the_file() -> None:
    command = [str(shutil.which("docker")), "compose"]
    version_process = subprocess.run([*command, "version"], capture_output=True, check=False)
    if version_process.returncode:
        pytest.skip("this Docker has no compose")
    process = subprocess.run(
        [*command, "--file", str(COMPOSE_FILE), "config", "--quiet"],
        capture_output=True,
        text=True,
        check=False,
        env=ENVIRONMENT,
    )
    assert process.returncode == 0, process.stderr
