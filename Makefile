# The two commands of the README: `make play` and `make test`. Both set up everything they need, once.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
KERNEL := $(wildcard kernel/*.cpp kernel/*.hpp) CMakeLists.txt
TOOLS := $(VENV)/.tools
BUILT := $(VENV)/.built
JOBS ?= 2

.PHONY: play test test-long sanitize lint format stubs schema golden pictures bench clean

play: $(BUILT)
	@$(BIN)/limina play

test: $(BUILT) lint sanitize
	@$(BIN)/pytest -n $(JOBS) --dist worksteal

# Kernel and reference side by side for as long as you like: make test-long GAMES=100000
GAMES ?= 3000
test-long: $(BUILT)
	@PYTHONPATH=tests $(BIN)/python -m differential $(GAMES)

# The kernel's tests once more, watched for stray addresses and undefined behaviour.
sanitize: $(BUILT)
	@sh tools/sanitize.sh

lint: $(BUILT)
	@$(BIN)/ruff check -q . && $(BIN)/ruff format -q --check .
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/clang-format --dry-run -Werror kernel/*.cpp kernel/*.hpp

format: $(TOOLS)
	@$(BIN)/ruff check -q --fix . ; $(BIN)/ruff format -q .
	@$(BIN)/clang-format -i kernel/*.cpp kernel/*.hpp

# The kernel's types for Python, written by the kernel itself; a test fails when they are out of date.
stubs: $(BUILT)
	@$(BIN)/python -m nanobind.stubgen -q -r -m limina._kernel -O src/limina

# The wire as one OpenAPI document, from which the page's types are made; a test fails when it is out of date.
schema: $(BUILT)
	@$(BIN)/python -m limina.server.export web/src/lib/api/schema.json

# Write the count tables and golden games again, after a change of the rules that is meant.
golden: $(BUILT)
	@PYTHONPATH=tests $(BIN)/python -m golden

# The pictures of the documentation, drawn from the games of the rules' examples.
pictures: $(BUILT)
	@$(BIN)/python tools/pictures.py

bench: $(BUILT)
	@PYTHONPATH=tests $(BIN)/python -m bench

clean:
	@rm -rf $(VENV) build .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(TOOLS): pyproject.toml constraints.txt
	@sh tools/check-machine.sh $(PYTHON)
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "limina: installing what it is built and tested with"
	@$(BIN)/python tools/quietly.py "the Python packages could not be installed: is there a network?" \
		$(BIN)/pip install --disable-pip-version-check -c constraints.txt scikit-build-core nanobind ninja cmake \
		mypy ruff pytest pytest-xdist hypothesis clang-format \
		aiosqlite alembic asyncpg fastapi httptools orjson pydantic "sqlalchemy[asyncio]" uvicorn uvloop websockets \
		httpx pgserver schemathesis
	@$(BIN)/pip install -q --disable-pip-version-check -c constraints.txt ray >/dev/null 2>&1 || \
		echo "limina: Ray is not to be had here: its test will be skipped"
	@touch $@

$(BUILT): $(TOOLS) $(KERNEL)
	@echo "limina: building the kernel"
	@$(BIN)/python tools/quietly.py "the kernel could not be built" \
		$(BIN)/pip install --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $@
