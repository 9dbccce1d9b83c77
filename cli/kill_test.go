package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/app/search"
	"github.com/tskgraph/tskgraph/internal/test/racedetector"
)

// TestTuneAfterKill: a search that is killed twice continues where it stopped and ends as an undisturbed one.
func TestTuneAfterKill(t *testing.T) {
	if racedetector.Enabled {
		t.Skip("starts many programs, too slow with the race detector")
	}
	dir := t.TempDir()
	tune := func(out string) *exec.Cmd {
		cmd := exec.Command("tskgraph", "tune", "--trials", "9", "--out", filepath.Join(dir, out),
			"--set", "data.builtin=friedman1", "--set", "tune.rules=4,8", "--set", "tune.iterations=300,400")
		cmd.Stderr = os.Stderr
		return cmd
	}
	trials := func() []string {
		files, err := filepath.Glob(filepath.Join(dir, "killed", "trials", "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	if err := tune("whole").Run(); err != nil {
		t.Fatal(err)
	}
	for kills, enough := 0, 2; kills < 2; kills, enough = kills+1, enough+3 {
		cmd := tune("killed")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		for len(trials()) < enough {
			select {
			case err := <-ended:
				t.Fatalf("the search ended before it was killed: %v", err)
			case <-time.After(time.Millisecond):
			}
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		<-ended
	}
	if _, err := os.Stat(filepath.Join(dir, "killed", search.TriedFile)); err == nil {
		t.Fatal("the search had ended before it was killed")
	}
	if err := tune("killed").Run(); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{search.TriedFile, runs.ConfigFile} {
		got, err := os.ReadFile(filepath.Join(dir, "killed", file))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join(dir, "whole", file))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s after kills:\n%s\nundisturbed:\n%s", file, got, want)
		}
	}
}
