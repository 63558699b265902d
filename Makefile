# The two commands of the README: `make play` and `make test`. Both set up everything they need, once.

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

# Tests start hundreds of Python processes: none but the first is to compile what it loads, whatever is set outside.
unexport PYTHONDONTWRITEBYTECODE

# Parallel steps of `make test`, parallel Python tests, and parallel browser tests. More than this slows them down.
STEP_JOBS ?= 3
TEST_JOBS ?= 3
BROWSER_JOBS ?= 2
PYTEST := $(BIN)/pytest --dist worksteal -n
# What takes long says in a line that it passed; if it fails, all that it said.
RUN_STEP := $(PYTHON) tools/run_step.py

.PHONY: play web test prerequisites test-steps test-python test-web test-e2e test-deps test-differential test-rl \
	test-python-versions test-clean-install sanitize lint lint-python lint-kernel lint-web format stubs openapi-schema \
	golden-games docs-images learning-curves icons rule-examples screenshots bench bench-report chaos cluster docs wheel \
	test-wheel check-reproducible-build lock clean

# On another port: make play PORT=9000
PORT ?= 8000
play: prerequisites $(PYTHON_READY) web
	@$(BIN)/limina serve --port $(PORT)

# Everything at once, longest first; what each of them says comes in one piece. Pytest has the last word.
test: prerequisites
	@$(MAKE) --no-print-directory -j$(STEP_JOBS) $(if $(filter output-sync,$(.FEATURES)),--output-sync=line) test-steps
	@tail -qn 1 build/steps/test-python.log build/steps/test-e2e.log

test-steps: test-python sanitize test-e2e lint test-web

test-python: $(PYTHON_READY) $(RAY_DEPS) $(WEB_BUNDLE) | test-deps
	@$(RUN_STEP) $@ $(PYTEST) $(TEST_JOBS) \
		--ignore=tests/e2e --ignore=tests/rl_libraries --ignore=tests/docs_site --ignore=tests/package

# With the libraries of those who learn (torch alone is gigabytes), and a thousand games of each game followed in
# batches. What cannot be had here is said, and its tests are skipped.
test-rl: $(PYTHON_READY) $(RL_DEPS)
	@LIMINA_RL_GAMES=1000 $(BIN)/pytest -rs tests/rl tests/rl_libraries

# The documentation as a site in build/site, with whatever is to be warned of as an error; then its links are followed.
docs: $(PYTHON_READY) $(DOCS_DEPS)
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@$(BIN)/pytest -n 0 tests/docs_site

# What is published: an sdist and a wheel with the page inside, in dist/.
wheel: $(BUILD_DEPS) $(RELEASE_DEPS) $(WEB_BUNDLE)
	@echo "limina: packing dist/"
	@$(RUN_QUIETLY) "limina could not be packed" sh tools/build-wheel.sh dist
	@ls dist

# The wheel in an empty environment, where there is neither a compiler nor a network.
test-wheel: $(DEV_DEPS)
	@$(BIN)/pytest -n 0 tests/package

# Two of them, which must be equal byte by byte.
check-reproducible-build: $(BUILD_DEPS) $(RELEASE_DEPS) $(WEB_BUNDLE)
	@$(RUN_QUIETLY) "what was packed twice is not the same" sh tools/check-reproducible-build.sh
	@cat build/reproducible/one.sums

# Other Pythons than the one of .venv, as far as they are here: make test-python-versions PYTHONS="python3.13 python3.14t"
PYTHONS ?= python3.12 python3.13 python3.14 python3.13t python3.14t
test-python-versions:
	@sh tools/test-python-versions.sh $(PYTHONS)

# Both commands of the README in a minimal Debian 12 with the packages that the README names, as root and as a plain user:
# make test-clean-install USERS=plain COMMANDS="play test". Mounts and processes are in namespaces of their own, and end with
# them.
USERS ?= root plain
COMMANDS ?= play test
test-clean-install:
	@$(CHECK_PREREQUISITES) node git
	@unshare --mount --pid --fork --kill-child --mount-proc \
		$(PYTHON) tools/clean_install.py --users $(USERS) --commands $(COMMANDS)

test-web: $(NODE_MODULES)
	@$(RUN_STEP) $@ npm --prefix web test --silent

# In a real browser; run again when anything they look at has changed since they passed.
test-e2e: $(E2E_PASSED)
$(E2E_PASSED): $(WEB_BUNDLE) $(PYTHON_READY) $(shell find src/limina tests/e2e tests/support -name '*.py') | test-deps
	@$(RUN_STEP) test-e2e $(PYTEST) $(BROWSER_JOBS) tests/e2e
	@grep -q "^SKIPPED" build/steps/test-e2e.log || touch $@

# All tests that use PostgreSQL, several times in a row, with the browser tests beside them: make test-postgres REPEAT=20
REPEAT ?= 1
.PHONY: test-postgres
test-postgres: $(PYTHON_READY) $(WEB_BUNDLE) | test-deps
	@$(BIN)/python tools/repeat_postgres_tests.py $(REPEAT) $(TEST_JOBS)

# What the page and the files for hosts are tested with.
test-deps:
	@sh tools/install-test-deps.sh

# The page in the browser; built again only when its sources, or the drawings and palettes it shares, have changed.
web: $(WEB_BUNDLE)

# Kernel and reference side by side for as long as you like: make test-differential GAMES=100000
GAMES ?= 3000
test-differential: $(PYTHON_READY)
	@PYTHONPATH=tests $(BIN)/python -m kernel.differential $(GAMES)

# A database, two servers, a worker and nginx on this machine, until Ctrl-C: make cluster PORT=8000
cluster: $(PYTHON_READY) $(WEB_BUNDLE) | test-deps
	@PYTHONPATH=tests $(BIN)/python -W ignore tools/local_cluster.py --port $(PORT)

# Servers and the database killed under play for as long as you like, and whether anything was lost: a short one is among
# the tests. make chaos KILLS=1000 RESTARTS=20 SEED=1; Ctrl-C ends it early and looks at what there is.
KILLS ?= 100
RESTARTS ?= 2
SEED ?= 1
chaos: $(PYTHON_READY)
	@PYTHONPATH=tests $(BIN)/python -m chaos --kills $(KILLS) --restarts $(RESTARTS) --seed $(SEED) $(if $(SECONDS),--seconds $(SECONDS))

# The kernel's tests once more, watched for stray addresses and undefined behaviour; again when it or they changed.
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

# The kernel's types for Python, written by the kernel itself; a test fails when they are out of date.
stubs: $(PYTHON_READY)
	@$(BIN)/python -m nanobind.stubgen -q -r -m limina._kernel -O src/limina

# The wire as one OpenAPI document, from which the page's types are made; a test fails when it is out of date.
openapi-schema: $(PYTHON_READY) $(NODE_MODULES)
	@$(BIN)/python -m limina.server.export web/src/lib/api/schema.json
	@cd web && npm run --silent types

# Write the count tables and golden games again, after a change of the rules that is meant.
golden-games: $(PYTHON_READY)
	@PYTHONPATH=tests $(BIN)/python -m kernel.golden

# The pictures of the documentation, drawn from the games of the rules' examples, and what both Python and the page
# draw of a few displays; how figures went over versions, and what learners learned. A test fails when they are out of
# date.
docs-images: $(PYTHON_READY)
	@$(BIN)/python tools/documentation/rule_images.py
	@$(BIN)/python tools/generators/landscape_fixture.py
	@$(BIN)/python tools/generators/water_fixture.py
	@$(BIN)/python -m tools.documentation.bench_history_charts
	@$(BIN)/python -m tools.documentation.learning_curve_charts

# What the examples for learners learn, with three seeds each: two hours of one core. Then `make docs-images` draws it.
LEARNING_SECONDS ?= 600
SEEDS ?= 1 2 3
learning-curves: $(PYTHON_READY) $(RL_DEPS)
	@mkdir -p docs/data/learning
	@for seed in $(SEEDS); do for learner in td ppo; do \
		$(BIN)/python examples/rl/$$learner.py --seconds $(LEARNING_SECONDS) --seed $$seed \
			--out docs/data/learning/$$learner-$$seed.json || exit 1; \
	done; done

# The page's icons and the picture of link previews, drawn by Chromium from the documentation's pictures.
icons: $(PYTHON_READY) | test-deps
	@PYTHONPATH=tests $(BIN)/python tools/generators/web_icons.py

# Every page and table in every window, by day and by night, into build/screenshots; the best of it for docs/screenshots.md.
SCENES ?=
screenshots: $(PYTHON_READY) web | test-deps
	@PYTHONPATH=tests $(BIN)/python tools/documentation/screenshots.py $(SCENES)

# The examples of the rules as the page draws them; a test fails when they are out of date.
rule-examples: $(PYTHON_READY)
	@$(BIN)/python tools/generators/rule_examples.py

# Figures of speed and strength, all of them or some: make bench PARTS="rules server"
PARTS ?=
bench: $(PYTHON_READY) $(if $(filter page,$(or $(PARTS),page)),web)
	@PYTHONPATH=tests $(BIN)/python -m bench $(PARTS)

# The last figures of `make bench`, written into the documentation.
bench-report: $(PYTHON_READY)
	@$(BIN)/python -m tools.documentation.write_bench_tables

# The versions and hashes of everything that pyproject.toml asks for, for every Python and system that it allows. What is
# locked already stays as it is, unless: make lock UPGRADE=--upgrade, or UPGRADE="--upgrade-package NAME"
lock: $(VENV_CREATED)
	@$(EXPLAIN_OFFLINE) $(INSTALL_DEPS) bootstrap
	@$(BIN)/python tools/print_requirements.py | $(BIN)/uv pip compile --quiet --universal --python-version 3.11 \
		--fork-strategy fewest --generate-hashes --no-annotate --custom-compile-command "make lock" $(UPGRADE) \
		-o constraints.txt -

clean:
	@rm -rf $(VENV) build web/node_modules bench/*/node_modules src/limina/web .mypy_cache .ruff_cache .pytest_cache .hypothesis

# --- what is needed, from pyproject.toml alone, in the versions of constraints.txt

RUN_QUIETLY := $(PYTHON) tools/run_quietly.py
INSTALL_DEPS := sh tools/install-python-deps.sh
EXPLAIN_OFFLINE := $(RUN_QUIETLY) "the Python packages could not be installed: is there a network?"

# Both commands of the README name everything that is missing before they begin.
CHECK_PREREQUISITES := sh tools/check-prerequisites.sh $(PYTHON)
prerequisites:
	@$(CHECK_PREREQUISITES) python compiler node git

# An environment whose creation or installation was interrupted, or whose Python no longer runs, is created again.
ifneq ($(shell $(BIN)/python -c 'import pip; print("works")' 2>/dev/null)$(wildcard $(VENV)/.installing),works)
.PHONY: $(VENV_CREATED)
endif
$(VENV_CREATED):
	@$(CHECK_PREREQUISITES) python compiler
	@$(PYTHON) -m venv --clear $(VENV)
	@touch $@

$(BUILD_DEPS): pyproject.toml constraints.txt $(VENV_CREATED)
	@echo "limina: installing what the kernel is built with"
	@$(EXPLAIN_OFFLINE) $(INSTALL_DEPS) bootstrap
	@$(EXPLAIN_OFFLINE) $(INSTALL_DEPS) build
	@touch $@

$(DEV_DEPS): $(BUILD_DEPS)
	@echo "limina: installing what limina runs and is tested with"
	@$(EXPLAIN_OFFLINE) $(INSTALL_DEPS) server print dev rl
	@touch $@

# After the others: two installations would each bring what both need.
$(RAY_DEPS): $(DEV_DEPS)
	@$(INSTALL_DEPS) ray >/dev/null 2>&1 || echo "limina: Ray is not to be had here: its test will be skipped"
	@touch $@

$(RL_DEPS): $(DEV_DEPS)
	@$(INSTALL_DEPS) spiel >/dev/null 2>&1 || echo "limina: OpenSpiel is not to be had here: its tests will be skipped"
	@$(INSTALL_DEPS) learn >/dev/null 2>&1 || echo "limina: torch is not to be had here: its tests will be skipped"
	@$(INSTALL_DEPS) peers >/dev/null 2>&1 || echo "limina: pygame is not to be had here: PettingZoo's own games will not be measured"
	@$(INSTALL_DEPS) notebooks >/dev/null 2>&1 || echo "limina: Jupyter is not to be had here: notebooks will not be run"
	@touch $@

$(DOCS_DEPS): $(DEV_DEPS)
	@echo "limina: installing what the documentation site is built with"
	@$(EXPLAIN_OFFLINE) $(INSTALL_DEPS) docs
	@touch $@

$(RELEASE_DEPS): $(BUILD_DEPS)
	@echo "limina: installing what limina is packed with"
	@$(EXPLAIN_OFFLINE) $(INSTALL_DEPS) release
	@touch $@

# An editable installation keeps the file of each module. Install again when the set of packages has changed: a module
# that has become a package could not be imported otherwise.
ifneq ($(strip $(shell cat $(PACKAGE_LIST) 2>/dev/null)),$(strip $(PACKAGES)))
.PHONY: $(LIMINA_INSTALLED)
endif
# Builds the kernel too, at the same time as the other dependencies are installed.
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
	@echo "limina: installing what the page is built with"
	@$(RUN_QUIETLY) "the page's packages could not be installed: is there a network?" npm --prefix web ci --no-audit --no-fund
	@touch $@

$(WEB_BUNDLE): $(NODE_MODULES) $(WEB_SOURCES)
	@echo "limina: building the page"
	@$(RUN_QUIETLY) "the page could not be built" npm --prefix web run build
	@touch $@
