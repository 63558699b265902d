# The two commands of the README: `make play` and `make test`. Both set up everything they need, once.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
KERNEL := $(wildcard kernel/*.cpp kernel/*.hpp) CMakeLists.txt
TOOLS := $(VENV)/.tools
BUILT := $(VENV)/.built
JOBS ?= 2
PAGE := src/limina/web/index.html
BROWSED := build/.browsed
NODE_MODULES := web/node_modules/.installed
PAGE_SOURCES := $(shell find web -name node_modules -prune -o -type f -print) $(wildcard src/limina/*/art/*)

.PHONY: play page test test-long sanitize lint format stubs schema golden pictures examples bench figures clean

play: $(BUILT) page
	@$(BIN)/limina serve

test: $(BUILT) page lint sanitize
	@$(BIN)/pytest -n $(JOBS) --dist worksteal --ignore=tests/e2e
	@$(MAKE) -s $(BROWSED)

# The page's own tests and those in a real browser; run again when anything they look at has changed since they passed.
$(BROWSED): $(PAGE) $(BUILT) $(shell find src/limina tests/e2e -name '*.py')
	@sh tools/get-chromium.sh
	@cd web && npm test --silent
	@$(BIN)/pytest -n $(JOBS) --dist worksteal tests/e2e
	@mkdir -p $(@D) && touch $@

# The page in the browser; built again only when its sources, or the drawings and palettes it shares, have changed.
page: $(PAGE)

# Kernel and reference side by side for as long as you like: make test-long GAMES=100000
GAMES ?= 3000
test-long: $(BUILT)
	@PYTHONPATH=tests $(BIN)/python -m kernel.differential $(GAMES)

# The kernel's tests once more, watched for stray addresses and undefined behaviour.
sanitize: $(BUILT)
	@sh tools/sanitize.sh

lint: $(BUILT) $(NODE_MODULES)
	@$(BIN)/ruff check -q . && $(BIN)/ruff format -q --check .
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/clang-format --dry-run -Werror kernel/*.cpp kernel/*.hpp
	@cd web && npm run --silent lint && npm run --silent check

format: $(TOOLS) $(NODE_MODULES)
	@$(BIN)/ruff check -q --fix . ; $(BIN)/ruff format -q .
	@$(BIN)/clang-format -i kernel/*.cpp kernel/*.hpp
	@cd web && npm run --silent format

# The kernel's types for Python, written by the kernel itself; a test fails when they are out of date.
stubs: $(BUILT)
	@$(BIN)/python -m nanobind.stubgen -q -r -m limina._kernel -O src/limina

# The wire as one OpenAPI document, from which the page's types are made; a test fails when it is out of date.
schema: $(BUILT) $(NODE_MODULES)
	@$(BIN)/python -m limina.server.export web/src/lib/api/schema.json
	@cd web && npm run --silent types

# Write the count tables and golden games again, after a change of the rules that is meant.
golden: $(BUILT)
	@PYTHONPATH=tests $(BIN)/python -m kernel.golden

# The pictures of the documentation, drawn from the games of the rules' examples, and what both Python and the page
# draw of a few displays; a test fails when they are out of date.
pictures: $(BUILT)
	@$(BIN)/python tools/pictures.py
	@$(BIN)/python tools/landscape.py

# The examples of the rules as the page draws them; a test fails when they are out of date.
examples: $(BUILT)
	@$(BIN)/python tools/examples.py

# Figures of speed and strength, all of them or some: make bench PARTS="rules server"
PARTS ?=
bench: $(BUILT) $(if $(PARTS),$(filter page,$(PARTS)),page)
	@PYTHONPATH=tests $(BIN)/python -m bench $(PARTS)

# The last figures of `make bench`, written into the documentation.
figures: $(BUILT)
	@$(BIN)/python tools/figures.py

clean:
	@rm -rf $(VENV) build web/node_modules bench/boardgameio/node_modules src/limina/web .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(TOOLS): pyproject.toml constraints.txt
	@sh tools/check-machine.sh $(PYTHON)
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "limina: installing what it is built and tested with"
	@$(BIN)/python tools/quietly.py "the Python packages could not be installed: is there a network?" \
		$(BIN)/pip install --disable-pip-version-check -c constraints.txt scikit-build-core nanobind ninja cmake \
		mypy ruff pytest pytest-xdist hypothesis clang-format \
		aiosqlite alembic asyncpg fastapi httptools orjson pydantic "sqlalchemy[asyncio]" uvicorn uvloop websockets \
		httpx pgserver playwright schemathesis
	@$(BIN)/pip install -q --disable-pip-version-check -c constraints.txt ray >/dev/null 2>&1 || \
		echo "limina: Ray is not to be had here: its test will be skipped"
	@touch $@

$(BUILT): $(TOOLS) $(KERNEL)
	@echo "limina: building the kernel"
	@$(BIN)/python tools/quietly.py "the kernel could not be built" \
		$(BIN)/pip install --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $@

$(NODE_MODULES): web/package.json web/package-lock.json | $(TOOLS)
	@sh tools/check-node.sh
	@echo "limina: installing what the page is built with"
	@$(BIN)/python tools/quietly.py "the page's packages could not be installed: is there a network?" \
		npm --prefix web ci --no-audit --no-fund
	@touch $@

$(PAGE): $(NODE_MODULES) $(PAGE_SOURCES)
	@echo "limina: building the page"
	@$(BIN)/python tools/quietly.py "the page could not be built" npm --prefix web run build
	@touch $@
