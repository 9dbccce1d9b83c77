package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	fast "github.com/klauspost/compress/zstd"

	"github.com/tskgraph/tskgraph/tools/checkout"
	"github.com/tskgraph/tskgraph/tools/zstd"
	"github.com/tskgraph/tskgraph/web"
)

const (
	engine      = "./web/wasm" // the program that trains in the browser
	noticesFile = "LICENSE.txt"
	largestPage = 7_000_000 // bytes that loading the page transfers
)

// inBrowser are the variables for the go command to build for the browser. The caller's GOFLAGS apply, such as -toolexec; the flags of
// the build override those that change the program.
var inBrowser = []string{"GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOWASM=", "GOEXPERIMENT=", "GOWORK=off"}

// inlined are the packages in which the compiler inlines calls, because they compute; without that, the program is a sixth smaller.
var inlined = []string{
	"runtime/...", "internal/runtime/...", "math/...", "slices", "sort", "strconv", "unicode/utf8",
	"gonum.org/v1/gonum/blas/...", "gonum.org/v1/gonum/internal/...",
	ours + "/internal/base/...", ours + "/internal/train/fit", ours + "/internal/train/lse", ours + "/internal/train/pages",
	ours + "/internal/train/tree", ours + "/data/...", ours + "/graph", ours + "/inference", ours + "/layers",
	ours + "/loss",
	ours + "/membership", ours + "/model", ours + "/optim", ours + "/penalty", ours + "/rules",
}

const ours = "github.com/tskgraph/tskgraph"

// idle are the files that a page from a host does not load: notices, and what pages from the disk load instead of the program.
var idle = []string{noticesFile, "tskgraph.wasm.js"}

// writePage writes the page of a checkout to a directory; a draft is compressed fast, and may be larger than a page.
func writePage(out string, draft bool) error {
	if draft {
		files, err := buildPage(".", compressFast)
		if err != nil {
			return err
		}
		return saveFiles(files, out)
	}
	files, err := buildPage(".", zstd.Compress)
	if err != nil {
		return err
	}
	return savePage(files, out)
}

// compressFast compresses in a second what [zstd.Compress] compresses by an eighth more in twenty.
func compressFast(text []byte) []byte {
	w, err := fast.NewWriter(nil)
	if err != nil {
		panic(err) // no options
	}
	return w.EncodeAll(text, nil)
}

// saveFiles writes files to a directory.
func saveFiles(files map[string][]byte, out string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(out, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// savePage is saveFiles that prints their sizes, and returns an error if opening the page transfers too much.
func savePage(files map[string][]byte, out string) error {
	if err := saveFiles(files, out); err != nil {
		return err
	}
	total := 0
	for _, name := range slices.Sorted(maps.Keys(files)) {
		note := ""
		if slices.Contains(idle, name) {
			note = "  (not loaded from a host)"
		} else {
			total += len(files[name])
		}
		fmt.Printf("%9d  %s%s\n", len(files[name]), name, note)
	}
	fmt.Printf("%9d  bytes are transferred when the page is opened\n", total)
	if total > largestPage {
		return fmt.Errorf("opening the page transfers %d bytes: at most %d are allowed; what in the program is new and large?", total,
			largestPage)
	}
	return nil
}

// buildPage returns the files of the page of a checkout, by name.
func buildPage(root string, compress func([]byte) []byte) (map[string][]byte, error) {
	module, err := buildEngine(root)
	if err != nil {
		return nil, err
	}
	goroot, err := checkout.Go(root, nil, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	support, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, err
	}
	files, err := web.Page("wasm")
	if err != nil {
		return nil, err
	}
	maps.Copy(files, web.Engine(compress(module), support))
	files[noticesFile], err = notices(root)
	return files, err
}

// buildEngine returns the program as a WebAssembly module.
func buildEngine(root string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "tskgraph-web-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "tskgraph.wasm")
	args := []string{"build", "-mod=readonly", "-trimpath", "-buildvcs=false", "-tags=", "-asmflags=", "-race=false", "-cover=false",
		"-pgo=off", "-gcflags=all=-l"}
	for _, packages := range inlined {
		args = append(args, "-gcflags="+packages+"=")
	}
	if _, err := checkout.Go(root, inBrowser, append(args, "-ldflags=-s -w -buildid=", "-o", path, engine)...); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// notices returns the licence of tskgraph and those of what the page contains.
func notices(root string) ([]byte, error) {
	own, err := os.ReadFile(filepath.Join(root, "LICENSE"))
	if err != nil {
		return nil, err
	}
	modules, err := linked(root, engine, [][]string{inBrowser})
	if err != nil {
		return nil, err
	}
	modules = append(modules, workAt("fzstd", "0.1.1", filepath.Join(root, "web", "page", "fzstd")))
	return licencesOf(string(own)+"\n# Third-party licences\n\nThe page contains these modules and the standard library of Go.\n\n", modules)
}
