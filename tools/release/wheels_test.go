package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"debug/macho"
	"encoding/base64"
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/buildinfo"
)

// programFor returns a made-up program: for macOS 12.3 the header of one.
func programFor(p platform) []byte {
	if p.os != "darwin" {
		return []byte("program")
	}
	words := []uint32{macho.Magic64, uint32(macho.CpuArm64), 0, uint32(macho.TypeExec), 1, 24, 0, 0, // header: one command
		buildVersion, 24, 1, 12<<16 | 3<<8, 0, 0}
	var b []byte
	for _, w := range words {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}

// saved returns the only wheel of a platform, with a made-up program, as written to a new directory.
func saved(t *testing.T, target platform) (name string, content []byte) {
	t.Helper()
	p, err := readPackage("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := p.save(dir, target, programFor(target)); err != nil {
		t.Fatal(err)
	}
	found, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
	content, err = os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Base(found[0]), content
}

// unzipped returns the files of a wheel, and their modes.
func unzipped(t *testing.T, wheel []byte) (content map[string]string, modes map[string]fs.FileMode) {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(wheel), int64(len(wheel)))
	if err != nil {
		t.Fatal(err)
	}
	content, modes = map[string]string{}, map[string]fs.FileMode{}
	for _, f := range archive.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if _, twice := content[f.Name]; twice {
			t.Errorf("%s is in the wheel twice", f.Name)
		}
		content[f.Name], modes[f.Name] = string(text), f.Mode()
	}
	return content, modes
}

// TestWheels checks the files of the wheel of every platform: names, modes, tags, RECORD, and that it is reproducible.
func TestWheels(t *testing.T) {
	for _, platform := range platforms {
		name, packed := saved(t, platform)
		if _, again := saved(t, platform); !bytes.Equal(packed, again) {
			t.Errorf("%s: packed twice, the bytes differ", name)
		}
		files, modes := unzipped(t, packed)
		program := "tskgraph/bin/" + platform.program()
		if files[program] != string(programFor(platform)) || modes[program] != 0o755 {
			t.Errorf("%s: %s holds %q, mode %v", name, program, files[program], modes[program])
		}
		dir := "tskgraph-" + version(t) + ".dist-info/"
		for _, want := range []string{"tskgraph/_version.py", "tskgraph/__main__.py", dir + "METADATA", dir + "WHEEL", dir + "RECORD", dir +
			"entry_points.txt", dir + "licenses/LICENSE", dir + "licenses/THIRD_PARTY.md"} {
			if files[want] == "" {
				t.Errorf("%s has no %s", name, want)
			}
		}
		for file := range files {
			if strings.Contains(file, "__pycache__") || strings.HasPrefix(file, "tests/") {
				t.Errorf("%s has %s", name, file)
			}
		}
		checkRecord(t, files, dir+"RECORD")
		checkTags(t, name, files[dir+"WHEEL"])
		if platform.os == "darwin" && !strings.Contains(name, "-macosx_12_3_") {
			t.Errorf("%s is not for macOS 12.3", name)
		}
	}
}

// checkRecord checks the names, hashes and sizes of RECORD.
func checkRecord(t *testing.T, files map[string]string, record string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(files[record])).ReadAll()
	if err != nil || len(rows) != len(files) {
		t.Fatalf("%d rows of %d files, %v", len(rows), len(files), err)
	}
	for _, row := range rows {
		content, found := files[row[0]]
		sum := sha256.Sum256([]byte(content))
		want := []string{row[0], "sha256=" + base64.RawURLEncoding.EncodeToString(sum[:]), fmt.Sprint(len(content))}
		if row[0] == record {
			want = []string{record, "", ""}
		}
		if !found || fmt.Sprint(row) != fmt.Sprint(want) {
			t.Errorf("RECORD has %v, want %v", row, want)
		}
	}
}

// checkTags checks that WHEEL lists the tags in the name of the file.
func checkTags(t *testing.T, name, description string) {
	t.Helper()
	parts := strings.Split(strings.TrimSuffix(name, ".whl"), "-")
	if len(parts) != 5 || parts[1] != version(t) || parts[2] != "py3" || parts[3] != "none" {
		t.Fatalf("%s is not NAME-VERSION-py3-none-PLATFORM.whl", name)
	}
	for _, tag := range strings.Split(parts[4], ".") {
		if !strings.Contains(description, "\nTag: py3-none-"+tag+"\n") ||
			!regexp.MustCompile(`^[a-z0-9_]+_(x86_64|aarch64|arm64|amd64)$`).MatchString(tag) {
			t.Errorf("%s: tag %s; WHEEL: %s", name, tag, description)
		}
	}
	if !strings.Contains(description, "Root-Is-Purelib: false\n") {
		t.Error(description)
	}
}

func version(t *testing.T) string {
	t.Helper()
	v, err := pythonVersion(buildinfo.Version)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestVersion checks that the package has the version of the command, and how Python writes versions.
func TestVersion(t *testing.T) {
	text, err := os.ReadFile("../../python/tskgraph/_version.py")
	if err != nil || !strings.Contains(string(text), fmt.Sprintf("__version__ = %q\n", buildinfo.Version)) {
		t.Errorf("_version.py does not have version %q: %s, %v", buildinfo.Version, text, err)
	}
	for version, want := range map[string]string{"1.2.3": "1.2.3", "0.1.0-dev": "0.1.0.dev0", "1.0.0-rc.2": "1.0.0rc2", "1.0": "",
		"1.2.3-beta": "", "v1.2.3": ""} {
		if got, err := pythonVersion(version); got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", version, got, err)
		}
	}
}

// TestMetadata checks the fields of METADATA.
func TestMetadata(t *testing.T) {
	p := &project{Name: "tskgraph", Description: "Models", License: "MIT", LicenseFiles: []string{"LICENSE", "THIRD_PARTY.md"},
		Authors: []person{{Name: "Authors"}, {Name: "Ada", Email: "ada@example.org"}}, Keywords: []string{"fuzzy systems", "TSK"},
		RequiresPython: ">=3.9",
		Dependencies:   []string{"numpy>=1.21"}, Classifiers: []string{"Typing :: Typed"}, URLs: map[string]string{"Source": "https://example.org"},
		Optional: map[string][]string{"sklearn": {"scikit-learn>=1.2"}, "plots": {"matplotlib>=3.5"}},
		Scripts:  map[string]string{"tskgraph": "tskgraph.__main__:main"}}
	want := `Metadata-Version: 2.4
Name: tskgraph
Version: 1.0.0
Summary: Models
Author: Authors
Author-email: Ada <ada@example.org>
License-Expression: MIT
License-File: LICENSE
License-File: THIRD_PARTY.md
Keywords: fuzzy systems,TSK
Classifier: Typing :: Typed
Project-URL: Source, https://example.org
Requires-Python: >=3.9
Requires-Dist: numpy>=1.21
Provides-Extra: plots
Requires-Dist: matplotlib>=3.5; extra == "plots"
Provides-Extra: sklearn
Requires-Dist: scikit-learn>=1.2; extra == "sklearn"
Description-Content-Type: text/markdown

# tskgraph
`
	if got := p.metadata("1.0.0", "# tskgraph\n"); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := p.entryPoints(); got != "[console_scripts]\ntskgraph = tskgraph.__main__:main\n" {
		t.Error(got)
	}
}

// TestReadProject checks that a pyproject.toml with less or more than wheels contain is refused, with its name.
func TestReadProject(t *testing.T) {
	whole, err := os.ReadFile("../../python/pyproject.toml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ from, to, want string }{
		{"", "", ""},
		{"[project]\n", "[project]\nmaintainers = []\n", "project: "},
		{"license = ", "licence = ", "project: "},
		{`name = "tskgraph"`, `name = "Tsk-graph"`, "name, "},
		{"[project]", "[project", "pyproject.toml: toml"},
	} {
		dir := t.TempDir()
		changed := strings.Replace(string(whole), c.from, c.to, 1)
		if err := os.WriteFile(filepath.Join(dir, "pyproject.toml"), []byte(changed), 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := readProject(dir)
		if c.want == "" && (err != nil || p.Scripts["tskgraph"] == "") {
			t.Errorf("%+v, %v", p, err)
		}
		if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), dir)) {
			t.Errorf("%s for %s: %v", c.to, c.from, err)
		}
	}
}

// TestModules checks that only the files of the package are packed, in order, and that links are refused.
func TestModules(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"p/b.py", "p/a.py", "p/py.typed", "p/__pycache__/a.cpython-311.pyc", "p/a.py~", "p/bin/program",
		"p/sub/c.css"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, err := modules(dir, "p")
	var names []string
	for _, f := range files {
		names = append(names, f.name)
	}
	if got := strings.Join(names, " "); err != nil || got != "p/a.py p/b.py p/py.typed p/sub/c.css" {
		t.Errorf("%s, %v", got, err)
	}
	if err := os.Symlink("a.py", filepath.Join(dir, "p", "link.py")); err != nil {
		t.Skip(err)
	}
	if _, err := modules(dir, "p"); err == nil || !strings.Contains(err.Error(), "link.py") {
		t.Errorf("a link: %v", err)
	}
}
