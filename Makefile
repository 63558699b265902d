# The two commands of the README: `make play` and `make test`. Both set up everything they need, once.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
KERNEL_SOURCES := $(shell find kernel -name '*.[ch]pp')
KERNEL := $(KERNEL_SOURCES) CMakeLists.txt
CREATED := $(VENV)/.created
BUILDER := $(VENV)/.builder
TOOLS := $(VENV)/.tools
RAY := $(VENV)/.ray
LEARNERS := $(VENV)/.learners
SITE_TOOLS := $(VENV)/.site-tools
PACKERS := $(VENV)/.packers
INSTALLED := $(VENV)/.installed
BUILT := $(VENV)/.built
PAGE := src/limina/web/index.html
NODE_MODULES := web/node_modules/.installed
PAGE_SOURCES := $(shell find web -name node_modules -prune -o -type f -print) $(wildcard src/limina/*/art/*)
BROWSED := build/.browsed
SANITIZED := build/.sanitized

# Tests start hundreds of Python processes: none but the first is to compile what it loads, whatever is set outside.
unexport PYTHONDONTWRITEBYTECODE

# How many things are done side by side, and how many tests at once: more than this, and they stand in each other's way.
LANES ?= 3
JOBS ?= 3
BROWSERS ?= 2
PYTEST := $(BIN)/pytest --dist worksteal -n
# What takes long says in a line that it passed; if it fails, all that it said.
STEP := $(PYTHON) tools/step.py

.PHONY: play page test prerequisites steps tests page-tests browser-tests programs test-long test-rl test-pythons test-fresh \
	sanitize lint lint-python lint-kernel lint-page format stubs schema golden pictures curves icons examples tour bench figures \
	chaos cluster docs wheel test-wheel reproducible lock clean

# On another port: make play PORT=9000
PORT ?= 8000
play: prerequisites $(BUILT) page
	@$(BIN)/limina serve --port $(PORT)

# Everything at once, longest first; what each of them says comes in one piece. Pytest has the last word.
test: prerequisites
	@$(MAKE) --no-print-directory -j$(LANES) $(if $(filter output-sync,$(.FEATURES)),--output-sync=line) steps
	@tail -qn 1 build/steps/tests.log build/steps/browser-tests.log

steps: tests sanitize browser-tests lint page-tests

tests: $(BUILT) $(RAY) $(PAGE) | programs
	@$(STEP) $@ $(PYTEST) $(JOBS) --ignore=tests/e2e --ignore=tests/rl_libraries --ignore=tests/docs_site --ignore=tests/package

# With the libraries of those who learn (torch alone is gigabytes), and a thousand games of each game followed in
# batches. What cannot be had here is said, and its tests are skipped.
test-rl: $(BUILT) $(LEARNERS)
	@LIMINA_RL_GAMES=1000 $(BIN)/pytest -rs tests/rl tests/rl_libraries

# The documentation as a site in build/site, with whatever is to be warned of as an error; then its links are followed.
docs: $(BUILT) $(SITE_TOOLS)
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@$(BIN)/pytest -n 0 tests/docs_site

# What is published: an sdist and a wheel with the page inside, in dist/.
wheel: $(BUILDER) $(PACKERS) $(PAGE)
	@echo "limina: packing dist/"
	@$(QUIETLY) "limina could not be packed" sh tools/wheel.sh dist
	@ls dist

# The wheel in an empty environment, where there is neither a compiler nor a network.
test-wheel: $(TOOLS)
	@$(BIN)/pytest -n 0 tests/package

# Two of them, which must be equal byte by byte.
reproducible: $(BUILDER) $(PACKERS) $(PAGE)
	@$(QUIETLY) "what was packed twice is not the same" sh tools/reproducible.sh
	@cat build/reproducible/one.sums

# Other Pythons than the one of .venv, as far as they are here: make test-pythons PYTHONS="python3.13 python3.14t"
PYTHONS ?= python3.12 python3.13 python3.14 python3.13t python3.14t
test-pythons:
	@sh tools/pythons.sh $(PYTHONS)

# Both commands of the README in a minimal Debian 12 with the packages that the README names, as root and as a plain user:
# make test-fresh USERS=plain COMMANDS="play test". Mounts and processes are in namespaces of their own, and end with them.
USERS ?= root plain
COMMANDS ?= play test
test-fresh:
	@$(CHECK) node git
	@unshare --mount --pid --fork --kill-child --mount-proc \
		$(PYTHON) tools/fresh.py --users $(USERS) --commands $(COMMANDS)

page-tests: $(NODE_MODULES)
	@$(STEP) $@ npm --prefix web test --silent

# In a real browser; run again when anything they look at has changed since they passed.
browser-tests: $(BROWSED)
$(BROWSED): $(PAGE) $(BUILT) $(shell find src/limina tests/e2e tests/support -name '*.py') | programs
	@$(STEP) browser-tests $(PYTEST) $(BROWSERS) tests/e2e
	@grep -q "^SKIPPED" build/steps/browser-tests.log || touch $@

# All tests that use PostgreSQL, several times in a row, with the browser tests beside them: make test-postgres REPEAT=20
REPEAT ?= 1
.PHONY: test-postgres
test-postgres: $(BUILT) $(PAGE) | programs
	@$(BIN)/python tools/repeat_postgres.py $(REPEAT) $(JOBS)

# What the page and the files for hosts are tested with.
programs:
	@sh tools/get-programs.sh

# The page in the browser; built again only when its sources, or the drawings and palettes it shares, have changed.
page: $(PAGE)

# Kernel and reference side by side for as long as you like: make test-long GAMES=100000
GAMES ?= 3000
test-long: $(BUILT)
	@PYTHONPATH=tests $(BIN)/python -m kernel.differential $(GAMES)

# A database, two servers, a worker and nginx on this machine, until Ctrl-C: make cluster PORT=8000
cluster: $(BUILT) $(PAGE) | programs
	@PYTHONPATH=tests $(BIN)/python -W ignore tools/cluster.py --port $(PORT)

# Servers and the database killed under play for as long as you like, and whether anything was lost: a short one is among
# the tests. make chaos KILLS=1000 RESTARTS=20 SEED=1; Ctrl-C ends it early and looks at what there is.
KILLS ?= 100
RESTARTS ?= 2
SEED ?= 1
chaos: $(BUILT)
	@PYTHONPATH=tests $(BIN)/python -m chaos --kills $(KILLS) --restarts $(RESTARTS) --seed $(SEED) $(if $(SECONDS),--seconds $(SECONDS))

# The kernel's tests once more, watched for stray addresses and undefined behaviour; again when it or they changed.
sanitize: $(SANITIZED)
$(SANITIZED): $(KERNEL) tools/sanitize.sh tests/kernel/sanitized.py tests/kernel/differential.py | $(BUILT)
	@$(STEP) sanitize sh tools/sanitize.sh
	@grep -q "were not run" build/steps/sanitize.log || touch $@

lint: lint-python lint-kernel lint-page

lint-python: $(TOOLS)
	@$(STEP) $@ sh -c "$(BIN)/ruff check -q . && $(BIN)/ruff format -q --check . && $(BIN)/mypy --no-error-summary"

lint-kernel: $(TOOLS)
	@$(STEP) $@ $(BIN)/clang-format --dry-run -Werror $(KERNEL_SOURCES)

lint-page: $(NODE_MODULES)
	@$(STEP) $@ sh -c "cd web && npm run --silent lint && npm run --silent check"

format: $(TOOLS) $(NODE_MODULES)
	@$(BIN)/ruff check -q --fix . ; $(BIN)/ruff format -q .
	@$(BIN)/clang-format -i $(KERNEL_SOURCES)
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
# draw of a few displays; how figures went over versions, and what learners learned. A test fails when they are out of
# date.
pictures: $(BUILT)
	@$(BIN)/python tools/pictures.py
	@$(BIN)/python tools/landscape.py
	@$(BIN)/python tools/waves.py
	@$(BIN)/python -m tools.history
	@$(BIN)/python -m tools.curves

# What the examples for learners learn, with three seeds each: two hours of one core. Then `make pictures` draws it.
LEARN_SECONDS ?= 600
SEEDS ?= 1 2 3
curves: $(BUILT) $(LEARNERS)
	@mkdir -p docs/data/learning
	@for seed in $(SEEDS); do for learner in td ppo; do \
		$(BIN)/python examples/rl/$$learner.py --seconds $(LEARN_SECONDS) --seed $$seed \
			--out docs/data/learning/$$learner-$$seed.json || exit 1; \
	done; done

# The page's icons and the picture of link previews, drawn by Chromium from the documentation's pictures.
icons: $(BUILT) | programs
	@PYTHONPATH=tests $(BIN)/python tools/icons.py

# Every page and table in every window, by day and by night, into build/tour; the best of it for docs/tour.md.
STOPS ?=
tour: $(BUILT) page | programs
	@PYTHONPATH=tests $(BIN)/python tools/tour.py $(STOPS)

# The examples of the rules as the page draws them; a test fails when they are out of date.
examples: $(BUILT)
	@$(BIN)/python tools/examples.py

# Figures of speed and strength, all of them or some: make bench PARTS="rules server"
PARTS ?=
bench: $(BUILT) $(if $(PARTS),$(filter page,$(PARTS)),page)
	@PYTHONPATH=tests $(BIN)/python -m bench $(PARTS)

# The last figures of `make bench`, written into the documentation.
figures: $(BUILT)
	@$(BIN)/python -m tools.figures

# The versions and hashes of everything that pyproject.toml asks for, for every Python and system that it allows. What is
# locked already stays as it is, unless: make lock UPGRADE=--upgrade, or UPGRADE="--upgrade-package NAME"
lock: $(CREATED)
	@$(OFFLINE) $(INSTALL) bootstrap
	@$(BIN)/python tools/requirements.py | $(BIN)/uv pip compile --quiet --universal --python-version 3.11 \
		--fork-strategy fewest --generate-hashes --no-annotate --custom-compile-command "make lock" $(UPGRADE) \
		-o constraints.txt -

clean:
	@rm -rf $(VENV) build web/node_modules bench/*/node_modules src/limina/web .mypy_cache .ruff_cache .pytest_cache .hypothesis

# --- what is needed, from pyproject.toml alone, in the versions of constraints.txt

QUIETLY := $(PYTHON) tools/quietly.py
INSTALL := sh tools/install.sh
OFFLINE := $(QUIETLY) "the Python packages could not be installed: is there a network?"

# Both commands of the README name everything that is missing before they begin.
CHECK := sh tools/check-prerequisites.sh $(PYTHON)
prerequisites:
	@$(CHECK) python compiler node git

# An environment whose creation or installation was interrupted, or whose Python no longer runs, is created again.
ifneq ($(shell $(BIN)/python -c 'import pip; print("works")' 2>/dev/null)$(wildcard $(VENV)/.installing),works)
.PHONY: $(CREATED)
endif
$(CREATED):
	@$(CHECK) python compiler
	@$(PYTHON) -m venv --clear $(VENV)
	@touch $@

$(BUILDER): pyproject.toml constraints.txt $(CREATED)
	@echo "limina: installing what the kernel is built with"
	@$(OFFLINE) $(INSTALL) bootstrap
	@$(OFFLINE) $(INSTALL) build
	@touch $@

$(TOOLS): $(BUILDER)
	@echo "limina: installing what limina runs and is tested with"
	@$(OFFLINE) $(INSTALL) server print dev rl
	@touch $@

# After the others: two installations would each bring what both need.
$(RAY): $(TOOLS)
	@$(INSTALL) ray >/dev/null 2>&1 || echo "limina: Ray is not to be had here: its test will be skipped"
	@touch $@

$(LEARNERS): $(TOOLS)
	@$(INSTALL) spiel >/dev/null 2>&1 || echo "limina: OpenSpiel is not to be had here: its tests will be skipped"
	@$(INSTALL) learn >/dev/null 2>&1 || echo "limina: torch is not to be had here: its tests will be skipped"
	@$(INSTALL) peers >/dev/null 2>&1 || echo "limina: pygame is not to be had here: PettingZoo's own games will not be measured"
	@$(INSTALL) notebooks >/dev/null 2>&1 || echo "limina: Jupyter is not to be had here: notebooks will not be run"
	@touch $@

$(SITE_TOOLS): $(TOOLS)
	@echo "limina: installing what the documentation site is built with"
	@$(OFFLINE) $(INSTALL) docs
	@touch $@

$(PACKERS): $(BUILDER)
	@echo "limina: installing what limina is packed with"
	@$(OFFLINE) $(INSTALL) release
	@touch $@

# With the kernel, built beside the installation of the others.
$(INSTALLED): $(BUILDER) $(KERNEL)
	@echo "limina: building the kernel"
	@$(QUIETLY) "the kernel could not be built" \
		$(BIN)/pip install --disable-pip-version-check --no-build-isolation --no-deps \
		--config-settings=cmake.define.LIMINA_WERROR=$(if $(CI),ON,OFF) -e .
	@touch $@

$(BUILT): $(INSTALLED) $(TOOLS)
	@touch $@

$(NODE_MODULES): web/package.json web/package-lock.json
	@$(CHECK) node
	@echo "limina: installing what the page is built with"
	@$(QUIETLY) "the page's packages could not be installed: is there a network?" npm --prefix web ci --no-audit --no-fund
	@touch $@

$(PAGE): $(NODE_MODULES) $(PAGE_SOURCES)
	@echo "limina: building the page"
	@$(QUIETLY) "the page could not be built" npm --prefix web run build
	@touch $@
