package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/racedetector"
)

// TestExtend runs the tests of testdata/extend, a module of its own, which adds a shape, a loss, a solver and a normalisation,
// verifies them, and trains, saves and loads with them, by Main and as a library. Its modules are those of the repository.
func TestExtend(t *testing.T) {
	racedetector.Skip(t)
	dir := t.TempDir()
	for from, to := range map[string]string{"../testdata/extend/go.mod": "go.mod", "../go.sum": "go.sum"} {
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, to), string(text))
	}
	test := exec.Command("go", "test", "-mod=mod", "-modfile="+filepath.Join(dir, "go.mod"), "./...")
	test.Dir, test.Env = "../testdata/extend", append(os.Environ(), "GOPROXY=off")
	if out, err := test.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
