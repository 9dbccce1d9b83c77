package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	fast "github.com/klauspost/compress/zstd"
	"github.com/tskgraph/tskgraph/internal/test/browser"
	"github.com/tskgraph/tskgraph/tools/checkout"
	"github.com/tskgraph/tskgraph/tools/zstd"
)

// patience is for a machine with other work.
const patience = 30 * time.Second

// page builds the page once.
var page = sync.OnceValues(func() (map[string][]byte, error) { return buildPage("../..", zstd.Compress) })

// TestReproducible builds the page from this checkout and from a copy without version control, with other flags in the environment:
// both give the same bytes, without a path of this machine. Opening the page transfers at most largestPage.
func TestReproducible(t *testing.T) {
	files, err := page()
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	other := t.TempDir()
	copied(t, root, other)
	t.Setenv("GOFLAGS", "-tags=nodatabases -buildvcs=true")
	same := func(program []byte) []byte { return program }
	again, err := buildPage(other, same)
	if err != nil {
		t.Fatal(err)
	}
	r, err := fast.NewReader(bytes.NewReader(files["tskgraph.wasm.zst"]))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var program bytes.Buffer
	if _, err := program.ReadFrom(r); err != nil {
		t.Fatal(err)
	}
	for name := range files {
		before := files[name]
		switch name {
		case "tskgraph.wasm.zst":
			before = program.Bytes()
		case "tskgraph.wasm.js": // the same in other letters
			continue
		}
		if !bytes.Equal(before, again[name]) {
			t.Errorf("two builds differ in %s", name)
		}
	}
	modules, err := checkout.Go(root, nil, "env", "GOMODCACHE")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{root, strings.TrimSpace(string(modules)), other} {
		if bytes.Contains(program.Bytes(), []byte(path)) {
			t.Errorf("the program has the path %s", path)
		}
	}
	if !strings.Contains(string(files[noticesFile]), "gorgonia.org/gorgonia") || strings.Contains(string(files[noticesFile]), "see its text") {
		t.Error("licences are missing")
	}
	if err := savePage(files, filepath.Join(t.TempDir(), "dist")); err != nil {
		t.Error(err)
	}
}

// TestSaveRefusesLargePages checks that a page that grew is written, but refused.
func TestSaveRefusesLargePages(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dist")
	if err := savePage(map[string][]byte{"app.js": make([]byte, 10), idle[1]: make([]byte, largestPage+1)}, dir); err != nil {
		t.Error(err)
	}
	if err := savePage(map[string][]byte{"app.js": make([]byte, largestPage+1)}, dir); err == nil ||
		!strings.Contains(err.Error(), fmt.Sprintf("transfers %d bytes", largestPage+1)) {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "app.js")); err != nil {
		t.Error(err)
	}
}

// copied copies the sources of a checkout.
func copied(t *testing.T, from, to string) {
	t.Helper()
	without := []string{".git", "beam", "dist", "docs", "python", "runs", filepath.Join("web", "dist")}
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if slices.Contains(without, relative) || d.Name() == "testdata" {
				return fs.SkipDir
			}
			return os.MkdirAll(filepath.Join(to, relative), 0o755)
		}
		if !d.Type().IsRegular() || relative == ".git" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, relative), text, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestOpens checks that the page's program starts, from a static host and from the disk: the page lists the built-in tables, and shows
// no fault.
func TestOpens(t *testing.T) {
	files, err := page()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := savePage(files, dir); err != nil {
		t.Fatal(err)
	}
	host := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer host.Close()
	p := browser.Open(t, host.URL+"/")
	for _, address := range []string{host.URL + "/", filepath.Join(dir, "index.html")} {
		p.Go(address)
		if !p.AwaitFor(`document.body.textContent.includes("mackey-glass")`, patience) {
			var text string
			p.Evaluate(`document.body.innerText`, &text)
			t.Errorf("%s: %s", address, text)
		}
		for _, fault := range p.Faults() {
			if !strings.HasPrefix(fault, "request: file://") { // the page's own files
				t.Errorf("%s: %s", address, fault)
			}
		}
	}
}
