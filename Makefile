# Everything CI runs is here; `make check` is exactly that.
GO ?= go

.PHONY: check beam tools python fmt staticcheck imports generated portable test fuzz vuln soak accuracy suite bench performance template study figures heating licences release wheel web matrix export-matrix

# The last six, which write nothing that the others read, run two at a time: tests of Python and linkers keep one processor busy.
check: fmt imports generated
	@$(MAKE) -j2 --no-print-directory test staticcheck python beam portable tools

fmt:
	@files=$$(gofmt -l .); if [ -n "$$files" ]; then echo "not formatted: $$files"; exit 1; fi

staticcheck:
	$$($(GO) -C tools tool -n staticcheck) ./...

# Packages import one another downwards only.
imports:
	$(GO) test -run TestImportOrder .

# The assembly is what its generator writes.
GENERATED = internal/base/kernel/avx2_amd64.s internal/base/kernel/stubs_amd64.go
generated:
	@cat $(GENERATED) > generated.out; $(GO) generate ./internal/base/kernel && cat $(GENERATED) | cmp - generated.out && rm generated.out

# The checks of go vet, here and on other systems, from source; without assembly; and linked for a processor that has none.
portable:
	$(GO) -C tools run ./portable linux/amd64 linux/arm64 windows/amd64 darwin/arm64 freebsd/amd64
	$(GO) test -tags purego ./internal/base/kernel ./layers
	GOARCH=arm64 CGO_ENABLED=0 $(GO) test -c -o /dev/null ./internal/base/kernel

# With the race detector: packages that start goroutines or share state between them. Left out are the command, the root and harnesses,
# which call these; databases, whose drivers take long to compile; what drives the browser; and config and recipe, which compute a value once.
RACED = $(sort $(dir $(shell grep -rlE '^[[:space:]]*go (func|[a-z])|"sync|/errgroup"|internal/base/parallel"' --include='*.go' --exclude='*_test.go' --exclude-dir=testdata --exclude-dir=beam --exclude-dir=tools .)))
UNRACED = ./ ./cli/ ./data/table/postgres/ ./internal/test/% ./membership/membershiptest/ ./internal/config/ ./internal/train/recipe/ ./web/wasm/
test:
	CGO_ENABLED=1 $(GO) test -race -vet=off -tags nodatabases $(filter-out $(UNRACED),$(RACED))

# The Python package: ruff, mypy, and its tests against the installed wheel.
python:
	GO="$(GO)" python/check

# The module of tskgraph-beam, which nothing else builds: it compiles Apache Beam.
beam:
	$(GO) -C beam vet ./...
	staticcheck=$$($(GO) -C tools tool -n staticcheck) && cd beam && $$staticcheck ./...
	CGO_ENABLED=0 $(GO) -C beam test ./...
	$(GO) -C tools run ./release licences beam . | cmp - beam/THIRD_PARTY.md

# The module of generators and release programs.
tools:
	$(GO) -C tools vet ./...
	staticcheck=$$($(GO) -C tools tool -n staticcheck) && cd tools && $$staticcheck ./...
	$(GO) -C tools test ./...

# Each fuzz target for a minute. What one finds is written to testdata/fuzz of its package, and from then on part of the tests.
FUZZTIME ?= 1m
fuzz:
	@set -e; for package in $$($(GO) list ./...); do \
		targets=$$($(GO) test -list '^Fuzz' $$package); \
		for target in $$(echo "$$targets" | grep '^Fuzz' || true); do \
			echo "$$package $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) $$package; \
		done; \
	done

# Known vulnerabilities of what is linked, by a database on the network: no part of check.
vuln:
	$(GO) run golang.org/x/vuln/cmd/govulncheck@v1.1.4 ./...

# 2,000 models in one process, for docs/reliability.md: heap, goroutines and open files must not grow.
soak:
	$(GO) test -run '^$$' -bench Soak -benchtime 1x ./internal/test/contract

# The tables of docs/accuracy.md (robust preset against boosting, on fixed splits; paper's preset, without and with pruning), on the
# data sets in TSKGRAPH_DATA: an hour.
accuracy:
	$(GO) test -run '^$$' -bench 'Accuracy|Paper' -benchtime 1x -timeout 0 ./internal/train/ensemble

# Systems on public tables, in the directory SUITE_DATA (bench/suite/README.md); SUITE_FLAGS choose systems, tables and splits: hours.
SUITE = $(or $(PYTHON),/usr/bin/python3) bench/suite/suite.py
suite:
	$(GO) build -o $(SUITE_DATA)/tskgraph ./cmd/tskgraph
	$(SUITE) get
	TSKGRAPH_BINARY=$(SUITE_DATA)/tskgraph $(SUITE) run $(SUITE_FLAGS)
	$(SUITE) page $(SUITE_FLAGS)

# Training steps against a C program of the same step, and the rest of the pipeline: some minutes.
ROUNDS ?= 7
bench:
	@$(GO) -C tools run ./bench -rounds $(ROUNDS)

# The tables and figures of docs/performance.md.
performance:
	$(GO) -C tools run ./bench -rounds $(ROUNDS) -page docs/performance.md -growth docs/performance
	$(GO) -C tools run ./bench -rounds 0 -rows 1e6 -page docs/performance.md -growth docs/performance

# config.yaml, docs/keys.md and the parameters of the Python estimators follow the table of keys in package config.
template:
	$(GO) run ./cmd/tskgraph config print --template > config.yaml.new && mv config.yaml.new config.yaml
	$(GO) run ./cmd/tskgraph config print --markdown > keys.md.new && mv keys.md.new docs/keys.md
	$(GO) -C tools run ./pythonkeys > settings.py.new && mv settings.py.new python/tskgraph/_settings.py

# All tests with all of their cases, of which .ci/run runs a part: hours.
matrix:
	TEST_CASES=all CI=true $(GO) test -timeout 0 ./...
	TEST_CASES=all CI=true $(GO) -C tools test -timeout 0 ./...

# Every target of export, on models of every shape, response, transform, component and committee, 20,000 rows each, run by its real
# consumer. .ci/tools installs these; TSKGRAPH_NODE_MODULES names the directory of its packages of node.
export-matrix:
	TEST_CASES=all CI=true $(GO) test -timeout 0 ./internal/test/exporttest ./internal/export/...

# The full study on the data sets in TSKGRAPH_DATA, and the tables and figures of docs/study.md. What is in the directory study.out is not run again.
study:
	$(GO) run ./cmd/tskgraph experiment --data $(TSKGRAPH_DATA) --out study.out --curves
	$(GO) -C tools run ./studypage study.out docs/study.md

# The figures in docs: the shapes, and pictures of a report and of the workbench. As root: make figures CHROMIUM='chromium --no-sandbox'
CHROMIUM ?= chromium
figures:
	$(GO) run ./cmd/tskgraph plot shapes --out docs/shapes
	rm -rf figures.out
	$(GO) run ./cmd/tskgraph train --config docs/heating.yaml --set output.dir=figures.out
	$(GO) run ./cmd/tskgraph report figures.out/heating-readable-001
	$(CHROMIUM) --headless --hide-scrollbars --window-size=1000,1640 --screenshot=docs/report.png file://$(CURDIR)/figures.out/heating-readable-001/report.html
	rm -r figures.out
	CI=true $(GO) test ./internal/test/webtest -run 'TestPicture$$' -picture $(CURDIR)/docs/workbench.png

# The table of the guides: a building that is made up.
heating:
	$(GO) -C tools run ./heating > docs/heating.csv

# The licences of all modules that are linked into the commands.
licences:
	$(GO) -C tools run ./release licences > THIRD_PARTY.md.new && mv THIRD_PARTY.md.new THIRD_PARTY.md
	$(GO) -C tools run ./release licences beam . > beam/THIRD_PARTY.md.new && mv beam/THIRD_PARTY.md.new beam/THIRD_PARTY.md

# Archives of static programs for six platforms, checksums and SBOMs in the directory dist; the same sources and Go give the same bytes.
release:
	$(GO) -C tools/sbom build -o $(CURDIR)/dist/ github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod
	$(GO) -C tools run ./release archives -out dist -sbom dist/cyclonedx-gomod -check
	rm dist/cyclonedx-gomod

# Wheels of the Python package for six platforms in python/dist; the same sources and Go give the same bytes.
wheel:
	rm -rf python/dist
	$(GO) -C tools run ./release wheels -check

# The page that trains in the browser in web/dist, for any static host; the same sources and Go give the same bytes.
web:
	$(GO) -C tools run ./release page
