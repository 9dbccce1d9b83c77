package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/config"
)

// The module of the package is the one that the table of keys gives.
func TestSettingsFollowKeys(t *testing.T) {
	want, err := module(config.Schema())
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../python/tskgraph/_settings.py")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("python/tskgraph/_settings.py is out of date: run make template")
	}
}

// Each key that is listed by name exists.
func TestListedKeysExist(t *testing.T) {
	all, err := parametersOf(config.Schema())
	if err != nil {
		t.Fatal(err)
	}
	for _, keys := range [][]string{ofNumbers, ofClasses} {
		for _, key := range keys {
			if len(without(all, []string{key})) != len(all)-1 {
				t.Errorf("no parameter sets %s", key)
			}
		}
	}
	for _, key := range hidden {
		if _, own, _ := strings.Cut(key, "."); !bytes.Contains(config.Schema(), []byte(`"`+own+`": {`)) {
			t.Errorf("no key %s", key)
		}
	}
}

// Two keys must not give one parameter.
func TestNamesClash(t *testing.T) {
	schema := `{"properties": {"data": {"properties": {"rules": {"type": "integer", "description": "a"}}}, "model": {"properties": {"rules": {"type": "integer", "description": "b"}}}}}`
	if _, err := parametersOf([]byte(schema)); err == nil || !strings.Contains(err.Error(), "model.rules") {
		t.Errorf("error %v, want one about model.rules", err)
	}
}
