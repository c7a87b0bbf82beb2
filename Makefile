# Two commands for users: `make demo`, `make test`. Both make .venv first; nothing else needs to be installed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 2
# The share of leak-test cases that may fail (docs/explanation/leak-test.md). It stays 0.
LEAKS_OPEN ?= 0

.PHONY: demo test test-values leak-test mutants lint format bench bench-redaction clean

demo: $(VENV)/.ready
	$(BIN)/shadow demo

test: $(VENV)/.ready
	$(BIN)/pytest -n $(JOBS) --cov --cov-report=term:skip-covered
	@printf 'gate, lines and branches in percent (at least 95): '
	@$(BIN)/coverage report --include='gate/*' --fail-under=95 --format=total

# Values of pandas, which is too large to install for every test run.
test-values: $(VENV)/.ready
	$(BIN)/python -m pip install --quiet --group values
	$(BIN)/pytest tests/unit/gate/test_worker_libraries.py

# Does any piece of a secret leave? 100,000 cases (LEAKS=2000 for fewer); each seed is printed, and a failing case can be shown again.
leak-test: $(VENV)/.ready
	$(BIN)/python -m tests.leak --jobs $(JOBS) --open $(LEAKS_OPEN)

# Which changes of the code that decides would no test notice? Takes half an hour.
mutants: $(VENV)/.ready
	$(BIN)/python -m pip install --quiet --group mutants
	$(BIN)/python tests/mutants.py

lint: $(VENV)/.ready
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

format: $(VENV)/.ready
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: $(VENV)/.ready
	$(BIN)/python benchmarks/run.py

# What redaction finds and what it wrongly hides, beside other people's tools (which are installed below ~/.cache, 0.6 GB).
bench-redaction: $(VENV)/.ready
	$(BIN)/python -m benchmarks.redaction

$(VENV)/.ready: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("shadow needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Say which: make PYTHON=python3.12" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable . --group dev
	touch $@

clean:
	rm -rf $(VENV) dist build mutants .pytest_cache .mypy_cache .ruff_cache .coverage*
