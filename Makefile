# Every target creates what it needs: the environment in .venv, the native build, the browser for the browser tests.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := pyproject.toml CMakeLists.txt $(shell find cpp src -type f -not -name '*.pyi' -not -path '*/__pycache__/*')
CPP := $(shell find cpp benchmarks training/student tests/fuzz tests/native src/fourfall/kits -name '*.hpp' -o -name '*.cpp' -o -name '*.inl')
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# Python compiles the modules that are used when they are first imported.
NO_COMPILE := --no-compile
# Node uses the certificates of the system, as pip does.
NPM := PATH="$(abspath $(BIN)):$$PATH" NODE_USE_SYSTEM_CA=1 npm --loglevel=error
SANITIZED := build/sanitize
ECOSYSTEM := build/ecosystem
# The wheel of this machine that `make` installs, and the folder in which `make wheels` works.
WHEEL := build/wheel
WHEELS := build/wheels
# One environment for each Python, because a release has wheels of two versions: make wheels PYTHON=python3.13
WHEELS_VENV := $(WHEELS)/venv-$(subst /,_,$(PYTHON))
BROWSER := browser
SITE := build/browser
# Many tests start processes or wait for others, and the machine may be busy: a failed test is run once more. The summary lists
# it as RERUN if it passes then; such a test needs a correction too.
PYTEST := $(BIN)/python -m pytest --reruns 1 -raR
# The requirements of the package and of its extras $(1), without the package itself.
requirements_of = $$($(BIN)/python -c 'import sys, tomllib; project = tomllib.load(open("pyproject.toml", "rb"))["project"]; print(*project["dependencies"], *(line for name in sys.argv[1:] for line in project["optional-dependencies"][name]))' $(1))

.DEFAULT_GOAL := help
.PHONY: help run site run-site test test-site test-page test-web test-arena test-commands test-docs test-core test-training test-cluster test-ecosystem test-ecosystem-torch test-ecosystem-kaggle test-aarch64 test-aarch64-native qemu check check-cpp check-page check-portable check-portable-cpp check-portable-python check-python tidy format bench campaign attack server-load server-attack docs pictures release-check wheels test-wheels test-aarch64-wheel screenshots fuzz sanitize sanitize-memory sanitize-threads browser clean

help:  ## Show this help
	@echo "Fourfall, a tool for gravity four"
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(VENV)/installed  ## Open the page: play, analyse, review, watch
	@$(BIN)/fourfall serve

# Four processes at a time, because many tests wait; the longest are started first: BROWSER= because a target that waits for
# `browser` would be started after the shorter ones. Ctrl-C ends all.
test: $(VENV)/installed $(VENV)/packages browser  ## Run all tests
	@echo "Running the tests in four processes for about ten minutes; the output of each follows when it has finished."
	@$(MAKE) --no-print-directory -j4 --output-sync=target BROWSER= test-page test-core test-docs test-commands test-arena test-training test-web

PAGE_TESTS := tests/site tests/web/browser tests/test_svg_in_browser.py
test-page: $(VENV)/installed $(SITE)/index.html $(BROWSER)  ## Run only the tests of the page in the browser and of its worker in node
	$(PYTEST) $(PAGE_TESTS)

test-site: $(VENV)/installed $(SITE)/index.html $(BROWSER)  ## Run all tests of the page in the browser that need no server on the page of make site
	FOURFALL_PAGE=site $(PYTEST) tests/web/browser

test-web: $(VENV)/installed  ## Run only the tests of the web server
	$(PYTEST) --ignore=tests/web/browser tests/web

# Tests that start many processes.
ARENA_TESTS := tests/agents tests/arena tests/cluster tests/ugi
test-arena: $(VENV)/installed $(VENV)/packages  ## Run only the tests of agents and events
	$(PYTEST) $(ARENA_TESTS)

COMMAND_TESTS := tests/cli tests/programs tests/report
test-commands: $(VENV)/installed $(VENV)/packages $(BROWSER)  ## Run only the tests of commands, reports and exports
	$(PYTEST) $(COMMAND_TESTS)

DOCS_TESTS := tests/docs tests/examples tests/kits
test-docs: $(VENV)/installed $(VENV)/packages $(BROWSER)  ## Run only the tests of the documentation, the examples and the starter kits
	$(PYTEST) $(DOCS_TESTS)

test-core: $(VENV)/installed $(VENV)/packages $(BROWSER)  ## Run the tests of everything else: rules, searches, integrations
	$(PYTEST) \
	  $(addprefix --ignore=,$(ARENA_TESTS) $(COMMAND_TESTS) $(DOCS_TESTS) $(PAGE_TESTS) tests/ecosystem tests/training tests/web) \
	  tests README.md README.zh.md docs --pyargs fourfall

# In a process without the other tests: JAX starts threads, which do not go together with tests that fork.
test-training: $(VENV)/installed $(VENV)/packages  ## Run only the tests of the training code (JAX on the processor)
	$(PYTEST) tests/training training

test-cluster: $(VENV)/installed $(VENV)/packages  ## Play events on a cluster while workers are killed, stopped and added, and the scheduler restarts
	$(BIN)/python -m pytest tests/cluster/long_faults.py
	$(BIN)/python -m tests.cluster.campaign

test-ecosystem: test-ecosystem-torch test-ecosystem-kaggle  ## Run the tests with PyTorch, JAX, Stable-Baselines3 and kaggle-environments

# In these environments a skipped test is a failure, because it means that a framework is missing.
test-ecosystem-torch: $(ECOSYSTEM)/torch/installed
	PATH="$(abspath $(ECOSYSTEM)/torch/bin):$$PATH" $(ECOSYSTEM)/torch/bin/python -m pytest -p tests.ecosystem.no_skips \
	  tests/ecosystem/torch tests/examples

test-ecosystem-kaggle: $(ECOSYSTEM)/kaggle/installed
	PATH="$(abspath $(ECOSYSTEM)/kaggle/bin):$$PATH" $(ECOSYSTEM)/kaggle/bin/python -m pytest -p tests.ecosystem.no_skips \
	  tests/ecosystem/kaggle

test-aarch64: test-aarch64-native  ## Run tests for ARM processors in the emulator qemu

# The kernels of the network and the line checks, on this processor, in WebAssembly and on aarch64.
test-aarch64-native: $(VENV)/zig qemu
	$(BIN)/python -m tests.native native wasm-simd wasm aarch64

qemu:
	@if ! command -v qemu-aarch64 >/dev/null; then \
	  if ! command -v apt-get >/dev/null; then root=; \
	  elif [ "$$(id -u)" = 0 ]; then root=env; \
	  elif sudo -n true 2>/dev/null; then root=sudo; fi; \
	  if [ -n "$$root" ]; then echo "installing qemu-user for the tests of aarch64"; \
	    $$root apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$root apt-get install -y -qq qemu-user >/dev/null; \
	  else echo "The tests of aarch64 need qemu-aarch64 (on Debian: sudo apt-get install qemu-user)."; exit 1; fi; fi

# Compiles, installs packages and checks at the same time.
check: $(VENV)/tools  ## Lint, check formats, types and the direction of imports
	@echo "Compiling, installing packages and checking for about two minutes; the output of each step follows at its end."
	@$(MAKE) --no-print-directory -j3 --output-sync=target check-python check-cpp check-page

check-python: $(VENV)/installed $(VENV)/packages
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/python -m pytest -q tests/test_layers.py

check-portable: check-portable-cpp check-portable-python  ## Check for macOS, Windows, ARM and WebAssembly what can be checked on Linux

# Compiles the core and the Python module with zig.
check-portable-cpp: $(VENV)/zig
	@$(BIN)/python -m tools.portable.check

# The types of the standard library differ between systems: a name that a system lacks is an error.
check-portable-python: $(VENV)/installed $(VENV)/packages
	$(BIN)/mypy --platform darwin --cache-dir .mypy_cache/darwin src/fourfall
	$(BIN)/mypy --platform win32 --cache-dir .mypy_cache/win32 src/fourfall
	$(BIN)/python -m pytest -q tests/test_portability.py tests/system

check-cpp: tidy
	$(BIN)/clang-format --dry-run -Werror $(CPP)

check-page: $(VENV)/node
	$(NPM) run check

tidy: $(VENV)/tools
	@$(BIN)/cmake -S . -B build/tidy -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja -DCMAKE_BUILD_TYPE=Release \
	  -DSKBUILD_PROJECT_VERSION=0 -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DPython_EXECUTABLE=$(abspath $(BIN))/python \
	  -Dnanobind_DIR="$$($(BIN)/python -m nanobind --cmake_dir)" >/dev/null
	$(BIN)/run-clang-tidy.py -clang-tidy-binary $(BIN)/clang-tidy -p build/tidy -quiet -hide-progress '/cpp/'

format: $(VENV)/tools $(VENV)/node  ## Bring all sources into shape
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/clang-format -i $(CPP)
	$(NPM) run format

bench: $(VENV)/installed $(VENV)/bench  ## Run the speed benchmarks, compared with OpenSpiel
	$(BIN)/python benchmarks/board.py
	$(BIN)/python benchmarks/batches.py
	$(BIN)/python benchmarks/engines.py
	$(BIN)/python benchmarks/solved_positions.py measure --every 10
	$(BIN)/python benchmarks/arena.py

campaign: $(VENV)/installed  ## Play a hundred thousand quick games, and kill an event fifty times
	$(BIN)/python -m benchmarks.reliability games --count 100000
	$(BIN)/python -m benchmarks.reliability kills --count 50

attack: $(VENV)/installed  ## Let hostile agents of every kind try to leave the sandbox, at every level of protection
	$(BIN)/python -m tests.attack

server-load: $(VENV)/installed  ## Load the web server for ten minutes: a hundred games, twenty analyses
	$(BIN)/python -m benchmarks.server_load

server-attack: $(VENV)/installed  ## Load the web server with 200 connections for three minutes while it is attacked
	$(BIN)/python -m benchmarks.server_load --minutes 3 --games 180 --attack

site: $(SITE)/index.html  ## Build the page without a server into build/browser: static files for any web host

$(SITE)/index.html: $(VENV)/installed build/wasm/engine_simd.wasm $(wildcard tools/site/*.py)
	$(BIN)/python -m tools.site.build $(SITE) --wasm build/wasm

# The engine for the browser; the time stamps of both modules are the same.
build/wasm/engine_simd.wasm: $(VENV)/zig tools/site/build_wasm.py $(shell find cpp -type f)
	$(BIN)/python -m tools.site.build_wasm build/wasm

run-site: $(SITE)/index.html  ## Serve the page of make site on this machine
	@$(BIN)/python -m tools.site.serve $(SITE)

docs: $(VENV)/installed $(VENV)/packages  ## Build the documentation site into build/site, with warnings as errors
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet -c tools/docs docs build/site
	@$(BIN)/python -m tools.docs.check_site build/site

pictures: $(VENV)/installed  ## Draw the pictures of the documentation again from the engines
	$(BIN)/python -m tools.docs.pictures
	$(BIN)/python -m tools.docs.census_page

# In an environment of its own, because it needs no C++ compiler of the system.
wheels: $(WHEELS_VENV)/installed  ## Build the source distribution and the wheels for Linux (x86-64, aarch64) into dist
	@$(WHEELS_VENV)/bin/python -m tools.wheels.build

test-wheels: $(WHEELS_VENV)/installed  ## Install the x86-64 wheels of dist into fresh environments without a compiler and use them
	@$(WHEELS_VENV)/bin/python -m tools.wheels.fresh_environment $$(ls dist/*x86_64.whl 2>/dev/null || echo dist/x86_64.whl)

test-aarch64-wheel: $(WHEELS_VENV)/installed  ## Test the aarch64 wheel of dist with an emulated processor, for about ten minutes
	@$(WHEELS_VENV)/bin/python -m tools.wheels.aarch64

release-check: $(VENV)/tools  ## Check that version, changelog, citation, tag and links are ready for a release
	@$(BIN)/python -m tools.release_check

screenshots: $(VENV)/installed $(VENV)/packages browser  ## Take the screenshots and draw the pictures in docs/images again
	$(BIN)/python -m tools.screenshots
	$(BIN)/python -m tools.notebook_pictures

fuzz: $(VENV)/installed $(VENV)/fuzz  ## Fuzz everything that reads text or bytes of others, ten minutes for each target
	$(BIN)/python -m tests.fuzz.campaign

sanitize: sanitize-memory sanitize-threads  ## Run the tests of rules and searches under the sanitizers

# The address and undefined-behaviour sanitizers. The tests of memory run with a small quarantine of freed memory, which
# would otherwise count as memory in use.
sanitize-memory: $(VENV)/installed
	$(call install_sanitized,address)
	$(call test_with_address_sanitizer,256) tests/game tests/search --ignore tests/search/test_memory.py
	$(call test_with_address_sanitizer,1) tests/search/test_memory.py

# Runs pytest with a quarantine of $(1) MiB.
test_with_address_sanitizer = LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so.6)" \
	ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=$(1) UBSAN_OPTIONS=print_stacktrace=1 PYTHONMALLOC=malloc \
	PYTHONPATH=$(SANITIZED)/site $(BIN)/python -m pytest

# The thread sanitizer ends the process at the first data race. It needs memory at fixed addresses (setarch -R).
# A forked process may start threads of its own (die_after_fork=0).
sanitize-threads: $(VENV)/installed
	$(call install_sanitized,thread)
	LD_PRELOAD="$$($(CXX) -print-file-name=libtsan.so) $$($(CXX) -print-file-name=libstdc++.so.6)" \
	TSAN_OPTIONS="halt_on_error=1 report_signal_unsafe=0 die_after_fork=0" PYTHONMALLOC=malloc \
	PYTHONPATH=$(SANITIZED)/site setarch -R $(BIN)/python -m pytest -s tests/search/test_running_search.py tests/search/test_graph.py \
	  tests/game/test_board_batch.py tests/search/test_batch_evaluation.py tests/search/test_solve_many.py tests/search/test_solver_threads.py

# Builds the package with the sanitizer $(1).
install_sanitized = $(PIP) install --no-build-isolation --no-deps --upgrade --target $(SANITIZED)/site \
	  -Ccmake.define.FOURFALL_SANITIZE=$(1) -Cbuild-dir=$(SANITIZED)/$(1) .

browser:
	@if ! command -v chromium >/dev/null && ! command -v chromium-browser >/dev/null; then \
	  if ! command -v apt-get >/dev/null; then root=; \
	  elif [ "$$(id -u)" = 0 ]; then root=env; \
	  elif sudo -n true 2>/dev/null; then root=sudo; fi; \
	  if [ -n "$$root" ]; then echo "installing chromium for the browser tests"; \
	    $$root apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$root apt-get install -y -qq chromium >/dev/null \
	      || echo "Chromium could not be installed: the browser tests are skipped."; \
	  else echo "The browser tests are skipped: install Chromium (on Debian: sudo apt-get install chromium)."; fi; fi

clean:  ## Remove everything that was built
	rm -rf $(VENV) build dist node_modules src/fourfall/_core.pyi .hypothesis .mypy_cache .pytest_cache .ruff_cache

$(VENV)/tools: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Fourfall needs Python 3.11 or newer; name one with: make PYTHON=python3.12"; exit 1; }
	@command -v $(CXX) >/dev/null || \
	  { echo "Fourfall needs a C++20 compiler (on Debian: sudo apt-get install g++)"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	  { echo "Python has no venv module (on Debian: sudo apt-get install python3-venv)"; exit 1; }
	$(PIP) install --upgrade 'pip>=25.1'
	$(PIP) install $(NO_COMPILE) $(call requirements_of,web) --group build --group check --group test
	@touch $@

$(VENV)/installed: $(VENV)/tools $(SOURCES)
	@echo "Compiling the core and installing the package; this takes a few minutes."
	@rm -rf $(WHEEL)
	$(PIP) wheel --no-build-isolation --no-deps --wheel-dir $(WHEEL) -Ccmake.define.FOURFALL_WERROR=ON .
	$(PIP) install --no-deps --force-reinstall $(WHEEL)/*.whl
	@cp $(VENV)/lib/python3*/site-packages/fourfall/_core.pyi src/fourfall/_core.pyi
	@touch $@

# Runs also when the stamp exists but node_modules does not.
$(VENV)/node: $(VENV)/tools package.json $(if $(wildcard node_modules/.package-lock.json),,install-node)
	$(NPM) install
	@touch $@

.PHONY: install-node
install-node:

# The packages of the training code, of the light frameworks that the package integrates with, and of the documentation site.
# One call of pip installs them all, because two calls at the same time would disturb each other. Heavy frameworks have
# environments of their own.
$(VENV)/packages: $(VENV)/tools
	$(PIP) install $(NO_COMPILE) $(call requirements_of,cluster data gymnasium notebook onnx openspiel pettingzoo plots train) \
	  --group docs --group integrations
	@touch $@

# Environments of the heavy frameworks. kaggle-environments needs an older gymnasium, and so an environment of its own.
.PRECIOUS: $(ECOSYSTEM)/%/tools
$(ECOSYSTEM)/%/tools: pyproject.toml
	@$(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip --disable-pip-version-check --quiet install --upgrade 'pip>=25.1'
	$(@D)/bin/python -m pip --disable-pip-version-check --quiet install --group ecosystem-$*
	@touch $@

$(ECOSYSTEM)/torch/installed: EXTRAS := [cluster,data,gymnasium,notebook,onnx,openspiel,pettingzoo,plots]
$(ECOSYSTEM)/%/installed: $(ECOSYSTEM)/%/tools $(VENV)/installed
	$(@D)/bin/python -m pip --disable-pip-version-check --quiet install "$$(ls $(WHEEL)/*.whl)$(EXTRAS)"
	$(@D)/bin/python -m pip --disable-pip-version-check --quiet install --force-reinstall --no-deps $(WHEEL)/*.whl
	@touch $@

$(WHEELS_VENV)/installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Fourfall needs Python 3.11 or newer; name one with: make wheels PYTHON=python3.12"; exit 1; }
	@echo "Installing the cross compiler and the packaging tools into $(@D)."
	@$(PYTHON) -m venv $(@D) || \
	  { echo "Python has no venv module (on Debian: sudo apt-get install python3-venv)"; exit 1; }
	@$(@D)/bin/python -m pip --disable-pip-version-check --quiet install --upgrade 'pip>=25.1'
	@$(@D)/bin/python -m pip --disable-pip-version-check --quiet install --group wheels
	@touch $@

# A compiler for WebAssembly and other systems.
$(VENV)/zig: $(VENV)/tools
	$(PIP) install $(NO_COMPILE) --group zig
	@touch $@

$(VENV)/fuzz: $(VENV)/tools
	$(PIP) install --group fuzz
	@touch $@

$(VENV)/bench: $(VENV)/tools
	$(PIP) install --group bench
	@touch $@
