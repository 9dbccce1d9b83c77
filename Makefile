# Everything CI runs is here; `make check` is exactly that.
GO ?= go

.PHONY: check fmt vet staticcheck imports test accuracy bench template figures

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

# Mean test RMSE of the paper's preset over ten seeds, without and with pruning, on the data sets in TSKGRAPH_DATA.
accuracy:
	$(GO) test -run '^$$' -bench Paper -benchtime 1x -timeout 60m .

bench:
	$(GO) test -run '^$$' -bench . -skip Paper ./...

# config.yaml follows the table of keys in package config.
template:
	$(GO) run ./cmd/tskgraph config print --template > config.yaml.new && mv config.yaml.new config.yaml

# The figures in docs.
figures:
	$(GO) run ./cmd/tskgraph plot shapes --out docs/shapes
