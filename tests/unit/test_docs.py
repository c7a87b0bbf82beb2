"""The docs say what the code does: links, commands, flags, keys, codes, fields and rules are held to it, both ways."""

import re
from pathlib import Path

import pytest
import typer.main

from gate import errors
from gate.canonical import rules
from gate.config import schema
from gate.hostile import MINIMUM
from gate.ledger.rows import OPTIONAL, REQUIRED
from gate.pins.parse import KINDS
from gate.report.model import COUNT_KEYS
from gate.report.write import KEYS, entry_json
from gate.types import FIELDS, GATED, STATUSES
from prelabel.cli import make_app

app = make_app()

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "reference"
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def pages():
    return [pytest.param(page, id=page.relative_to(ROOT).as_posix()) for page in PAGES]


def prose(page):
    """The page without its fenced blocks: what stands in them is output, not Markdown."""
    return re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)


def slug(heading):
    """The anchor that GitHub makes of a heading."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    return re.sub(r"[^\w\- ]", "", plain.strip().lower()).replace(" ", "-")


def anchors(page):
    return {slug(found[1]) for found in re.finditer(r"^#+ +(.+)$", prose(page), re.MULTILINE)}


def sections(page, level=2):
    """Heading -> text below it, down to the next heading of its level or above."""
    parts = re.split(rf"^{'#' * level} +(.+)$", page.read_text("utf-8"), flags=re.MULTILINE)
    return {
        head.strip(): re.split(rf"^#{{1,{level}}} ", body, maxsplit=1, flags=re.MULTILINE)[0]
        for head, body in zip(parts[1::2], parts[2::2], strict=True)
    }


def first_cells(text):
    """What stands in backticks in the first cells of a text's tables."""
    cells = [line.split("|")[1] for line in text.splitlines() if line.startswith("|")]
    return [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]


def rows(text):
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")][2:]


# -- every page -----------------------------------------------------------------------------------------------


def test_there_are_pages():
    assert len(PAGES) > 30


@pytest.mark.parametrize("page", pages())
def test_every_relative_link_leads_to_a_page_and_a_heading(page):
    broken = []
    for link in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        goal = (page.parent / path).resolve() if path else page
        if not goal.exists() or not goal.is_relative_to(ROOT) or (anchor and anchor not in anchors(goal)):
            broken.append(link)
    assert broken == []


@pytest.mark.parametrize("page", pages())
def test_no_page_names_a_place_on_our_machines(page):
    assert re.findall(r"(?:/work|/root|/home|/tmp|/opt)/[\w.-]+", page.read_text("utf-8")) == []


def test_every_page_can_be_reached_from_the_readme():
    todo, seen = [ROOT / "README.md"], set()
    while todo:
        page = todo.pop()
        if page in seen:
            continue
        seen.add(page)
        for link in re.findall(r"\]\(([^)\s]+?)(?:#[^)]*)?\)", prose(page)):
            goal = (page.parent / link).resolve()
            if goal.suffix == ".md" and goal.exists():
                todo.append(goal)
    assert [page for page in PAGES if page.resolve() not in seen] == []


@pytest.mark.parametrize("page", [page for page in pages() if "adr" in page.id and "README" not in page.id])
def test_a_decision_record_has_its_three_parts(page):
    found = sections(page)
    assert list(found) == ["Context", "Decision", "Consequence"]
    assert all(len(text.split()) > 10 for text in found.values())
    assert f"[{page.name[:4]}]({page.name})" in (page.parent / "README.md").read_text("utf-8")


# -- the command line -----------------------------------------------------------------------------------------


def commands():
    """Every command as typed -> its options and arguments."""
    found = {}
    todo = [("shadow", typer.main.get_command(app))]
    while todo:
        name, command = todo.pop()
        inner = getattr(command, "commands", None)
        if inner is None:
            found[name] = command.params
        else:
            todo += [(f"{name} {word}", one) for word, one in inner.items()]
    return found


def flags(params):
    return {max(param.opts, key=len) for param in params if param.opts[0].startswith("-")} - {"--help"}


def documented():
    return {head.strip("`"): text for head, text in sections(REFERENCE / "cli.md").items() if head.startswith("`shadow")}


def test_the_reference_has_every_command_and_no_other():
    assert set(documented()) == set(commands())


@pytest.mark.parametrize("name", sorted(commands()))
def test_the_reference_has_every_flag_of_a_command_and_no_other(name):
    text = documented()[name]
    assert set(first_cells(text)) == flags(commands()[name])
    for param in commands()[name]:
        if not param.opts[0].startswith("-"):
            shown = param.metavar.strip("[]")
            assert f"{name} {shown if param.required else f'[{shown}]'}" in text


def test_the_options_of_shadow_itself():
    head = (REFERENCE / "cli.md").read_text("utf-8").partition("\n## ")[0]
    assert set(first_cells(head)) == flags(typer.main.get_command(app).params)


@pytest.mark.parametrize("page", pages())
def test_every_command_that_a_page_tells_to_type_exists(page):
    """In console blocks (`$ shadow ..`) and shell blocks: the command, and each of its flags."""
    known = commands()
    for line in re.findall(
        r"^(?:\$ )?(shadow .+)$", "\n".join(re.findall(r"```(?:console|sh)\n(.*?)```", page.read_text("utf-8"), re.DOTALL)), re.MULTILINE
    ):
        words = line.split(" #")[0].split()
        name = next((part for part in (" ".join(words[:3]), " ".join(words[:2])) if part in known), None)
        assert name is not None, line
        assert {word.partition("=")[0] for word in words if word.startswith("--")} <= flags(known[name]), line


# -- config ---------------------------------------------------------------------------------------------------


def config_tables():
    names = {"": "The file", "target": "`[[target]]`"} | {name: f"`[{name}]`" for name in schema.KNOWN if name not in {"", "target"}}
    return {name: sections(REFERENCE / "config.md")[head] for name, head in names.items()}


def test_the_config_reference_has_a_section_for_every_table():
    heads = {head for head in sections(REFERENCE / "config.md") if head.startswith("`[")}
    assert heads == {"`[[target]]`"} | {f"`[{name}]`" for name in schema.KNOWN if name not in {"", "target"}}


@pytest.mark.parametrize("table", sorted(schema.KNOWN))
def test_the_config_reference_has_every_key_and_no_other(table):
    text = config_tables()[table].partition("| level |")[0]
    assert first_cells(text) == list(dict.fromkeys(first_cells(text)))
    assert set(first_cells(text)) == set(schema.KNOWN[table])


@pytest.mark.parametrize("table", ["limits"])
def test_the_defaults_of_numbers_are_those_of_the_code(table):
    defaults = {key: f"`{field.default}`" for key, field in schema.LimitsTable.model_fields.items()}
    assert {row[0].strip("`"): row[2] for row in rows(config_tables()[table])} == defaults


# -- exit codes -----------------------------------------------------------------------------------------------


def test_the_exit_codes_are_those_of_the_code():
    head = (REFERENCE / "exit-codes.md").read_text("utf-8").partition("\n## ")[0]
    codes = {value for name, value in vars(errors).items() if name.startswith("EXIT_")}
    assert [int(row[0]) for row in rows(head)] == sorted(codes)


def leaves(kind=errors.ShadowError):
    below = kind.__subclasses__()
    return {kind} if not below else set().union(*map(leaves, below))


def test_every_error_is_listed_with_its_code():
    listed = {row[0].strip("`"): int(row[1]) for row in rows(sections(REFERENCE / "exit-codes.md")["Errors by kind"])}
    raised = leaves() | {errors.UsageError}
    assert listed == {kind.__name__: kind.exit_code for kind in raised if kind.__module__ == "gate.errors"}


# -- fields, rules, pins, files -------------------------------------------------------------------------------


def test_the_fields_and_whether_they_gate():
    found = rows(sections(REFERENCE / "fields-and-rules.md")["Fields"].partition("\n### ")[0])
    assert {row[0].strip("`"): row[1] for row in found} == {name: "gated" if name in GATED else "noted" for name in FIELDS}


def test_the_statuses_worst_first():
    assert first_cells(sections(REFERENCE / "fields-and-rules.md", 3)["Status"]) == list(STATUSES)


def test_the_rules_and_which_are_on():
    found = {row[0].strip("`"): row[1] for row in rows(sections(REFERENCE / "fields-and-rules.md")["Rules"])}
    known = [*rules._NAMED, *rules._PATH_FORMS.values()]
    assert found == {name: "on" if name in rules.DEFAULT_RULES else "off" for name in known}


def test_the_kinds_of_pins():
    head = (REFERENCE / "pins.md").read_text("utf-8").partition("\n## ")[0]
    assert {cell.partition(":")[0] for cell in first_cells(head)} == set(KINDS)


def test_the_keys_of_a_row():
    found = {row[0].strip("`"): row[1] for row in rows(sections(REFERENCE / "ledger.md")["Keys of a row"])}
    assert found == dict.fromkeys(REQUIRED, "required") | dict.fromkeys(OPTIONAL, "optional")


def test_the_keys_of_a_report():
    head = (REFERENCE / "report.md").read_text("utf-8").partition("\n## ")[0]
    assert sorted(first_cells(head)) == sorted([*KEYS, "redacted"])
    counts = sections(REFERENCE / "report.md")["`counts`"]
    assert set(re.findall(r"`(\w+)`", counts)) == set(COUNT_KEYS)


def test_the_keys_of_a_divergence(entry):
    assert sorted(first_cells(sections(REFERENCE / "report.md")["One divergence"])) == sorted(entry_json(entry))


@pytest.fixture
def entry():
    from gate.report.model import Entry

    return Entry(
        id="a.json",
        field="value",
        baseline="1",
        candidate="2",
        verdict="unclassified",
        fingerprint="0" * 12,
        fixture_sha256=None,
        row=None,
        reason=None,
        paths=(),
    )


def test_the_hostile_minimum():
    assert first_cells(sections(REFERENCE / "corpus.md")["The hostile minimum"]) == [one.name for one in MINIMUM]


def test_every_dependency_is_accounted_for():
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    wanted = [*project["project"]["dependencies"], *project["dependency-groups"]["dev"], *project["build-system"]["requires"]]
    wanted += [one for extra in project["project"]["optional-dependencies"].values() for one in extra]
    names = {re.split(r"[<>=]", one)[0] for one in wanted}
    listed = re.findall(r"^\| \[([^\]]+)\]", (ROOT / "docs" / "dependencies.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(names)


def test_every_test_that_the_page_of_pitfalls_names_exists():
    """`file.py::test`, `file.py::test[id]`, and `[id]` for another case of the test named before."""
    sources = {}
    for path in (ROOT / "tests").rglob("test_*.py"):
        sources.setdefault(path.name, []).append(path.read_text("utf-8"))
    test, named, lost = None, 0, []
    for found in re.finditer(r"`(?:(test_\w+\.py)::(test_\w+))?(\[[^`]+\])?`", (ROOT / "docs/explanation/pitfalls.md").read_text("utf-8")):
        test = found.group(1, 2) if found[1] else test
        case = (found[3] or "[]")[1:-1]
        there = [source for source in sources.get(test[0], ()) if f"def {test[1]}(" in source]
        if not any(not case or f'"{case}"' in source or f"'{case}'" in source for source in there):
            lost.append(found[0])
        named += 1
    assert (lost, named > 200) == ([], True)
