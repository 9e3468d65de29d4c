# Two commands from a fresh clone: `make run` and `make test`. Neither needs root or a sound card.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
RUN_STAMP := $(VENV)/.run-installed
TEST_STAMP := $(VENV)/.test-installed
EAR_STAMP := $(VENV)/.whisper-base
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: run docs test check tests thorough coverage bench faults fuzz soak windows curves voices model mutants clean lock sbom

# The ear that learnt from people is fetched once (148 MB, compared with its hashes); without it all goes on.
EAR = test -e $(EAR_STAMP) || { $(BIN)/anna-eins models get whisper-base && touch $(EAR_STAMP); } \
	|| echo "It goes on without whisper-base, with one ear alone; \`anna-eins models get whisper-base\` fetches it later."

run: $(RUN_STAMP)
	@$(EAR)
	$(BIN)/anna-eins serve --lan --demo-table $(ARGS)

# All the words of each language, chapter by chapter, for a native reader: docs/words/TAG.md; all that is said into a
# player's ear, with its seconds: docs/spoken/TAG.md; and every message between a station and the server, for a developer:
# docs/protocol.md. They are built, and in no commit.
docs: $(RUN_STAMP)
	$(BIN)/python -m tests.web.protocol_page
	$(BIN)/anna-eins words render --all
	$(BIN)/python -m tests.voice.spoken_page

test: check tests

SYSTEMS := linux win32 darwin
.PHONY: types-benches $(SYSTEMS:%=types-%)
$(SYSTEMS:%=types-%): types-%:
	$(BIN)/mypy --platform $* --cache-dir .mypy_cache/$*

# What no test runs is found by its types: the benches, and what harms, floods and changes the program.
types-benches:
	$(BIN)/mypy --explicit-package-bases --namespace-packages --cache-dir .mypy_cache/benches $(BENCHES:%=tests/%)
BENCHES := bench faults fuzz mutants

check: $(TEST_STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(MAKE) --no-print-directory -j 3 $(SYSTEMS:%=types-%) types-benches
	$(BIN)/python -m tests.web.page_types

# One process more than cores: the tests often wait for a page, a line or a sound (tests/scheduling.py). They start
# hundreds of programs; without kept bytecode each of them compiles all its modules again.
export PYTHONDONTWRITEBYTECODE :=
WORKERS ?= $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 1)')
tests: $(TEST_STAMP)
	@$(EAR)
	$(BIN)/python -m pytest -n $(WORKERS) $(ARGS)

# Before a release: also each language, seed and kind of which `make test` runs a sample.
thorough: $(TEST_STAMP)
	$(BIN)/python -m pytest -n $(WORKERS) --thorough $(ARGS)

# The same tests, and what of the program they never reach: three times the work where much is computed.
coverage: $(TEST_STAMP)
	$(BIN)/python -m pytest -n auto --cov --cov-report=term-missing:skip-covered $(ARGS)

bench: $(TEST_STAMP)
	for bench in tests/bench/*.py; do echo "== $$bench"; $(BIN)/python $$bench || exit 1; done

# The program killed, starved, damaged and cut off; hostile messages and files; many tables for long. Each stops by
# itself, and its status is 1 where something broke: docs/holding-up.md. `ARGS='--only writer --count 100'` does less.
faults fuzz soak: $(TEST_STAMP)
	$(BIN)/python -m tests.$(if $(filter soak,$@),faults.soak,$@.run) $(ARGS)

# The program on CPython for Windows, under wine 10 or newer (Debian 13: `apt-get install wine`; `WINE` names another, as
# WINE=tests/windows/wine_of_debian_13.sh): a bundle made here is installed there, and a whole game is played.
windows: $(TEST_STAMP)
	$(BIN)/python -m tests.windows

# Small wrong changes in the core: which of them do its tests not notice? All of them; `ARGS='--sample 200'` draws some.
mutants: $(TEST_STAMP)
	$(BIN)/python -m tests.mutants.run $(ARGS)

# Fits all that is fitted of the ears anew, for the engines and the model as they are (an hour on two cores): curves and
# how the engines are put together, and what each mishears. People who tune speak too, where ../shared/data/human is
# there. The curves of both ears in force are of `ARGS='--human 8 --people 64 --readers 8 --fewer 4' FIT='--keep own'`. A person reads build/curves, then copies hearing.toml to
# config and the rest to config/confusions, and runs it once more for the confusions, which rest on the curves in force.
# `ARGS='--size 400'` hears more; a build/curves/heard.jsonl that is there is not heard again.
CURVES ?= build/curves
curves: $(RUN_STAMP)
	mkdir -p $(CURVES)
	test -s $(CURVES)/heard.jsonl || $(BIN)/python -m speech.training.curves.hall_hearing --out $(CURVES)/heard.jsonl $(ARGS)
	$(BIN)/python -m speech.training.curves.fit_together $(CURVES)/heard.jsonl --out $(CURVES)/hearing.toml $(FIT)
	for engines in own whisper own+whisper; do \
		$(BIN)/python -m speech.training.curves.confusions --heard $(CURVES)/heard.jsonl --engines $$engines \
			--out $(CURVES)/$$engines.toml >/dev/null || exit 1; done

# Fits how voices differ (config/voices.toml) anew: some minutes, with festival, flite and Pico as for `make model`. To be
# run again whenever speech/speakers/features.py changes.
voices: $(RUN_STAMP)
	$(BIN)/python -m speech.training.voices.fit --work build/voices --out config/voices.toml

# Makes our own model for Vosk anew (an hour or two on two cores). Needs festival with its voices and flite, see
# speech/training/own-model.md; a person measures build/model/d21 and copies it to speech/models/d21.
MODEL_VENV := build/model/venv
model:
	$(PYTHON) -m venv $(MODEL_VENV)
	$(MODEL_VENV)/bin/python -m pip install --quiet --require-hashes -r requirements.lock
	$(MODEL_VENV)/bin/python -m pip install --quiet -r speech/training/requirements.txt
	PYTHONPATH=. nice -n 19 $(MODEL_VENV)/bin/python -m speech.training.model.making all --work build/model --out build/model/d21 $(ARGS)

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(RUN_STAMP): requirements.lock pyproject.toml | $(BIN)/python
	$(PIP) --no-deps --require-hashes -r requirements.lock
	$(PIP) --no-deps --editable .
	touch $@

$(TEST_STAMP): tests/requirements.lock pyproject.toml | $(BIN)/python
	$(PIP) --no-deps --require-hashes -r tests/requirements.lock
	$(PIP) --no-deps --editable .
	touch $@

# Needs uv; the locks name versions and hashes, and no registry.
LOCK := uv pip compile --quiet --universal --python-version 3.11
LOCKED := $(LOCK) --generate-hashes --no-emit-index-url --no-header
WHEELS := build/pylock.wheels.toml
lock:
	$(LOCKED) pyproject.toml -o requirements.lock
	$(BIN)/python -m server.machine.install.locks > config/locks/slim.lock
	$(LOCKED) --extra dev --extra postgresql --extra s3 --extra wyoming -c requirements.lock pyproject.toml -o tests/requirements.lock
	$(BIN)/python -m server.machine.install.locks tests/requirements.lock > config/locks/extras.lock
	mkdir -p $(dir $(WHEELS))
	$(LOCK) --format pylock.toml -c requirements.lock pyproject.toml -o $(WHEELS)
	$(BIN)/python -m tests.machine.wheels_of_the_lock $(WHEELS)

# What the lock installs, with hashes and licences, for the wheel; to be made anew whenever the lock changes.
sbom: $(TEST_STAMP)
	$(BIN)/python -m tests.machine.bill_of_materials

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage dist build
