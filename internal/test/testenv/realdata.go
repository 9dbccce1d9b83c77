package testenv

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Data returns the directory that TSKGRAPH_DATA names. If it is not set, Dir skips the
// test, or fails it under CI=true.
func Data(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("TSKGRAPH_DATA")
	switch {
	case dir != "":
	case os.Getenv("CI") == "true":
		t.Fatal("TSKGRAPH_DATA is not set: name the directory of the real data sets")
	default:
		t.Skip("TSKGRAPH_DATA is not set")
	}
	return dir
}

// Splits returns the fixed splits of a data set: for each split the rows (from 0) of
// the training and of the test part, ascending. The file splits/<name>.txt has a line
// per row with a digit per split, 1 for the test part.
func Splits(t testing.TB, name string) (train, test [][]int) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(Data(t), "splits", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	for row, digits := range strings.Fields(string(text)) {
		for k, digit := range digits {
			if k == len(train) {
				train, test = append(train, nil), append(test, nil)
			}
			if digit == '1' {
				test[k] = append(test[k], row)
			} else {
				train[k] = append(train[k], row)
			}
		}
	}
	return train, test
}

// Reference returns the test RMSE of another method (boosting, forest or ols) on each of
// these splits, from reference.json.
func Reference(t testing.TB, name, method string) []float64 {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(Data(t), "reference.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]map[string][]float64
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all[name][method]
}

// Table is a data set of an accuracy benchmark.
type Table struct {
	File    string   `json:"file"` // its name without .csv, which names its splits and references, too
	Target  string   `json:"target"`
	Ignore  []string `json:"ignore"`  // columns that are not features
	Missing string   `json:"missing"` // the treatment of missing cells: data.missing

	Categorical map[string]string `json:"categorical"` // encodings of columns, onehot or ordinal; other columns are inferred
}

// Tables returns the data sets that list.json in the directory lists; nil without that file.
func Tables(t testing.TB) []Table {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(Data(t), "list.json"))
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
