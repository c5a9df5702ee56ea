# Builds, tests and runs Afterpush on Debian 12. `make` alone lists what can be made.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

PREFIX ?= /usr/local
# Passed to the program by `make demo`.
ARGS ?=
# Passed to scripts/bench by `make bench`; `quick` stands for --quick. BENCH_STORED is the number of its largest database.
BENCH ?=
BENCH_STORED ?=
# Passed to every build, the same each time, so that nothing is built twice: say SWIFTFLAGS='-j 2' for two jobs.
SWIFTFLAGS ?=

# Targets import what Package.swift says they may, and nothing else.
build_flags := --explicit-target-dependency-import-check error $(SWIFTFLAGS)
sources := Sources Tests Bench clients dashboards sql Package.swift

# What a target needs comes first, in the order in which it stands.
.NOTPARALLEL:

# Any version of PostgreSQL's programs will do, whichever package they came in: what is there is left as it is.
server_packages := $(if $(wildcard /usr/lib/postgresql/*/bin/initdb),,postgresql)
client_packages := $(if $(wildcard /usr/lib/postgresql/*/bin/psql),,postgresql-client)
build_packages := libpq-dev libsqlite3-dev pkgconf zlib1g-dev
run_packages := $(server_packages) libjs-chart.js
# chromium and its driver show the dashboard to its tests, with Chart.js.
test_packages := $(server_packages) $(client_packages) chromium chromium-driver curl libfaketime libjs-chart.js \
    nghttp2-client openssl python3 util-linux
faults_packages := $(test_packages)
bench_packages := $(server_packages) $(client_packages) chromium chromium-driver libjs-chart.js python3 python3-selenium wrk
fuzz_packages := $(server_packages)
# More tests at once than this only wait for each other.
few_at_once := --experimental-maximum-parallelization-width 8
# A browser takes all there is of the machine: these have it for themselves.
in_a_browser := 'CollectorTests.(BrowserTests|ServiceWorkerTests)'
# How long `make fuzz` goes on.
FUZZ_SECONDS ?= 600

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: demo
demo: run-packages release ## install what is missing, build, and run the demo; ARGS=--exit passes --exit on
	.build/release/afterpush demo $(ARGS)

.PHONY: test
test: test-packages lint ## install what is missing, check the sources, build, and run all tests
	swift build --build-tests $(build_flags)
	# The parts first, then the whole under load: what is timed must not wait for what is heavy.
	scripts/run-tests --skip CollectorTests $(few_at_once) $(build_flags)
	scripts/run-tests --filter CollectorTests --skip CollectorTests.Faults --skip $(in_a_browser) $(few_at_once) $(build_flags)
	scripts/run-tests --filter $(in_a_browser) $(build_flags)
	scripts/run-tests --filter CollectorTests.Faults $(build_flags)

.PHONY: test-long
test-long: test-packages ## run the tests against the reference model with 200 seeds
	AFTERPUSH_TEST_SEEDS=200 swift test --filter CollectorTests.ModelTests $(build_flags)

.PHONY: bench
bench: bench-packages release ## measure the release build against its peers; BENCH=quick is shorter
	swift build -c release --product BareHandler $(build_flags)
	swift build -c release --product RecordTimes $(build_flags)
	@scripts/bench $(if $(filter quick,$(BENCH)),--quick,$(BENCH)) $(if $(BENCH_STORED),--stored $(BENCH_STORED))

.PHONY: faults
faults: faults-packages ## run the fault catalogue in its long form, and print its table; takes about an hour
	@rm -f .build/faults.json
	AFTERPUSH_FAULTS=long swift test --filter CollectorTests.Faults $(build_flags) || { scripts/fault-table; exit 1; }
	@scripts/fault-table

.PHONY: fuzz
fuzz: fuzz-packages ## feed hostile input to decoders and connection layer; FUZZ_SECONDS=600
	swift build -c release --scratch-path .build-fuzz --sanitize address --product Fuzz $(build_flags)
	ASAN_OPTIONS=detect_leaks=0 .build-fuzz/release/Fuzz --seconds $(FUZZ_SECONDS)

.PHONY: lint
lint: ## check the sources' format and the project's own rules
	@scripts/require-swift
	swift format lint --strict --recursive $(sources)
	scripts/check-sources

.PHONY: format
format: ## format the sources in place
	@scripts/require-swift
	swift format --in-place --recursive $(sources)

.PHONY: grafana
grafana: ## write dashboards/grafana anew after a report has changed
	dashboards/grafana/generate

.PHONY: release
release: build-packages ## install what is missing, and build the program for use
	swift build -c release --product afterpush $(build_flags)

.PHONY: install
install: release ## build, and put the program into PREFIX/bin (PREFIX=/usr/local)
	install -D -m 755 .build/release/afterpush '$(DESTDIR)$(PREFIX)/bin/afterpush'

.PHONY: build-packages run-packages test-packages bench-packages faults-packages fuzz-packages
build-packages run-packages test-packages bench-packages faults-packages fuzz-packages:
	@scripts/require-swift
	@scripts/require-packages $(sort $(build_packages) $($(subst -,_,$@)))

.PHONY: clean
clean: ## remove what was built
	swift package clean
	rm -rf .build-fuzz
