# Everything CI runs is here; `make check` is exactly that.
GO ?= go

.PHONY: check fmt vet staticcheck imports test accuracy bench template study figures

check: fmt vet staticcheck imports test

fmt:
	@files=$$(gofmt -l .); if [ -n "$$files" ]; then echo "not formatted: $$files"; exit 1; fi

vet:
	$(GO) vet ./...

staticcheck:
	$(GO) tool staticcheck ./...

# Packages import one another downwards only.
imports:
	$(GO) test -run TestImportOrder .

test:
	$(GO) test -race ./...

# Mean test RMSE of the paper's preset over ten seeds, on the data sets in TSKGRAPH_DATA.
accuracy:
	$(GO) test -run '^$$' -bench PaperPreset -benchtime 1x -timeout 60m .

bench:
	$(GO) test -run '^$$' -bench . -skip PaperPreset ./...

# config.yaml follows the table of keys in package config.
template:
	$(GO) run ./cmd/tskgraph config print --template > config.yaml.new && mv config.yaml.new config.yaml

# The full study on the data sets in TSKGRAPH_DATA, and the tables and figures of docs/study.md. What is in the directory study is not run again.
study:
	$(GO) run ./cmd/tskgraph experiment --data $(TSKGRAPH_DATA) --out study --curves
	$(GO) run ./internal/page study docs/study.md

# The figures in docs.
figures:
	$(GO) run ./cmd/tskgraph plot shapes --out docs/shapes
