# `make play` serves the page, `make test` runs all tests. Both first build and install what they need.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
KERNEL_SOURCES := $(shell find kernel -name '*.[ch]pp')
PACKAGES := $(sort $(dir $(shell find src/limina -name '*.py')))
VENV_CREATED := $(VENV)/.venv-created
BUILD_DEPS := $(VENV)/.build-deps
DEV_DEPS := $(VENV)/.dev-deps
RAY_DEPS := $(VENV)/.ray-deps
RL_DEPS := $(VENV)/.rl-deps
DOCS_DEPS := $(VENV)/.docs-deps
RELEASE_DEPS := $(VENV)/.release-deps
LIMINA_INSTALLED := $(VENV)/.limina-installed
PACKAGE_LIST := $(VENV)/.limina-packages
PYTHON_READY := $(VENV)/.python-ready
WEB_BUNDLE := src/limina/web/index.html
NODE_MODULES := web/node_modules/.installed
WEB_SOURCES := $(shell find web -name node_modules -prune -o -type f -print) $(wildcard src/limina/*/art/*)
E2E_PASSED := build/.e2e-passed
SANITIZERS_PASSED := build/.sanitizers-passed

# Tests start hundreds of Python processes, which would all compile what they import without __pycache__.
unexport PYTHONDONTWRITEBYTECODE

# Parallel steps of `make test`, processes of the Python tests, processes of the browser tests. Higher values are slower.
STEP_JOBS ?= 3
TEST_JOBS ?= 3
BROWSER_JOBS ?= 2
PYTEST := $(BIN)/pytest --dist worksteal -n
# Prints one line if a step passes, and the output of the step if it fails.
RUN_STEP := $(PYTHON) tools/run_step.py

.PHONY: play web test prerequisites test-steps test-python test-web test-e2e test-deps test-differential test-rl \
	test-python-versions test-clean-install sanitize lint lint-python lint-kernel lint-web format stubs openapi-schema \
	golden-games docs-images learning-curves icons rule-examples screenshots bench bench-report limit-tables chaos cluster docs wheel \
	test-wheel check-reproducible-build lock clean

# On another port: make play PORT=9000
PORT ?= 8000
play: prerequisites $(PYTHON_READY) web
	@$(BIN)/limina serve --port $(PORT)

# The steps run in parallel, the longest first. The summaries of pytest come last.
test: prerequisites
	@$(MAKE) --no-print-directory -j$(STEP_JOBS) $(if $(filter output-sync,$(.FEATURES)),--output-sync=line) test-steps
	@tail -qn 1 build/steps/test-python.log build/steps/test-e2e.log

test-steps: test-python sanitize test-e2e lint test-web

test-python: $(PYTHON_READY) $(RAY_DEPS) $(WEB_BUNDLE) | test-deps
	@$(RUN_STEP) $@ $(PYTEST) $(TEST_JOBS) \
		--ignore=tests/e2e --ignore=tests/rl_libraries --ignore=tests/docs_site --ignore=tests/package

# The tests of the environments for reinforcement learning, with torch (gigabytes), Stable-Baselines3 and OpenSpiel, and
# with 1,000 games of each game compared in batches. The tests of a library that cannot be installed are skipped.
test-rl: $(PYTHON_READY) $(RL_DEPS)
	@LIMINA_RL_GAMES=1000 $(BIN)/pytest -rs tests/rl tests/rl_libraries

# The documentation site in build/site; warnings are errors. Then a test checks its links.
docs: $(PYTHON_READY) $(DOCS_DEPS)
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@$(BIN)/pytest -n 0 tests/docs_site

# The packages to publish, in dist/: an sdist and a wheel, both with the page.
wheel: $(BUILD_DEPS) $(RELEASE_DEPS) $(WEB_BUNDLE)
	@echo "limina: building the packages in dist/"
	@$(RUN_QUIETLY) "the packages could not be built" sh tools/build-wheel.sh dist
	@ls dist

# Installs the wheel of dist/ in an empty environment without compiler and network, and tests it.
test-wheel: $(DEV_DEPS)
	@$(BIN)/pytest -n 0 tests/package

# Builds the packages twice and compares them byte by byte.
check-reproducible-build: $(BUILD_DEPS) $(RELEASE_DEPS) $(WEB_BUNDLE)
	@$(RUN_QUIETLY) "the two builds of the packages differ" sh tools/check-reproducible-build.sh
	@cat build/reproducible/one.sums

# Builds and tries limina with other installed versions of Python: make test-python-versions PYTHONS="python3.13"
PYTHONS ?= python3.12 python3.13 python3.14 python3.13t python3.14t
test-python-versions:
	@sh tools/test-python-versions.sh $(PYTHONS)

# Runs `make play` and `make test` in a minimal Debian 12 with the packages that the README names, as root and as
# another user: make test-clean-install USERS=plain COMMANDS=play
USERS ?= root plain
COMMANDS ?= play test
test-clean-install:
	@$(CHECK_PREREQUISITES) node git
	@unshare --mount --pid --fork --kill-child --mount-proc \
		$(PYTHON) tools/clean_install.py --users $(USERS) --commands $(COMMANDS)

test-web: $(NODE_MODULES)
	@$(RUN_STEP) $@ npm --prefix web test --silent

# The browser tests; skipped if they have passed and no source that they depend on has changed since.
test-e2e: $(E2E_PASSED)
$(E2E_PASSED): $(WEB_BUNDLE) $(PYTHON_READY) $(shell find src/limina tests/e2e tests/support -name '*.py') | test-deps
	@$(RUN_STEP) test-e2e $(PYTEST) $(BROWSER_JOBS) tests/e2e
	@grep -q "^SKIPPED" build/steps/test-e2e.log || touch $@

# All tests that use PostgreSQL, several times, while the browser tests run: make test-postgres REPEAT=20
REPEAT ?= 1
.PHONY: test-postgres
test-postgres: $(PYTHON_READY) $(WEB_BUNDLE) | test-deps
	@$(BIN)/python tools/repeat_postgres_tests.py $(REPEAT) $(TEST_JOBS)

# The programs that tests need: Chromium, nginx and others.
test-deps:
	@sh tools/install-test-deps.sh

# Builds the page if its sources, or the drawings and palettes that it shares with Python, have changed.
web: $(WEB_BUNDLE)

# Plays random games in the kernel and in the reference and compares them: make test-differential GAMES=100000
GAMES ?= 3000
test-differential: $(PYTHON_READY)
	@PYTHONPATH=tests $(BIN)/python -m kernel.differential $(GAMES)

# Runs PostgreSQL, two servers, a job worker and nginx on this machine until Ctrl-C: make cluster PORT=8000
cluster: $(PYTHON_READY) $(WEB_BUNDLE) | test-deps
	@PYTHONPATH=tests $(BIN)/python -W ignore tools/local_cluster.py --port $(PORT)

# Kills servers, workers and the database while simulated players play, and checks that no turn is lost:
# make chaos KILLS=1000 RESTARTS=20 SEED=1 SECONDS=600. Ctrl-C ends the faults early and checks what was played.
KILLS ?= 100
RESTARTS ?= 2
SEED ?= 1
chaos: $(PYTHON_READY)
	@PYTHONPATH=tests $(BIN)/python -m chaos --kills $(KILLS) --restarts $(RESTARTS) --seed $(SEED) $(if $(SECONDS),--seconds $(SECONDS))

# The kernel's tests with the address and undefined behavior sanitizers; skipped if nothing changed since they passed.
sanitize: $(SANITIZERS_PASSED)
$(SANITIZERS_PASSED): $(KERNEL_SOURCES) CMakeLists.txt tools/run-sanitizers.sh tests/kernel/sanitized.py tests/kernel/differential.py | $(PYTHON_READY)
	@$(RUN_STEP) sanitize sh tools/run-sanitizers.sh
	@grep -q "were not run" build/steps/sanitize.log || touch $@

lint: lint-python lint-kernel lint-web

lint-python: $(DEV_DEPS)
	@$(RUN_STEP) $@ sh -c "$(BIN)/ruff check -q . && $(BIN)/ruff format -q --check . && $(BIN)/mypy --no-error-summary"

lint-kernel: $(DEV_DEPS)
	@$(RUN_STEP) $@ $(BIN)/clang-format --dry-run -Werror $(KERNEL_SOURCES)

lint-web: $(NODE_MODULES)
	@$(RUN_STEP) $@ sh -c "cd web && npm run --silent lint && npm run --silent check"

format: $(DEV_DEPS) $(NODE_MODULES)
	@$(BIN)/ruff check -q --fix . ; $(BIN)/ruff format -q .
	@$(BIN)/clang-format -i $(KERNEL_SOURCES)
	@cd web && npm run --silent format

# Writes the type stubs of the kernel; a test fails when they are out of date.
stubs: $(PYTHON_READY)
	@$(BIN)/python -m nanobind.stubgen -q -r -m limina._kernel -O src/limina

# Writes the OpenAPI document and generates the page's types from it; a test fails when they are out of date.
openapi-schema: $(PYTHON_READY) $(NODE_MODULES)
	@$(BIN)/python -m limina.server.export_openapi web/src/lib/api/schema.json
	@cd web && npm run --silent types

# Writes the turn counts and golden games again, after an intended change of the rules.
golden-games: $(PYTHON_READY)
	@PYTHONPATH=tests $(BIN)/python -m kernel.golden

# Writes the pictures and charts of the documentation, and the fixtures that compare the drawings of Python and the page.
# A test fails when they are out of date; `make docs` tests the charts.
docs-images: $(PYTHON_READY) $(DOCS_DEPS)
	@$(BIN)/python tools/documentation/rule_images.py
	@$(BIN)/python tools/generators/landscape_fixture.py
	@$(BIN)/python tools/generators/water_fixture.py
	@$(BIN)/python tools/documentation/plots.py

# Runs the learners of examples/rl with three seeds each (two hours of one core); `make docs-images` draws their curves.
LEARNING_SECONDS ?= 600
SEEDS ?= 1 2 3
learning-curves: $(PYTHON_READY) $(RL_DEPS)
	@mkdir -p docs/data/learning
	@for seed in $(SEEDS); do for learner in td ppo; do \
		$(BIN)/python examples/rl/$$learner.py --seconds $(LEARNING_SECONDS) --seed $$seed \
			--out docs/data/learning/$$learner-$$seed.json || exit 1; \
	done; done

# Draws the page's icons and the picture of link previews with Chromium.
icons: $(PYTHON_READY) | test-deps
	@PYTHONPATH=tests $(BIN)/python tools/generators/web_icons.py

# Takes screenshots of every page in every window size and theme: build/screenshots and docs/screenshots.md.
SCENES ?=
screenshots: $(PYTHON_READY) web | test-deps
	@PYTHONPATH=tests $(BIN)/python tools/documentation/screenshots.py $(SCENES)

# Writes the examples of the rules for the page; a test fails when they are out of date.
rule-examples: $(PYTHON_READY)
	@$(BIN)/python tools/generators/rule_examples.py

# Measures speed and strength, in all parts or some: make bench PARTS="rules server"
PARTS ?=
bench: $(PYTHON_READY) $(if $(filter page,$(or $(PARTS),page)),web)
	@PYTHONPATH=tests $(BIN)/python -m bench $(PARTS)

# Writes the last figures of `make bench` into the documentation.
bench-report: $(PYTHON_READY)
	@$(BIN)/python tools/documentation/write_bench_tables.py

# Writes the tables of limits in docs/hosting.md; a test fails when they are out of date.
limit-tables: $(PYTHON_READY)
	@$(BIN)/python tools/documentation/write_limit_tables.py

# Writes constraints.txt: version and hashes of every requirement of pyproject.toml, for every Python and system that it
# allows. Keeps the locked versions, unless: make lock UPGRADE=--upgrade, or UPGRADE="--upgrade-package NAME"
lock: $(VENV_CREATED)
	@$(EXPLAIN_OFFLINE) $(INSTALL_DEPS) bootstrap
	@$(BIN)/python tools/print_requirements.py | $(BIN)/uv pip compile --quiet --universal --python-version 3.11 \
		--fork-strategy fewest --generate-hashes --no-annotate --custom-compile-command "make lock" $(UPGRADE) \
		-o constraints.txt -

clean:
	@rm -rf $(VENV) build web/node_modules bench/*/node_modules src/limina/web .mypy_cache .ruff_cache .pytest_cache .hypothesis

# --- installation: the requirements of pyproject.toml in the versions of constraints.txt

RUN_QUIETLY := $(PYTHON) tools/run_step.py --quiet
INSTALL_DEPS := sh tools/install-python-deps.sh
EXPLAIN_OFFLINE := $(RUN_QUIETLY) "the Python packages could not be installed: is there a network?"

# `make play` and `make test` first print everything that the machine lacks.
CHECK_PREREQUISITES := sh tools/check-prerequisites.sh $(PYTHON)
prerequisites:
	@$(CHECK_PREREQUISITES) python compiler node git

# Create the environment again if its creation or an installation was interrupted, or if its Python no longer runs.
ifneq ($(shell $(BIN)/python -c 'import pip; print("works")' 2>/dev/null)$(wildcard $(VENV)/.installing),works)
.PHONY: $(VENV_CREATED)
endif
$(VENV_CREATED):
	@$(CHECK_PREREQUISITES) python compiler
	@$(PYTHON) -m venv --clear $(VENV)
	@touch $@

$(BUILD_DEPS): pyproject.toml constraints.txt $(VENV_CREATED)
	@echo "limina: installing the build requirements of the kernel"
	@$(EXPLAIN_OFFLINE) $(INSTALL_DEPS) bootstrap
	@$(EXPLAIN_OFFLINE) $(INSTALL_DEPS) build
	@touch $@

$(DEV_DEPS): $(BUILD_DEPS)
	@echo "limina: installing the Python packages of limina and its tests"
	@$(EXPLAIN_OFFLINE) $(INSTALL_DEPS) server print dev rl
	@touch $@

# After the other packages: two installations at the same time would interfere.
$(RAY_DEPS): $(DEV_DEPS)
	@$(INSTALL_DEPS) ray >/dev/null 2>&1 || echo "limina: Ray cannot be installed: its test will be skipped"
	@touch $@

$(RL_DEPS): $(DEV_DEPS)
	@$(INSTALL_DEPS) spiel >/dev/null 2>&1 || echo "limina: OpenSpiel cannot be installed: its tests will be skipped"
	@$(INSTALL_DEPS) learn >/dev/null 2>&1 || echo "limina: torch cannot be installed: its tests will be skipped"
	@$(INSTALL_DEPS) peers >/dev/null 2>&1 || echo "limina: pygame cannot be installed: PettingZoo's own games will not be measured"
	@$(INSTALL_DEPS) notebooks >/dev/null 2>&1 || echo "limina: Jupyter cannot be installed: the notebooks will not be run"
	@touch $@

$(DOCS_DEPS): $(DEV_DEPS)
	@echo "limina: installing the requirements of the documentation site"
	@$(EXPLAIN_OFFLINE) $(INSTALL_DEPS) docs
	@touch $@

$(RELEASE_DEPS): $(BUILD_DEPS)
	@echo "limina: installing the requirements of the packages"
	@$(EXPLAIN_OFFLINE) $(INSTALL_DEPS) release
	@touch $@

# Install again when the set of packages has changed: an editable installation has a list of the modules' files, and
# could not import a module that has become a package.
ifneq ($(strip $(shell cat $(PACKAGE_LIST) 2>/dev/null)),$(strip $(PACKAGES)))
.PHONY: $(LIMINA_INSTALLED)
endif
# Builds the kernel. This can run at the same time as the installation of DEV_DEPS.
$(LIMINA_INSTALLED): $(BUILD_DEPS) $(KERNEL_SOURCES) CMakeLists.txt
	@echo "limina: building the kernel"
	@$(RUN_QUIETLY) "the kernel could not be built" \
		$(BIN)/pip install --disable-pip-version-check --no-build-isolation --no-deps \
		--config-settings=cmake.define.LIMINA_WERROR=$(if $(CI),ON,OFF) -e .
	@echo '$(PACKAGES)' >$(PACKAGE_LIST)
	@touch $@

$(PYTHON_READY): $(LIMINA_INSTALLED) $(DEV_DEPS)
	@touch $@

$(NODE_MODULES): web/package.json web/package-lock.json
	@$(CHECK_PREREQUISITES) node
	@echo "limina: installing the Node packages of the page"
	@$(RUN_QUIETLY) "the page's packages could not be installed: is there a network?" npm --prefix web ci --no-audit --no-fund
	@touch $@

$(WEB_BUNDLE): $(NODE_MODULES) $(WEB_SOURCES)
	@echo "limina: building the page"
	@$(RUN_QUIETLY) "the page could not be built" npm --prefix web run build
	@touch $@
