package webtest

import (
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var updateModels = flag.Bool("update-models", false,
	"train with the command without assembly, and write the hashes of its models to testdata/models.tsv")

// modelsFile has the hashes of models that the command without assembly trains as the page in the browser does.
var modelsFile = filepath.Join("testdata", "models.tsv")

// hash returns a hash of the content of a model file.
func hash(t *testing.T, text []byte) string {
	t.Helper()
	m, err := content(text)
	if err != nil {
		t.Fatal(err)
	}
	sorted, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(sorted))[:32]
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
