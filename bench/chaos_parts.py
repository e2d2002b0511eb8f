"""The programs of an installation that the chaos run starts, kills and restarts.

All of them are in one folder and on free ports. `Parts.restart_ended_parts` acts as the service
manager: it restarts a program two seconds after its end.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RESTART_SECONDS = 2.0  # seconds, as RestartSec in deploy/*.service
POSTGRES_BIN_FOLDERS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)


def find_free_port() -> int:
    """Return a free TCP port."""
    with socket.create_server(("127.0.0.1", 0)) as server_socket:
        return int(server_socket.getsockname()[1])


def wait_for_port(port: int) -> None:
    """Wait until a program listens on a port; raise SystemExit after a minute."""
    for _number in range(300):
        with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.2)
    raise SystemExit(f"No program listens on port {port}.")


def list_process_tree(process: int) -> list[int]:
    """Return the ids of a process and all its descendants, the youngest last."""
    process_ids = [process]
    for parent_id in process_ids:
        with suppress(OSError):
            children = Path(f"/proc/{parent_id}/task/{parent_id}/children").read_text().split()
            process_ids.extend(map(int, children))
    return process_ids


@dataclass
class Service:
    """One program: its command, and the time before which it must not be restarted."""

    name: str
    command: list[str]
    environ: Mapping[str, str]
    log: Path
    cwd: Path = ROOT
    process: subprocess.Popen[bytes] | None = None
    restart_allowed_at: float = 0.0
    suspended_pids: list[int] = field(default_factory=list)

    def start(self) -> None:
        """Start the program in a new process session."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command,
                cwd=self.cwd,
                env=dict(self.environ),
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )

    @property
    def is_running(self) -> bool:
        """Whether its first process is running."""
        return self.process is not None and self.process.poll() is None

    def kill(self, *, down_seconds: float = 0.0) -> None:
        """Kill the program and all its descendants; it is not restarted for `down_seconds`."""
        self.restart_allowed_at = time.monotonic() + max(down_seconds, RESTART_SECONDS)
        if self.process is None:
            return
        for process_id in reversed(list_process_tree(self.process.pid)):
            with suppress(OSError):
                os.kill(process_id, signal.SIGKILL)
        self.process.wait()

    def kill_child(self, relative_position: float) -> None:
        """Kill one of its descendants; `relative_position`, from 0 to 1, selects which."""
        descendants = (
            list_process_tree(self.process.pid)[1:] if self.process and self.is_running else []
        )
        if descendants:
            with suppress(OSError):
                os.kill(descendants[int(relative_position * len(descendants))], signal.SIGKILL)

    def suspend(self) -> None:
        """Suspend the program and all its descendants."""
        self.suspended_pids = list_process_tree(self.process.pid) if self.process else []
        self._send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Resume the program."""
        self._send_signal(signal.SIGCONT)

    def _send_signal(self, signal_: signal.Signals) -> None:
        for suspended_pid in self.suspended_pids:
            with suppress(OSError):
                os.kill(suspended_pid, signal_)


def _build_postgres_prefix() -> list[str]:
    """Return the command prefix that runs a program as another user than root."""
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]


class Installation:
    """A complete installation in one folder."""

    def __init__(
        self,
        folder: Path,
        *,
        is_laptop: bool,
        is_pooled: bool = False,
        has_rabbitmq: bool = False,
    ) -> None:
        self.folder, self.laptop = folder, is_laptop
        self.port = find_free_port()
        self.secrets = {"SECRET_KEY": "chaos-secret-key-" + "7" * 40, "password": "dbpass4242"}
        self.environ = self._build_environment()
        self.parts: dict[str, Service] = {}
        if is_laptop:
            self._add_part("serve", sys.executable, "manage.py", "serve", "--without-demo")
            return
        self.database_port, self.redis_port = find_free_port(), find_free_port()
        user = f"postgres://postgres:{self.secrets['password']}@127.0.0.1"
        self.environ |= {"DATABASE_URL": f"{user}:{self.database_port}/overplay"}
        self.environ |= {"REDIS_URL": f"redis://127.0.0.1:{self.redis_port}/0"}
        self._add_database()
        self._add_part("redis", *self._build_redis_command())
        if has_rabbitmq:
            self._add_rabbitmq()
        if is_pooled:
            self._add_pooler()
        self._add_part("web", "deploy/pages", "127.0.0.1", str(self.port))
        celery_arguments = (
            "-m",
            "celery",
            "-A",
            "config",
            "worker",
            "-c",
            "2",
            "-l",
            "WARNING",
        )
        self._add_part("worker", sys.executable, *celery_arguments)

    def _build_environment(self) -> dict[str, str]:
        inherited_variables = {
            name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ
        }
        own_variables = {
            "DATA_DIR": str(self.folder / "data"),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "SECRET_KEY": self.secrets["SECRET_KEY"],
            "PORT": str(self.port),
            "PYTHONUNBUFFERED": "1",
        }
        return inherited_variables | own_variables

    def _add_part(self, name: str, *command: str, cwd: Path = ROOT) -> None:
        log = self.folder / f"{name}.log"
        self.parts[name] = Service(name, list(command), self.environ, log, cwd)

    def _build_redis_command(self) -> list[str]:
        no_persistence_options = ["--save", "", "--appendonly", "no", "--dir", str(self.folder)]
        return ["redis-server", "--port", str(self.redis_port), *no_persistence_options]

    def _add_rabbitmq(self) -> None:
        """Add a RabbitMQ node for the queue; its name, ports and files belong to this run."""
        self.rabbitmq_port, folder = find_free_port(), self.folder / "rabbitmq"
        folder.mkdir()
        self.environ |= {
            "CELERY_BROKER_URL": f"amqp://guest:guest@127.0.0.1:{self.rabbitmq_port}//"
        }
        # A file of its own, because the machine's one may name another port.
        config = folder / "rabbitmq.conf"
        config.write_text(f"listeners.tcp.local = 127.0.0.1:{self.rabbitmq_port}\n")
        variables = {
            "HOME": folder,
            "RABBITMQ_NODENAME": f"chaos{self.rabbitmq_port}@localhost",
            "RABBITMQ_CONFIG_FILE": config,
            "RABBITMQ_CONF_ENV_FILE": folder / "none",
            "RABBITMQ_DIST_PORT": find_free_port(),
            "RABBITMQ_MNESIA_BASE": folder,
            "RABBITMQ_LOG_BASE": folder,
            "RABBITMQ_PID_FILE": folder / "pid",
            "RABBITMQ_ENABLED_PLUGINS_FILE": folder / "plugins",
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "-kernel inet_dist_use_interface "
            "{127,0,0,1}",
        }
        settings = [f"{name}={value}" for name, value in variables.items()]
        self._add_part("rabbitmq", "env", *settings, "/usr/lib/rabbitmq/bin/rabbitmq-server")

    def _add_pooler(self) -> None:
        """Add a pooler for the pages, in transaction mode with eight connections."""
        port = find_free_port()
        user = f"postgres://postgres:{self.secrets['password']}@127.0.0.1"
        self.environ |= {"DATABASE_POOL_URL": f"{user}:{port}/overplay"}
        (self.folder / "pooler.users").write_text('"postgres" ""\n')
        (self.folder / "pooler.ini").write_text(
            f"[databases]\noverplay = host=127.0.0.1 port={self.database_port} "
            "dbname=overplay user=postgres\n"
            f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nauth_type = any\n"
            f"auth_file = {self.folder}/pooler.users\nunix_socket_dir =\nlogfile =\n"
            "pool_mode = transaction\ndefault_pool_size = 8\nmax_client_conn = 500\n"
            "server_login_retry = 1\n"
        )
        user_prefix = _build_postgres_prefix() if os.getuid() == 0 else []
        binary = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
        if binary is None:
            sys.exit("Install pgbouncer to run this measurement with a pooler.")
        self._add_part("pgbouncer", *user_prefix, binary, "-q", str(self.folder / "pooler.ini"))

    def _add_database(self) -> None:
        """Create a cluster; as root it is owned by the system's account postgres."""
        binary_prefix = str(POSTGRES_BIN_FOLDERS[0]) + "/" if POSTGRES_BIN_FOLDERS else ""
        data_folder = self.folder / "database"
        data_folder.mkdir()
        user_prefix = []
        if os.getuid() == 0:
            shutil.chown(data_folder, "postgres")
            self.folder.chmod(0o755)
            user_prefix = _build_postgres_prefix()
        initdb_command = [
            f"{binary_prefix}initdb",
            "-D",
            str(data_folder),
            "-U",
            "postgres",
            "--auth=trust",
        ]
        subprocess.run(
            [*user_prefix, *initdb_command],
            check=True,
            cwd=data_folder,
            stdout=subprocess.DEVNULL,
        )
        options = ["-p", str(self.database_port), "-h", "127.0.0.1", "-k", str(data_folder)]
        self._add_part(
            "database",
            *user_prefix,
            f"{binary_prefix}postgres",
            "-D",
            str(data_folder),
            *options,
            cwd=data_folder,
        )

    def set_up(self) -> None:
        """Start the services, and migrate the database."""
        (self.folder / "data").mkdir()
        for name in ("database", "redis", "rabbitmq"):
            if name in self.parts:
                self.parts[name].start()
        if not self.laptop:
            self._create_database()
        if "rabbitmq" in self.parts:
            wait_for_port(self.rabbitmq_port)
        for arguments in ("migrate", "collectstatic"):
            command = [sys.executable, "manage.py", arguments, "--no-input", "-v", "0"]
            subprocess.run(command, cwd=ROOT, env=self.environ, check=True)

    def _create_database(self) -> None:
        import psycopg

        connection_text = (
            f"host=127.0.0.1 port={self.database_port} user=postgres dbname=postgres"
        )
        for _number in range(100):
            try:
                with psycopg.connect(connection_text, autocommit=True) as connection:
                    connection.execute("CREATE DATABASE overplay")
                return
            except psycopg.OperationalError:
                time.sleep(0.2)
        raise SystemExit("PostgreSQL does not start.")

    def restart_ended_parts(self) -> None:
        """Restart the parts that have ended, as a service manager does."""
        now = time.monotonic()
        for service in self.parts.values():
            if service.is_running:
                continue
            if service.process is not None and service.restart_allowed_at == 0.0:
                service.restart_allowed_at = now + RESTART_SECONDS
            if now >= service.restart_allowed_at:
                if service.name == "database":  # left behind by a killed server
                    (self.folder / "database" / "postmaster.pid").unlink(missing_ok=True)
                service.start()
                service.restart_allowed_at = 0.0

    def stop(self) -> None:
        """Stop all parts."""
        for name in ("web", "serve", "worker", "redis", "rabbitmq", "pgbouncer", "database"):
            if name in self.parts:
                self.parts[name].resume()
                self.parts[name].kill()
