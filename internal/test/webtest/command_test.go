package webtest

import (
	"encoding/json"
	"fmt"
	"math"
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

// content returns what a model file has, without its checksum and the versions of what trained it.
func content(text []byte) (map[string]any, error) {
	var m map[string]any
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, err
	}
	delete(m, "checksum")
	delete(within(m, "content", "training"), "versions")
	return m, nil
}

// distance returns the largest difference of the numbers of two model files, relative to those above one. What else
// differs is an error, but for checksums and versions.
func distance(a, b []byte) (float64, error) {
	x, err := content(a)
	if err != nil {
		return 0, err
	}
	y, err := content(b)
	if err != nil {
		return 0, err
	}
	return apart(x, y, "model")
}

// within returns an object in nested ones; nil if there is none.
func within(m map[string]any, keys ...string) map[string]any {
	for _, key := range keys {
		m, _ = m[key].(map[string]any)
	}
	return m
}

// apart returns the largest difference of the numbers in two values.
func apart(a, b any, at string) (most float64, err error) {
	switch x := a.(type) {
	case float64:
		if y, ok := b.(float64); ok {
			return math.Abs(x-y) / math.Max(1, math.Abs(y)), nil
		}
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			break
		}
		for i := range x {
			gap, err := apart(x[i], y[i], fmt.Sprintf("%s[%d]", at, i))
			if most = max(most, gap); err != nil {
				return most, err
			}
		}
		return most, nil
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			break
		}
		for key := range x {
			gap, err := apart(x[key], y[key], at+"."+key)
			if most = max(most, gap); err != nil {
				return most, err
			}
		}
		return most, nil
	default:
		if a == b {
			return 0, nil
		}
	}
	return most, fmt.Errorf("%s: %v, not %v", at, a, b)
}

func TestDistance(t *testing.T) {
	const one = `{"a": [1, 2000], "b": "x", "c": null, "checksum": "1", "content": {"training": {"versions": {"arch": "wasm"}}}}`
	for other, want := range map[string]float64{one: 0,
		` {"c": null, "a": [0.5, 2000], "b": "x", "content": {"training": {"versions": {}}}}`: 0.5,
		`{"a": [1, 2002], "b": "x", "c": null, "content": {"training": {}}}`:                  2. / 2002} {
		if got, err := distance([]byte(one), []byte(other)); err != nil || got != want {
			t.Errorf("%s: %g, %v, want %g", other, got, err, want)
		}
	}
	for _, other := range []string{`{"a": [1, 2000], "b": "y", "c": null}`, `{"a": [1], "b": "x", "c": null}`, `{"a": [1, 2000], "b": "x"}`,
		`{"a": [1, "2000"], "b": "x", "c": null}`, `{`} {
		if _, err := distance([]byte(one), []byte(other)); err == nil {
			t.Errorf("%s: no error", other)
		}
	}
}
