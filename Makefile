PYTHON ?= python3
VENV := .venv
INSTALLED := $(VENV)/.installed
export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)

# What is quick and fails first; then what opens files, sockets and processes.
PURE := tests/rules tests/wire tests/table tests/tournament tests/ratings tests/referee tests/test_layers.py
# Those that take longest come first, so that no worker waits for them in the end.
REAL := tests/trust tests/daemon tests/cli tests/storage tests/players tests/clients tests/bots tests/conformance
ALL := $(patsubst %/,%,$(wildcard tests/*/)) $(wildcard tests/test_*.py)
COMPILED := $(CURDIR)/build/compiled
ON_COMPILED := PATH=$(COMPILED)/bin:$(PATH)
OTHER := $(filter-out $(PURE) $(REAL) tests/support tests/golden tests/__pycache__,$(ALL))
TESTS := $(wildcard $(PURE)) $(OTHER) $(wildcard $(REAL))
AT_ONCE := --numprocesses 2 --dist loadfile -m "not alone"
ALONE := -m alone tests/trust

# A wheel is always built anew, so what is installed from it, in an environment of its own, is too.
.PHONY: help demo test nightly golden check format bench wheel test-compiled clean

help:
	@echo "make demo    play a whole tournament and verify its log"
	@echo "make test    run the tests"
	@echo "make nightly run the promises as often as they are made: hours"
	@echo "make golden  write the golden files anew; read the diff before you keep it"
	@echo "make check   format, lint, types, generated code, layers"
	@echo "make format  format the code"
	@echo "make bench   measure how fast tournaments are"
	@echo "make wheel   build the sdist, and the wheel with the rules compiled"
	@echo "make test-compiled  run the tests on that wheel"
	@echo "make clean   remove what these made"

demo: $(INSTALLED)
	@mkdir -p build
	@rm -f build/demo.db build/demo.db-* build/demo.db.lock
	fivehundred run tournaments/demo.textproto --database build/demo.db
	fivehundred verify build/demo.db

test: $(INSTALLED)
	pytest -q $(AT_ONCE) $(TESTS)
	pytest -q $(ALONE)

nightly: $(INSTALLED)
	pytest -q --nightly tests/trust tests/daemon/test_api_machine.py

golden: $(INSTALLED)
	pytest -q tests/rules/test_golden_hands.py tests/conformance/test_perft.py --rewrite-golden

check: $(INSTALLED)
	ruff format --check .
	ruff check .
	mypy
	python proto/generate.py --check
	buf lint
	pytest -q tests/test_layers.py

format: $(INSTALLED)
	ruff format .
	ruff check --fix .

# On the compiled build where there is a C compiler, which the first line of the report tells.
bench: $(INSTALLED)
	@mkdir -p build
	@if command -v cc >/dev/null; then $(MAKE) --no-print-directory $(COMPILED); else rm -rf $(COMPILED); fi
	$(ON_COMPILED) python benchmarks/suite.py --baseline --json build/bench.json

wheel: $(INSTALLED)
	@rm -rf dist
	HATCH_BUILD_HOOK_ENABLE_CUSTOM=true python -m build

test-compiled: $(COMPILED)
	$(ON_COMPILED) pytest -q $(AT_ONCE) $(TESTS)
	$(ON_COMPILED) pytest -q $(ALONE)

$(COMPILED): wheel
	@rm -rf $@
	$(PYTHON) -m venv $@
	$@/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt "$$(ls dist/*.whl)[dev]"
	$@/bin/python -c 'import fivehundred.rules.hand as it; exit(it.__file__.endswith(".py"))'

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(INSTALLED): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("fivehundred needs Python 3.11 or newer, and $(PYTHON) is " + sys.version.split()[0] + ": name another, as in make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $@
