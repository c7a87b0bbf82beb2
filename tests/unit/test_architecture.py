"""Types that cannot be got wrong: what leaves is `Redacted`, and no path leads from advice to a ledger row or a verdict.

Held on the import graph, on the source of every module, and on the constructors themselves.
"""

import ast
import copy
import dataclasses
import inspect
import pickle
from pathlib import Path

import grimp
import pytest

import prelabel.publish
import prelabel.publish.markdown
from prelabel.publish.release import SINKS
from prelabel.types import Advice
from redaction import Redacted, redact_text

ROOT = Path(prelabel.publish.__file__).parents[2]
PACKAGES = ("gate", "redaction", "prelabel", "prompts")
ADVISERS = ("prelabel.advise", "prelabel.rules", "prelabel.subject", "prelabel.alike", "prelabel.types", "prelabel.table_page")
SOURCES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts): ast.parse(path.read_text("utf-8"))
    for package in PACKAGES
    for path in sorted((ROOT / package).rglob("*.py"))
    if "example" not in path.parts
}


@pytest.fixture(scope="module")
def graph():
    return grimp.build_graph(*PACKAGES, include_external_packages=True, cache_dir=None)


def called(tree):
    """Names that a module calls, however they are reached."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield node.func.id if isinstance(node.func, ast.Name) else node.func.attr if isinstance(node.func, ast.Attribute) else ""


def words(node):
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)} | {
        part
        for one in ast.walk(node)
        if isinstance(one, ast.Constant) and isinstance(one.value, str)
        for part in one.value.replace("[", " ").split()
    }


@pytest.mark.parametrize("module", ADVISERS)
def test_what_makes_advice_cannot_reach_the_ledger(graph, module):
    assert not [found for found in graph.find_upstream_modules(module) if found.startswith("gate.ledger") or found == "gate.verdict"]


def test_the_gate_knows_neither_advice_nor_redaction(graph):
    for module in graph.find_descendants("gate"):
        reached = {name.partition(".")[0] for name in graph.find_upstream_modules(module)}
        assert not reached & {"prelabel", "redaction", "prompts", "httpx"}, module


def test_nothing_imports_the_network_in_this_build(graph):
    assert "httpx" not in graph.modules or not graph.find_modules_that_directly_import("httpx")


def test_rows_are_made_in_three_places_and_written_from_one():
    makers = {module for module, tree in SOURCES.items() if "LedgerRow" in set(called(tree))}
    # The reader of the ledger; a person's decision; a probe that only looks for a near miss.
    assert makers == {"gate.ledger.rows", "prelabel.signed", "prelabel.work"}
    writers = {module for module, tree in SOURCES.items() if "insert_rows" in set(called(tree))}
    assert writers == {"prelabel.signed"}


def test_what_writes_rows_cannot_see_advice(graph):
    imported = graph.find_modules_directly_imported_by("prelabel.signed")
    assert not imported & {"prelabel.advise", "prelabel.types", "prelabel.rules"}
    assert not words(SOURCES["prelabel.signed"]) & {"Advice", "advise", "read_advice"}


def test_no_function_takes_advice_and_gives_a_row():
    for module, tree in SOURCES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                takes = set().union(*(words(arg.annotation) for arg in [*node.args.args, *node.args.kwonlyargs] if arg.annotation), set())
                gives = words(node.returns) if node.returns else set()
                assert not ("Advice" in takes and gives & {"LedgerRow", "Judged", "Report"}), f"{module}.{node.name}"


def test_advice_files_are_read_by_nobody_who_decides():
    readers = {module for module, tree in SOURCES.items() if "read_advice" in set(called(tree))}
    assert readers <= {"prelabel.annotate"}


def test_advice_holds_no_payload():
    assert {field.name for field in dataclasses.fields(Advice)} == {"id", "field", "fingerprint", "label", "rule", "reason", "source"}


def test_redacted_cannot_be_made_by_others():
    real = redact_text("x")
    attempts = {
        "call": lambda: Redacted("raw"),
        "keywords": lambda: Redacted(text="raw", kinds={}),
        "replace": lambda: dataclasses.replace(real, text="raw"),
        "change": lambda: setattr(real, "text", "raw"),
    }
    for name, attempt in attempts.items():
        with pytest.raises((TypeError, AttributeError, ValueError)):
            pytest.fail(f"{name} made {attempt()!r}")
    for way in (copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))):
        try:
            assert str(way(real)) == str(real)
        except (TypeError, AttributeError, ValueError):
            continue


def test_publishers_take_redacted_only():
    """Every text that a publisher is given is `Redacted`: no field of what it takes is a plain string of a payload."""
    allowed = {"Redacted", "PublicRow", "PublicGroup", "PublicAdvice", "PublicStale", "PublicOpen", "Without", "VerdictWord", "Label"}
    holders = [one for name, one in vars(prelabel.publish).items() if name.startswith("Public") and dataclasses.is_dataclass(one)]
    assert len(holders) == 6
    for field in (field for holder in holders for field in dataclasses.fields(holder)):
        names = {node.id for node in ast.walk(ast.parse(field.type)) if isinstance(node, ast.Name)}
        assert names & allowed or field.type in {"int", "int | None", "Literal[0, 1, 3]", "Mapping[str, int]"}, field.name
        assert "str" not in names or field.type == "Mapping[str, int]", field.name
    signature = inspect.signature(prelabel.publish.markdown.render)
    assert list(signature.parameters) == ["view"]
    assert signature.parameters["view"].annotation == "PublicReport"
    assert signature.return_annotation == "Redacted"


# -- one exit -------------------------------------------------------------------------------------------------

EXIT = "prelabel.publish.release"
# What puts bytes somewhere.
WRITES = {"open", "print", "write", "writelines", "write_bytes", "write_text", "write_through", "write_atomic", "write_out", "emit", "dump"}
SAYS = {"prelabel.annotate": {"emit"}, "prelabel.redact": {"emit", "print"}}  # words of ours, and documents that were released
PUBLISHERS = sorted(
    name
    for name in SOURCES
    if (name.startswith("prelabel.publish") and name != EXIT) or name in {*SAYS, "prelabel.request", "prelabel.seen"}
)


@pytest.mark.parametrize("module", PUBLISHERS)
def test_publishers_write_nothing_but_through_the_one_exit(module):
    assert set(called(SOURCES[module])) & WRITES <= SAYS.get(module, set())


def test_every_sink_is_in_the_table_and_every_line_of_it_is_used():
    """A sink is named where something is released, by a literal or by a constant of the module."""
    named = set()
    for module, tree in SOURCES.items():
        constants = {
            target.id: node.value.value
            for node in tree.body
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        if not module.startswith("prelabel"):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                for one in [*node.args, *(word.value for word in node.keywords if word.arg == "sink")]:
                    text = one.value if isinstance(one, ast.Constant) else constants.get(one.id) if isinstance(one, ast.Name) else None
                    named |= {text} & set(SINKS)
    assert named == set(SINKS)


def test_the_texts_of_the_gate_leave_through_emit_only(graph):
    """Where logs are public `emit` is the exit; `write_out`, which it ends in, is for what was released already."""
    users = {module for module, tree in SOURCES.items() if "write_out" in set(called(tree))}
    assert users == {"gate.terminal", "gate.cli", EXIT}
    printers = {module for module, tree in SOURCES.items() if "print" in set(called(tree)) and module.split(".")[0] in PACKAGES}
    assert printers <= {
        "prelabel.__main__",
        "prelabel.demo",
        "prelabel.stage",
        "prelabel.redact",
        "gate.worker.worker",
        "gate.canonical.rule_child",
    }


def test_the_gate_makes_nothing_public_by_itself():
    readers = {module for module, tree in SOURCES.items() if module.startswith("gate.") and "is_ci" in set(called(tree))}
    assert readers <= {"gate.terminal", "gate.config.environ", "gate.progress"}
