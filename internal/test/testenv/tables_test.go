package testenv

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

func TestListed(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TSKGRAPH_DATA", dir)
	if tables := Tables(t); tables != nil {
		t.Errorf("without list.json: %v", tables)
	}
	text := `[{"file": "mine", "target": "y", "ignore": ["id"], "missing": "mean", "categorical": {"size": "ordinal"}}, {"file": "b", ` +
		`"target": "z"}]`
	if err := os.WriteFile(filepath.Join(dir, "list.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	want := []Table{
		{File: "mine", Target: "y", Ignore: []string{"id"}, Missing: "mean", Categorical: map[string]string{"size": "ordinal"}},
		{File: "b", Target: "z"},
	}
	if got := Tables(t); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
