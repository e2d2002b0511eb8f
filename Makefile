# Conveniences only. Without make: python -m venv .venv, .venv/bin/pip install -r
# requirements.txt (a server: requirements-server.txt; tests: tests/requirements.txt),
# .venv/bin/python manage.py serve, pytest.
BIN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
# 3.14 runs everything, but the tests compare boards with endplay, which has no wheel for it.
NEW := 'import sys; sys.exit(sys.version_info < (3, 11))'
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3.14 python3 python; do \
	$$p -c $(NEW) 2>/dev/null && echo $$p && exit; done)

.PHONY: run test test-all lint lock
run: .venv/ready-to-run        ## the whole program on this machine (PORT, HOST, DATA_DIR)
	@exec $(BIN)/python manage.py serve

test: .venv/ready-to-test      ## everything that is not slow: code, style, types, documents, journeys
	@deploy/chromium
	@$(BIN)/python -m pytest -n 3 --dist worksteal --durations 10 -m "not slow"

test-all: .venv/ready-to-test  ## everything
	@deploy/chromium
	@$(BIN)/python -m pytest -n 3 --dist worksteal --durations 10

lint: .venv/ready-to-test      ## put style right where a machine can
	@$(BIN)/ruff check --fix . && $(BIN)/ruff format .

lock:                          ## exports requirements*.txt after a change to pyproject.toml
	@deploy/lock

.venv/pyvenv.cfg:
	@test -n "$(PYTHON)" || { echo "Overplay needs Python 3.11 or newer, and none was found." \
		"Install it, or name it: make PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/ready-to-run: requirements.txt .venv/pyvenv.cfg
	@deploy/install $(BIN)/python $<
	@touch $@

.venv/ready-to-test: tests/requirements.txt .venv/pyvenv.cfg
	@deploy/install $(BIN)/python $<
	@touch $@ .venv/ready-to-run
