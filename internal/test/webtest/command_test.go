package webtest

import (
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// ran runs a command line of tskgraph that trains in a directory, and returns the model.
func ran(t *testing.T, program, dir, line string) []byte {
	t.Helper()
	again := t.TempDir()
	cmd := exec.Command("sh", "-ec", line)
	cmd.Dir = dir
	cmd.Env = append(environment(), "PATH="+filepath.Dir(program)+string(os.PathListSeparator)+os.Getenv("PATH"), "TSKGRAPH_OUTPUT_DIR="+again)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", line, err, out)
	}
	models, err := filepath.Glob(filepath.Join(again, "*", "model.json"))
	if err != nil || len(models) != 1 {
		t.Fatalf("%s: %d models, %v", line, len(models), err)
	}
	text, err := os.ReadFile(models[0])
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// environment returns the environment without the variables of tests, which the command takes for keys of its configuration.
func environment() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "TSKGRAPH_") })
}

// content returns what a model file has, without its checksum and the versions of what trained it, as JSON with sorted keys.
func content(t *testing.T, text []byte) []byte {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	delete(m, "checksum")
	of, _ := m["content"].(map[string]any)
	training, _ := of["training"].(map[string]any)
	delete(training, "versions")
	sorted, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return sorted
}

// difference returns where the contents of two model files begin to differ; nothing if they are the same.
func difference(a, b []byte) string {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	if i == len(a) && i == len(b) {
		return ""
	}
	from := max(0, i-100)
	return fmt.Sprintf("%.200s, not %.200s", a[from:], b[from:])
}

func TestDifference(t *testing.T) {
	one := content(t, []byte(`{"a": [1, 2000], "c": null, "checksum": "1", "content": {"training": {"versions": {"arch": "wasm"}}}}`))
	for other, same := range map[string]bool{` {"c": null, "a": [1.0, 2e3], "content": {"training": {"versions": {}}}}`: true,
		`{"a": [1, 2002], "c": null, "content": {"training": {}}}`: false, `{"a": [1], "c": null, "content": {"training": {}}}`: false,
		`{"a": [1, 2000], "content": {"training": {}}}`: false} {
		if got := difference(one, content(t, []byte(other))); (got == "") != same {
			t.Errorf("%s: %q", other, got)
		}
	}
}

var updateModels = flag.Bool("update-models", false,
	"train with the command without assembly, and write the hashes of its models to testdata/models.tsv")

// modelsFile has the hashes of models that the command without assembly trains as the page in the browser does.
var modelsFile = filepath.Join("testdata", "models.tsv")

// hash returns a hash of the content of a model file.
func hash(t *testing.T, text []byte) string {
	t.Helper()
	return fmt.Sprintf("%x", sha256.Sum256(content(t, text)))[:32]
}

// recorded returns the hashes by the names of tables.
func recorded(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(modelsFile)
	if err != nil {
		t.Fatal(err)
	}
	hashes := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, hash, _ := strings.Cut(strings.TrimSpace(line), "\t")
		hashes[name] = hash
	}
	return hashes
}

// record writes the hash of a table.
func record(t *testing.T, name, hash string) {
	t.Helper()
	hashes := recorded(t)
	hashes[name] = hash
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(hashes)) {
		fmt.Fprintf(&b, "%s\t%s\n", name, hashes[name])
	}
	if err := os.WriteFile(modelsFile, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}
