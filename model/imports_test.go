package model

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// A program that only loads a model and predicts must stay small: it links neither
// Gorgonia nor packages for the terminal or configuration.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	const ours = "github.com/tskgraph/tskgraph/"
	allowed := []string{
		ours + "model", ours + "rules", ours + "membership", ours + "data", ours + "data/table", ours + "internal/base/suggest", ours + "internal/base/parallel", ours + "internal/base/weighted", ours + "internal/base/numeric", ours + "internal/base/exact", ours + "internal/base/escape", ours + "internal/base/digits", ours + "internal/base/scan", ours + "internal/data/buckets", ours + "interval",
		ours + "internal/base/safefile", ours + "internal/base/registry", ours + "loss", ours + "inference", ours + "penalty", ours + "internal/base/metric",
		ours + "internal/base/kernel", "golang.org/x/sys/cpu", // fast exponentials
	}
	paths := strings.Fields(string(out))
	if !slices.Contains(paths, ours+"rules") {
		t.Fatalf("go list gave %v", paths)
	}
	for _, path := range paths {
		// The formula parser is for shapes that are defined in a model file.
		if !slices.Contains(allowed, path) && !strings.HasPrefix(path, "github.com/expr-lang/expr/") {
			t.Errorf("model links %s", path)
		}
	}
}
