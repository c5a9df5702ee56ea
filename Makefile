# Builds, tests and runs Afterpush on Debian 12. `make` without a target lists the targets.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

PREFIX ?= /usr/local
# Arguments that `make demo` passes to the program.
ARGS ?=
# Arguments that `make bench` passes to scripts/bench; `quick` means --quick. BENCH_STORED sets --stored.
BENCH ?=
BENCH_STORED ?=
# Flags for every build, such as SWIFTFLAGS='-j 2'. All builds need the same flags, or everything is built again.
SWIFTFLAGS ?=

# A target may import only the dependencies that Package.swift declares for it. The index stays on: Swift finds the tests
# of a fresh checkout through it.
build_flags := --explicit-target-dependency-import-check error $(SWIFTFLAGS)
# In debug information, a file has another name.
renamed = -Xswiftc -file-prefix-map -Xswiftc '$(1)=$(2)'
# SwiftPM names this folder after that of the checkout.
plugin_outputs := .build/plugins/outputs/$(shell basename '$(CURDIR)' | tr '[:upper:]' '[:lower:]')
# The release build contains Swift's runtime, so that it runs without Swift, and leaves out what nothing calls. Its debug
# information names files relative to the checkout, no module caches and no hashes of options, so that two builds of a
# commit are equal.
release_flags := --configuration release --static-swift-stdlib \
    -Xcc -ffunction-sections -Xcc -fdata-sections -Xcc '-ffile-prefix-map=$(CURDIR)=.' \
    -Xswiftc -Xfrontend -Xswiftc -function-sections -Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs \
    -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen \
    $(call renamed,$(CURDIR)/$(plugin_outputs),./.build/plugins/outputs) \
    $(call renamed,$(plugin_outputs),.build/plugins/outputs) $(call renamed,$(CURDIR),.) \
    -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic -Xlinker --icf=safe $(build_flags)
sources := Sources Plugins Tests Bench clients dashboards sql Package.swift

# Prerequisites are made one after another, in the order given.
.NOTPARALLEL:

# Any installed version of PostgreSQL will do, from whichever package.
server_packages := $(if $(wildcard /usr/lib/postgresql/*/bin/initdb),,postgresql)
client_packages := $(if $(wildcard /usr/lib/postgresql/*/bin/psql),,postgresql-client)
build_packages := libcurl4-openssl-dev libpq-dev libsqlite3-dev pkgconf zlib1g-dev
run_packages := $(server_packages) libjs-chart.js
deb_packages := binutils debhelper python3
image_packages := $(deb_packages) buildah debootstrap
# The dashboard tests need chromium, its driver and Chart.js. LibreOffice opens what reports write for spreadsheets.
test_packages := $(server_packages) $(client_packages) $(deb_packages) chromium chromium-driver curl haproxy \
    libfaketime libjs-chart.js libreoffice-calc-nogui lintian man-db nghttp2-client nginx openssl pgbouncer \
    prometheus python3-venv systemd util-linux
long_packages := $(test_packages) $(image_packages) docker-compose gdb jq runc skopeo systemd-container umoci
faults_packages := $(test_packages)
bench_packages := $(server_packages) $(client_packages) chromium chromium-driver libjs-chart.js python3 \
    python3-selenium wrk
fuzz_packages := $(server_packages)
# With a higher width, tests only wait for each other.
limited_width := --experimental-maximum-parallelization-width 8
# Browser tests run alone, because a browser uses the whole machine.
browser_tests := 'CollectorTests.(BrowserTests|ServiceWorkerTests)'
# These measure what others experience during an attack, so each runs alone.
starvation_tests := 'CollectorTests.(StarvationTests|FairShareTests)'
# How long `make fuzz` runs.
FUZZ_SECONDS ?= 600

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: demo
demo: run-packages build ## install missing packages, build, and run the demo; ARGS=--exit passes --exit
	@echo "make: running the demo, which takes less than a minute: it creates a database and posts events"
	.build/release/afterpush demo $(ARGS)

.PHONY: test
test: test-packages lint test-clients ## install missing packages, lint, build, and run all tests
	swift build --build-tests $(build_flags)
	# Unit tests first, then the whole program: tests with timing must not run beside heavy ones.
	scripts/run-tests --skip CollectorTests --skip HTTPTransportTests $(limited_width) $(build_flags)
	# With a higher width, tests that only compute would hold up tests of sockets and time limits for seconds.
	scripts/run-tests --filter HTTPTransportTests --experimental-maximum-parallelization-width 2 $(build_flags)
	# Each of these has a collector and a database, so four keep all processors busy. More would exceed time limits.
	scripts/run-tests --filter CollectorTests --skip CollectorTests.Faults --skip $(browser_tests) \
	    --skip $(starvation_tests) --experimental-maximum-parallelization-width 4 $(build_flags)
	scripts/run-tests --filter $(browser_tests) $(build_flags)
	scripts/run-tests --filter $(starvation_tests) --experimental-maximum-parallelization-width 1 $(build_flags)
	scripts/run-tests --filter CollectorTests.Faults $(build_flags)

.PHONY: test-clients
test-clients: test-packages ## install the clients of other systems that tests run, into .build/clients
	@scripts/require-clients

.PHONY: test-long
test-long: long-packages image ## run the tests of packages, of kills, and those against the reference model with 200 seeds
	packaging/test-install .build/release/afterpush
	packaging/test-image .build/packages/afterpush.oci.tar
	packaging/test-release .build/release/afterpush
	AFTERPUSH_FAULTS=long AFTERPUSH_TEST_NEWER_POSTGRES="$$(scripts/newer-postgres)" \
	    swift test --filter 'that is killed at any point' $(build_flags)
	AFTERPUSH_TEST_SEEDS=200 swift test --filter 'CollectorTests\..*ModelTests' $(build_flags)

.PHONY: calibration
calibration: test-packages ## simulate campaigns without a difference, and print how often the statistics find one
	AFTERPUSH_CALIBRATION_RUNS=2000 swift test --filter 'StorageTests.*CalibrationTests' \
	    --experimental-maximum-parallelization-width 2 $(build_flags)

.PHONY: bench
bench: bench-packages build ## benchmark the release build against its baselines; BENCH=quick is shorter
	swift build --product BareHandler $(release_flags)
	swift build --product RecordTimes $(release_flags)
	@scripts/bench $(if $(filter quick,$(BENCH)),--quick,$(BENCH)) $(if $(BENCH_STORED),--stored $(BENCH_STORED))

.PHONY: faults
faults: faults-packages ## run the long fault tests, and print their table; takes about an hour
	@rm -f .build/faults.json
	AFTERPUSH_FAULTS=long swift test --filter CollectorTests.Faults $(build_flags) || { scripts/fault-table; exit 1; }
	@scripts/fault-table

.PHONY: fuzz
fuzz: fuzz-packages ## fuzz the decoders and the connection layer; FUZZ_SECONDS=600
	swift build -c release --scratch-path .build-fuzz --sanitize address --product Fuzz $(build_flags)
	ASAN_OPTIONS=detect_leaks=0 .build-fuzz/release/Fuzz --seconds $(FUZZ_SECONDS)

.PHONY: fuzz-client
fuzz-client: build-packages ## fuzz the device library; FUZZ_SECONDS=600
	AFTERPUSH_FUZZ_SECONDS=$(FUZZ_SECONDS) swift test --filter AfterpushClientTests.QueueFuzzTests $(build_flags)
	AFTERPUSH_FUZZ_SECONDS=$(FUZZ_SECONDS) swift test --filter AfterpushClientTests.AnswerFuzzTests $(build_flags)
	AFTERPUSH_FUZZ_SECONDS=$(FUZZ_SECONDS) swift test --filter AfterpushClientTests.TransportFuzzTests $(build_flags)

.PHONY: lint
lint: ## check the sources' format, the project's own rules, and the documentation
	@scripts/require-swift
	@scripts/require-packages python3
	swift format lint --strict --recursive $(sources)
	scripts/check-sources
	scripts/check-links
	scripts/check-docs
	scripts/report-pages --check
	dashboards/grafana/generate --check

.PHONY: format
format: ## format the sources in place
	@scripts/require-swift
	swift format --in-place --recursive $(sources)

.PHONY: grafana
grafana: ## regenerate the Grafana dashboards after a report has changed
	dashboards/grafana/generate

.PHONY: snapshot
snapshot: build-packages $(if $(client_packages),test-packages) ## write sql/schema.snapshot.sql after the schema has changed
	swift build --product afterpush $(build_flags)
	scripts/schema-snapshot --write .build/debug/afterpush

.PHONY: build
build: build-packages ## install missing packages, and make a release build
	@[[ -e .build/release/afterpush ]] || echo "make: the first build compiles 28 packages, which takes about ten" \
	    "minutes on two cores; later ones take one or two"
# Debug information names the sources of macros, which the compiler writes to TMPDIR.
	TMPDIR=/tmp swift build --product afterpush $(release_flags)

.PHONY: deb
deb: deb-packages build ## make a Debian package, in .build/packages
	packaging/deb .build/release/afterpush .build/packages

.PHONY: image
image: image-packages build ## make a container image, .build/packages/afterpush.oci.tar; needs root
	packaging/image "$$(packaging/deb .build/release/afterpush .build/packages)" .build/packages/afterpush.oci.tar

.PHONY: release
release: deb-packages build ## make the archives and checksums of a release, in .build/release-files
	packaging/release .build/release/afterpush .build/release-files

.PHONY: install
install: build ## build, and install the program into PREFIX/bin (PREFIX=/usr/local)
	install -D -m 755 .build/release/afterpush '$(DESTDIR)$(PREFIX)/bin/afterpush'

.PHONY: build-packages run-packages deb-packages image-packages test-packages long-packages bench-packages \
    faults-packages fuzz-packages
build-packages run-packages deb-packages image-packages test-packages long-packages bench-packages faults-packages \
    fuzz-packages:
	@scripts/require-swift
	@scripts/require-packages $(sort $(build_packages) $($(subst -,_,$@)))

.PHONY: clean
clean: ## remove build products
	swift package clean
	rm -rf .build-fuzz
