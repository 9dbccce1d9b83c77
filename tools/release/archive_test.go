package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/internal/base/buildinfo"
)

// TestCitation checks that CITATION.cff has the required fields, the version and the paper.
func TestCitation(t *testing.T) {
	text, err := os.ReadFile("../../CITATION.cff")
	if err != nil {
		t.Fatal(err)
	}
	type work struct {
		Title   string
		Type    string
		Authors []map[string]string
	}
	var c struct {
		work       `yaml:",inline"`
		Format     string `yaml:"cff-version"`
		Message    string
		Version    string
		References []work
	}
	if err := yaml.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	if c.Format != "1.2.0" || c.Title != "tskgraph" || c.Message == "" || len(c.Authors) == 0 || c.Version != buildinfo.Version {
		t.Errorf("%+v; the version is %s", c, buildinfo.Version)
	}
	if len(c.References) != 1 || c.References[0].Authors[0]["family-names"] != "Wu" || c.References[0].Type != "article" {
		t.Errorf("references: %+v", c.References)
	}
}

// TestPack checks that archives contain the packed files and are reproducible.
func TestPack(t *testing.T) {
	files := []file{{"tskgraph", []byte("program"), 0o755}, {"LICENSE", []byte("text"), 0o644}}
	for _, p := range []platform{{"linux", "amd64"}, {"windows", "arm64"}} {
		packed, extension, err := pack(p, "tskgraph-1", files)
		if err != nil {
			t.Fatal(err)
		}
		again, _, err := pack(p, "tskgraph-1", files)
		if err != nil || !bytes.Equal(again, packed) {
			t.Errorf("%v: packed twice, the bytes differ, %v", p, err)
		}
		for name, content := range unpacked(t, extension, packed) {
			want, found := map[string]string{"tskgraph-1/tskgraph": "program", "tskgraph-1/LICENSE": "text"}[name]
			if !found || content != want {
				t.Errorf("%v: %s holds %q, want %q", p, name, content, want)
			}
		}
		if n := len(unpacked(t, extension, packed)); n != len(files) {
			t.Errorf("%v: %d files", p, n)
		}
	}
}

// unpacked returns the files of an archive.
func unpacked(t *testing.T, extension string, packed []byte) map[string]string {
	t.Helper()
	files := map[string]string{}
	read := func(name string, r io.Reader, err error) {
		content, readErr := io.ReadAll(r)
		if err != nil || readErr != nil {
			t.Fatal(err, readErr)
		}
		files[name] = string(content)
	}
	if extension == ".zip" {
		archive, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.File {
			r, err := f.Open()
			read(f.Name, r, err)
		}
		return files
	}
	plain, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	archive := tar.NewReader(plain)
	for {
		header, err := archive.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		read(header.Name, archive, nil)
	}
}

// TestWithoutTime checks that only the time stamp of an SBOM is removed.
func TestWithoutTime(t *testing.T) {
	out, err := withoutTime([]byte(`{"metadata": {"timestamp": "2026-01-01T00:00:00Z", "component": {"name": "tskgraph"}}, ` +
		`"components": [{"name": "gorgonia"}]}`))
	if err != nil || strings.Contains(string(out), "timestamp") || !strings.Contains(string(out), "gorgonia") ||
		!strings.Contains(string(out), `"name": "tskgraph"`) {
		t.Errorf("%s, %v", out, err)
	}
	if _, err := withoutTime([]byte("none")); err == nil {
		t.Error("a text that is not JSON was accepted as an SBOM")
	}
}
