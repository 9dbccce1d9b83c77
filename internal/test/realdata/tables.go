package realdata

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Table is a data set of an accuracy benchmark.
type Table struct {
	File    string   `json:"file"` // its name without .csv, which names its splits and references, too
	Target  string   `json:"target"`
	Ignore  []string `json:"ignore"`  // columns that are not features
	Missing string   `json:"missing"` // the treatment of missing cells: data.missing

	Categorical map[string]string `json:"categorical"` // encodings of columns, onehot or ordinal; other columns are inferred
}

// Listed returns the data sets that list.json in the directory lists; nil without that file.
func Listed(t testing.TB) []Table {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(Dir(t), "list.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var tables []Table
	if err == nil {
		err = json.Unmarshal(text, &tables)
	}
	if err != nil {
		t.Fatal(err)
	}
	return tables
}
