package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/membership"
)

// TestPlotShapes: one figure per shape is drawn, and each is in the documentation.
func TestPlotShapes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "figures")
	stdout := tskgraphRun(t, "plot", "shapes", "--out", dir) + "\n"
	guide, err := os.ReadFile("../docs/shapes.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range membership.Names() {
		path := filepath.Join(dir, name+".svg")
		if svg, err := os.ReadFile(path); err != nil || !bytes.Contains(svg, []byte("<svg")) || !strings.Contains(stdout, path+"\n") {
			t.Errorf("%s: %v; printed %q", path, err, stdout)
		}
		if _, err := os.Stat("../docs/shapes/" + name + ".svg"); err != nil {
			t.Errorf("run go run ./cmd/tskgraph plot shapes --out docs/shapes: %v", err)
		}
		if !bytes.Contains(guide, []byte("(shapes/"+name+".svg)")) || !bytes.Contains(guide, []byte("`"+name+"`")) {
			t.Errorf("docs/shapes.md says nothing about %s", name)
		}
	}
}

func TestPlotShapesRefuses(t *testing.T) {
	for _, args := range [][]string{{"plot", "shapes"}, {"plot", "shapes", "--out", t.TempDir(), "--format", "gif"},
		{"plot", "shapes", "extra"}} {
		if code, stderr := ran(t.Context(), args...); code != message.ExitUsage || !strings.HasPrefix(stderr, "tskgraph: ") {
			t.Errorf("%v: exit code %d, %q", args, code, stderr)
		}
	}
}
