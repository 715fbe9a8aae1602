# The verbs of the project. Each does its own set-up first; `make` alone lists them.
#
#   make play                           a poker room on this machine
#   make test                           everything that must hold before a change lands
#   make soak MINUTES=10 SEED=7         bots, reconnects and audits for long
#   make simulate SEEDS=100 SEED=1      the room among faults, on simulated time
#   make collusion SEEDS=20 SEED=1      the search for pairs who play together, among bots
#   make fuzz INPUTS=100000 SEED=1      bad input of every kind, and what is answered
#   make deploy STAGE=prod              to the AWS account of the current credentials, with that
#                                       stage's parameters (samconfig.toml), as STACK;
#                                       PARAMETERS="GuestsMayWatch=false" says what is otherwise

.DEFAULT_GOAL := help
SHELL := /bin/sh

MINUTES ?= 2
SEED ?= 1
SEEDS ?= 25
INPUTS ?= 100000
TIMES ?= 1
WHAT ?= storm spectators flood
SECONDS ?= 30
STAGE ?= dev
STACK ?= cardroom-$(STAGE)
ARCHITECTURE ?= arm64
PARAMETERS ?=
ARGS ?=

# A stack of one's own name with the stage that nobody named would lose what protects it.
ifneq ($(filter deploy build,$(MAKECMDGOALS)),)
ifneq ($(origin STACK),file)
ifeq ($(origin STAGE),file)
$(error Say which stage the stack $(STACK) is of: make deploy STAGE=prod STACK=$(STACK))
endif
endif
endif

# The project's Python goes first: `sam build` and the function builds take the one on PATH.
export PATH := $(CURDIR)/.venv/bin:$(PATH)
export SAM_CLI_TELEMETRY := 0
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Python is started hundreds of times here: what it has compiled once it keeps, whatever a shell says.
unexport PYTHONDONTWRITEBYTECODE

BIN := .venv/bin
# SAM starts a make of its own for each function, which is no part of this one.
SAM := env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS .venv-sam/bin/sam
# What a stage is deployed with; cli/stages.py says why SAM is not asked to find that out.
STAGES = $(BIN)/python -P -m cli.stages
GIVEN = $(STAGE) Architecture=$(ARCHITECTURE) $(PARAMETERS)
# Not over a release that could not read what this one writes.
MAY_FOLLOW = $(BIN)/python -P -m cli.succession --stack $(STACK)
# SAM ends well also where its question was answered by no: then the page stays as it is.
UPLOAD = $(BIN)/cardroom web upload --unless-declined --stack $(STACK)
# Looks at three stamps where nothing has to be done.
SET_UP = @python=$$(local/find_python.sh) && "$$python" -P local/environments.py

.PHONY: help setup play test soak simulate collusion fuzz lint secrets audit types format validate budgets build deploy aws-probe bench load faults rules contract pins clean \
	web web-ready web-tests web-client browsers screenshots

help: ## list the verbs
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-9s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

setup: ## make or mend the three Python environments
	$(SET_UP)

# Chromium and Firefox, for the tests.
browsers: setup
	@$(BIN)/python -P -m local.browser

play: setup ## a room on this machine: tables, bots, the lobby live in the terminal
	@$(BIN)/cardroom play $(ARGS)

test: browsers ## lint, types, secrets, template and every test
	@$(MAKE) --no-print-directory -j 2 checks
	$(BIN)/pytest -n 3 --dist loadgroup $(ARGS)

.PHONY: checks
checks: lint types secrets validate web

soak: setup ## 40 bots for MINUTES (2) from SEED (1), with reconnects; every law checked throughout
	@$(BIN)/cardroom soak --minutes $(MINUTES) --seed $(SEED) $(ARGS)

simulate: ## SEEDS (25) histories of MINUTES (2) from SEED (1) among faults, on simulated time
	$(SET_UP) project
	@$(BIN)/python -P -m tests.simulation --minutes $(MINUTES) --seed $(SEED) --seeds $(SEEDS) $(ARGS)

collusion: ## SEEDS (25) rooms of 200 bots from SEED (1), five pairs of them colluders: how they rank
	$(SET_UP) project
	@$(BIN)/python -P -m tests.collusion --seed $(SEED) --seeds $(SEEDS) $(ARGS)

fuzz: ## INPUTS (100000) bad inputs from SEED (1): messages, events, stored items, files of hands
	$(SET_UP) project
	@$(BIN)/python -P -m tests.simulation.fuzz --inputs $(INPUTS) --seed $(SEED) $(ARGS)

lint: ## style and likely mistakes
	$(SET_UP) project
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# No secret is so short, or one that everybody is told. What stands for one in tests and texts is named
# here, so that a scan that finds anything has found something.
NO_SECRETS := ^(none|test|testing|simulated|false|temporary|right|lasting|Aa1!password|Correct-Horse-1|password_weak|PostConfirmation_\w+)$$
UNSIGNED := ^eyJhbGciOiJub25lIn0
TEXTS := package-lock\.json$$|^web/client/src/texts/|^web/client/test/handshakes\.json$$|\.(png|bin|svg|woff2)$$

secrets: ## keys, tokens and passwords in what is kept, or about to be
	$(SET_UP) audit
	git ls-files -z --cached --others --exclude-standard | xargs -0 .venv-audit/bin/detect-secrets-hook \
		--disable-plugin HexHighEntropyString --disable-plugin Base64HighEntropyString \
		--exclude-files '$(TEXTS)' --exclude-secrets '$(NO_SECRETS)' --exclude-secrets '$(UNSIGNED)'

audit: ## known holes in what is pinned, by PyPI's and npm's lists: this asks the network
	$(SET_UP) audit
	@failed=0; for pins in requirements/*.txt; do echo "$$pins"; \
		.venv-audit/bin/pip-audit --strict --no-deps --disable-pip --progress-spinner off -r $$pins || failed=1; \
	done; cd web && npm audit --package-lock-only || failed=1; exit $$failed

types: ## mypy, strict
	$(SET_UP) project
	$(BIN)/mypy

format: web-ready ## bring the code into the house style
	$(SET_UP) project
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	cd web/sdk && npx biome check --write .

web: web-ready ## the TypeScript workspace: types, style, builds and its tests
	cd web && npm run --silent --workspaces --if-present build
	cd web && npm run --silent --workspaces --if-present check
	@$(MAKE) --silent web-tests
	cd web && npm run --silent --workspaces --if-present test

# What node runs beside the room, for tests that start it.
web-tests: web/sdk/dist/.tests

web/sdk/dist/.tests: $(wildcard web/sdk/src/*.ts web/sdk/test/*.ts web/sdk/tsconfig*.json) | web-ready
	cd web && npm run --silent -w sdk build:tests
	@touch $@

# What browsers are given, as `cardroom play` and the upload to AWS want it.
web-client: web-ready web/client/dist/index.html

WEB_SOURCES = $(shell find web/sdk/src web/sdk/package.json web/sdk/tsconfig.json web/client -type f \
	-not -path '*/node_modules/*' -not -path '*/dist/*' -not -path '*/dist-test/*' -not -path '*/test/*')

web/client/dist/index.html: web/node_modules/.ready $(WEB_SOURCES)
	cd web && npm run --silent -w sdk build && npm run --silent -w client build
	@touch $@

web-ready: web/node_modules/.ready

# What is there is replaced when another version of anything is wanted.
web/node_modules/.ready: web/package-lock.json
	@command -v npm >/dev/null || { echo "cardroom: the web workspace needs Node 20 or newer with npm" >&2; exit 1; }
	cd web && npm ci --no-audit --no-fund
	@touch $@

screenshots: browsers ## pictures of the page for the docs: look at them before they are kept
	@$(BIN)/python -P -m tests.e2e.browser.pictures

validate: ## the template, as SAM, cfn-lint and a linter of security see it
	$(SET_UP) sam
	AWS_DEFAULT_REGION=us-east-1 $(SAM) validate --lint
	@.venv-sam/bin/python -P local/template_security.py

budgets: ## the CPU that each built function takes to start; fails where one is over its budget
	$(SET_UP) project sam
	@$(BIN)/python -P -m bench.budgets

build: budgets ## build the functions and the engine's layer for AWS (ARCHITECTURE, arm64)
	$(SET_UP) project sam
	@settings=$$($(STAGES) settings $(GIVEN)) && \
		CARDROOM_TARGET=$(ARCHITECTURE) CARDROOM_SETTINGS=$$settings \
		$(SAM) build --parameter-overrides "Architecture=$(ARCHITECTURE)"

deploy: build ## build, then deploy to AWS as STAGE (dev) says; asks before it changes anything
	@$(MAY_FOLLOW)
	@overrides=$$($(STAGES) overrides $(GIVEN)) && \
		$(SAM) deploy --config-env $(STAGE) --stack-name $(STACK) --parameter-overrides "$$overrides" $(ARGS)
	@$(UPLOAD)

aws-probe: ## on the account of STACK, what this machine cannot prove; says first what it does and costs
	$(SET_UP) project
	@$(BIN)/cardroom probe --stack $(STACK) $(ARGS)

bench: ## each figure beside its budget: speed, bytes, calls, dollars
	$(SET_UP) project sam
	@$(BIN)/cardroom bench $(ARGS)

load: setup ## load on the local room, WHAT of tables storm spectators flood memory (MINUTES)
	@$(BIN)/cardroom bench --load $(WHAT) --seconds $(SECONDS) --minutes $(MINUTES) $(ARGS)

faults: setup ## TIMES (1) kill functions and the stream's reader, and restart the room, amid hands
	@$(BIN)/python -P -m bench.faults --times $(TIMES) $(ARGS)

rules: ## each numbered rule with the tests that name it; fails where one has none
	$(SET_UP) project
	@$(BIN)/cardroom rules

contract: web-ready ## write anew what is made of the models: schema, AsyncAPI, types, error codes, a session
	$(SET_UP) project
	@$(BIN)/cardroom contract
	@$(BIN)/python -P -m tests.room.session
	cd web && npm run --silent -w sdk types

pins: ## resolve requirements/*.in into requirements/*.txt
	$(SET_UP) project
	@for name in functions authorizer dev emulator sam audit; do \
		CUSTOM_COMPILE_COMMAND="make pins" $(BIN)/pip-compile --quiet --no-config --strip-extras \
			--allow-unsafe --no-emit-index-url --no-emit-find-links --no-emit-trusted-host \
			--no-emit-options requirements/$$name.in --output-file requirements/$$name.txt || exit 1; \
	done

clean: ## remove builds and caches; the environments stay
	rm -rf .build .aws-sam .room dist web/*/dist web/*/dist-test .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -path './.venv*' -prune -o -type d -name __pycache__ -prune -exec rm -rf {} +
