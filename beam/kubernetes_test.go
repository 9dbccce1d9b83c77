package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// indexedJob is what the test needs of the guide's Job. The guide's file was decoded strictly as k8s.io/api/batch/v1.Job.
type indexedJob struct {
	Kind string
	Spec struct {
		CompletionMode   string `yaml:"completionMode"`
		PodFailurePolicy struct {
			Rules []struct {
				Action      string
				OnExitCodes struct{ Values []int } `yaml:"onExitCodes"`
			}
		} `yaml:"podFailurePolicy"`
		Template struct {
			Spec struct {
				RestartPolicy string `yaml:"restartPolicy"`
				Containers    []struct{ Command, Args []string }
			}
		}
	}
}

// TestKubernetes runs the container of the guide's indexed Job for two indexes, the first twice, and for one whose file is
// missing: its exit code must be one that fails the index at once.
func TestKubernetes(t *testing.T) {
	all := blocks(t)
	at := slices.IndexFunc(all, func(b testenv.GuideBlock) bool { return b.Name == "runs/job.yaml" })
	if at < 0 {
		t.Fatal("the guide has no job.yaml")
	}
	var job indexedJob
	if err := yaml.NewDecoder(strings.NewReader(all[at].Text)).Decode(&job); err != nil {
		t.Fatal(err)
	}
	pod := job.Spec.Template.Spec
	if job.Kind != "Job" || job.Spec.CompletionMode != "Indexed" || pod.RestartPolicy != "Never" || len(pod.Containers) != 1 ||
		len(job.Spec.PodFailurePolicy.Rules) != 2 {
		t.Fatalf("%+v", job)
	}
	dir, path := t.TempDir(), "PATH="+programs(t)+":"+os.Getenv("PATH")
	config := "preset: paper\ndata: {path: in/part-00000.csv, target: heating}\noutput: {dir: runs}\n"
	if err := os.WriteFile(filepath.Join(dir, "config.yaml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"mkdir in out", "cp '" + absolute(t, "../docs/heating.csv") + "' in/part-00000.csv", "cp in/part-00000.csv in/part-00001.csv",
		"tskgraph train --quiet --config config.yaml", "mv runs/* model",
		"tskgraph predict --quiet --model model --data in/part-00000.csv --out want.csv",
	} {
		if _, err := testenv.RunGuide(dir, line, path); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(filepath.Join(dir, "want.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for index, code := range []int{0, 0, 3} {
		for range 2 {
			command := append(slices.Clone(pod.Containers[0].Command), pod.Containers[0].Args...)
			cmd := exec.Command(command[0], command[1:]...)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), path, fmt.Sprint("JOB_COMPLETION_INDEX=", index))
			if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != code {
				t.Errorf("index %d: exit code %d, not %d\n%s", index, cmd.ProcessState.ExitCode(), code, out)
			}
		}
		got, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("out/part-%05d.csv", index)))
		if (code == 0) != (err == nil) || code == 0 && !bytes.Equal(got, want) {
			t.Errorf("index %d: %v, and %d bytes, not %d", index, err, len(got), len(want))
		}
	}
	if fails := job.Spec.PodFailurePolicy.Rules[1]; fails.Action != "FailIndex" || !slices.Contains(fails.OnExitCodes.Values, 3) {
		t.Errorf("%+v", fails)
	}
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}
