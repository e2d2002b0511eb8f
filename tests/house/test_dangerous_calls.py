"""The program runs no text as code, starts no shell, and loads no pickled objects."""

import ast

from tests.house.sources import MODULES, list_nodes

DANGEROUS_FUNCTIONS = {"eval", "exec", "compile", "__import__"}
DANGEROUS_METHODS = {"os.system", "os.popen", "Engine.from_string", "engine.from_string"}
DANGEROUS_LIBRARIES = {"pickle", "marshal", "shelve", "yaml", "ldap", "memcache"}
"""Libraries that run what they read, and services that need escaping of their own."""
TEMPLATE_CLASSES = {"django.template.Template", "jinja2.Template"}
PROCESS_STARTERS = {"server.backups.create", "server.backups.database_dumps"}
PROCESS_STARTERS |= {"server.jobs.sweep"}


def list_imports(module: str) -> set[str]:
    names = {alias.name for node in list_nodes(module, ast.Import) for alias in node.names}
    for node in list_nodes(module, ast.ImportFrom):
        names |= {f"{node.module}.{alias.name}" for alias in node.names}
        names.add(node.module or "")
    return names


def test_no_module_runs_text_as_code() -> None:
    dangerous_calls = [
        (module, name)
        for module in MODULES
        for call in list_nodes(module, ast.Call)
        if (name := ast.unparse(call.func)) in DANGEROUS_FUNCTIONS | DANGEROUS_METHODS
    ]
    assert dangerous_calls == []


def test_no_module_imports_a_dangerous_library_or_builds_a_template() -> None:
    imports_by_module = {module: list_imports(module) for module in MODULES}
    assert "server.backups.create" in imports_by_module
    assert [
        (module, name)
        for module, names in imports_by_module.items()
        for name in sorted(names)
        if name.partition(".")[0] in DANGEROUS_LIBRARIES or name in TEMPLATE_CLASSES
    ] == []


def test_only_three_modules_start_processes_and_none_uses_a_shell() -> None:
    starters = {module for module in MODULES if "subprocess" in list_imports(module)}
    assert starters - {"config.settings"} == PROCESS_STARTERS
    for module in starters:
        for call in list_nodes(module, ast.Call):
            assert "shell" not in {keyword.arg for keyword in call.keywords}, module
