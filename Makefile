# `make run` starts netwatch on this host, `make test` runs every test; both install the Debian packages that are missing.
# ARGS goes to the program or to the tests: make run ARGS="status --json", make test ARGS="--filter NetlinkTests".

SHELL := /bin/bash
SOURCES := Sources Tests Benchmarks Package.swift
# Programs and libraries alike stand on their own: no toolchain is needed where they run, nor looked for.
RELEASE = -c release --static-swift-stdlib -Xswiftc -static-stdlib --disable-local-rpath $(shell Scripts/layout-flags)
# What a program exports is looked up by nothing that it loads: 28,000 names would cost 2.7 MB and a tenth of its start. All
# addresses are found before it begins, so that they can be read-only from then on; packed, they take 20 kB in the place of
# 2 MB. Functions of the same code, which generics leave by the thousand, are kept once: 2.6 MB.
PROGRAM = $(addprefix -Xlinker ,--no-export-dynamic -z now -z pack-relative-relocs --icf=all)
# Swift cannot be unloaded from a process (nodelete). What is no function of netwatch.h stays inside.
LIBRARY = $(addprefix -Xlinker ,-soname=libnetwatch.so.0 --version-script=$(CURDIR)/packaging/libnetwatch.map -z nodelete -z defs -z now -s)
PREFIX ?= /usr/local
export PREFIX DESTDIR LIBDIR SYSCONFDIR

.DEFAULT_GOAL := help
.PHONY: help build library run install uninstall deb test test-deb test-install test-repeat test-lab test-all test-thread test-address bench bench-world bench-fuzz bench-tasks layout lint imports folders cases docs format clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build the program for release
	@Scripts/install-packages build run
	@swift build $(RELEASE) $(PROGRAM) --product netwatch >&2

library: ## build libnetwatch, for programs in C and other languages, for release
	@Scripts/install-packages build
	@swift build $(RELEASE) $(LIBRARY) --product NetwatchC >&2

# Where there is no toolchain, as under sudo, what was built before is installed.
install: $(if $(shell command -v swift),build library) ## install program, library, manual pages, completions, schemas (PREFIX=/usr/local, DESTDIR=)
	@Scripts/install .build/release

uninstall: ## remove what was installed (the same PREFIX and DESTDIR)
	@Scripts/install --uninstall

deb: build library ## make Debian packages in .build/deb: netwatch with its service, libnetwatch0, libnetwatch-dev
	@Scripts/install-packages build deb
	@Scripts/build-deb

run: build ## start `netwatch --json` on this host (other arguments: ARGS="...")
	@exec "$$(swift build -c release --show-bin-path)/netwatch" $(or $(ARGS),--json)

test: ## lint, build without a warning, check imports, run every test
	@Scripts/install-packages build run test
	@$(MAKE) --no-print-directory lint imports folders cases
	@Scripts/test $(ARGS)

test-install: build library ## install into a folder, and try all of it with the Swift toolchain hidden
	@Scripts/install-packages build run test
	@Scripts/test-install .build/release

test-deb: ## try the Debian packages in a real systemd, from their installation to their removal (after make deb)
	@Scripts/install-packages deb test-deb
	@Scripts/test-deb $(ARGS)

test-lab: build ## run the scenarios with real Wi-Fi, WWAN, bonds, teams and tunnels in a virtual machine
	@Scripts/install-packages test lab
	@swift build --product NetwatchC >&2
	@Tests/Lab/run $(ARGS)

test-repeat: ## run every test N times (10), every second time with a compiler running beside
	@Scripts/install-packages build run test
	@Scripts/test-repeat $(N)

test-all: ## everything: test, both sanitizers, the installation, the lab
	@$(MAKE) --no-print-directory test
	@$(MAKE) --no-print-directory test-thread
	@$(MAKE) --no-print-directory test-address
	@$(MAKE) --no-print-directory test-install
	@$(MAKE) --no-print-directory test-lab

test-thread: ## run every test under the thread sanitizer
	@Scripts/install-packages build run test
	@SANITIZE=thread Scripts/test $(ARGS)

test-address: ## run every test under the address sanitizer
	@Scripts/install-packages build run test
	@SANITIZE=address Scripts/test $(ARGS)

bench: build ## measure latency, idle cost, memory and throughput beside others, in one run
	@Scripts/install-packages bench
	@Benchmarks/run $(ARGS)
	@[ -n "$(ARGS)" ] || $(MAKE) --no-print-directory bench-world

bench-world: ## a hundred histories of each situation in a world in which the truth is known, and a million random inputs
	@swift build -c release --product Simulation >&2
	@"$$(swift build -c release --show-bin-path)/Simulation" $(or $(SEEDS),100) $(or $(SEED),$$RANDOM)
	@NETWATCH_PROPERTY_INPUTS=1000000 CONFIGURATION=release Scripts/test --filter EvidenceTests.PropertyTests

bench-fuzz: ## differential fuzzing against the kernel, 1,000,000 operations (half an hour; other seeds: NETWATCH_FUZZ_SEED)
	@Scripts/install-packages build run test
	@NETWATCH_FUZZ_OPERATIONS=$${NETWATCH_FUZZ_OPERATIONS:-1000000} NETWATCH_FUZZ_LANES=$$((2 * $$(nproc))) \
		CONFIGURATION=release Scripts/test --filter DifferentialTests

bench-tasks: ## 1,000,000 cancellations, suspensions and resumes over 400 tasks, under the thread sanitizer
	@Scripts/install-packages build run test
	@NETWATCH_TASK_OPERATIONS=$${NETWATCH_TASK_OPERATIONS:-1000000} SANITIZE=thread Scripts/test --filter TaskStressTests

lint: ## check the format of the sources
	@swift format lint --strict --parallel --recursive $(SOURCES)

imports: ## check that imports run one way only
	@Scripts/check-imports

folders: ## check that the folders of each target point one way, and that no type spreads over more files
	@Scripts/check-folders

cases: ## check that Documentation/CASES.md lists the tests that there are
	@Scripts/list-cases --check

layout: build ## find out anew which functions are to lie side by side in the program
	@Scripts/install-packages layout
	@Scripts/order-functions

docs: ## check that every link of the library's and the request core's documentation leads somewhere
	@Scripts/check-docs

format: ## format the sources
	@swift format --in-place --parallel --recursive $(SOURCES)

clean: ## remove what was built
	@rm -rf .build .build-* Benchmarks/.build
