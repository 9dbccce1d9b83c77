package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/cpu"

	"github.com/tskgraph/tskgraph/internal/racedetector"
)

// trainings are the settings of the models that TestBuildsAgree trains, by name. Principal
// components and model.init=genfis are missing: they use a singular value decomposition
// whose last bits depend on the build.
var trainings = map[string]string{
	"paper":            "preset=paper data.builtin=friedman1",
	"paper, trapezoid": "preset=paper data.builtin=friedman1 model.membership=trapezoid prune.rounds=2",
	"robust":           "data.builtin=friedman1 train.race_splits=1",
	"robust, sinc":     "data.builtin=sinc train.race_splits=1 model.membership=dsigmoid",
	"committee":        "data.builtin=friedman1 train.members=2 data.calibration=0.2 train.race_splits=1",
	"k-means":          "preset=paper model.init=kmeans model.membership=gbell train.optimizer=rmsprop",
	"least squares":    "preset=paper model.consequents=least-squares model.rules=5 train.batch=0 train.droprule=1 train.optimizer=adam train.schedule=cosine",
	"autodiff":         "preset=paper model.engine=autodiff model.membership=cauchy train.optimizer=sgd train.learning_rate=0.001",
	"formula":          `preset=paper model.membership={"name":"bump","expr":"(1+tanh(4-((x-c)/s)^2))/2","params":{"c":{"init":"center"},"s":{"init":"spread"}}}`,
}

// TestBuildsAgree checks that programs built for any amd64 processor and for processors
// with fused multiply-add train the same models and predict the same values, bit for bit.
func TestBuildsAgree(t *testing.T) {
	if os.Getenv("CI") != "true" || racedetector.Enabled {
		t.Skip("builds all packages for GOAMD64=v3, which takes minutes: set CI=true, without the race detector")
	}
	if runtime.GOARCH != "amd64" || !cpu.X86.HasAVX2 || !cpu.X86.HasFMA || !cpu.X86.HasBMI2 {
		t.Skip("needs a processor for GOAMD64=v3")
	}
	dir := t.TempDir()
	var programs []string
	for _, level := range []string{"v1", "v3"} {
		program := filepath.Join(dir, level)
		build := exec.Command("go", "build", "-tags", "nodatabases", "-o", program, "../../cmd/tskgraph")
		build.Env = append(os.Environ(), "GOAMD64="+level)
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		programs = append(programs, program)
	}
	for name, settings := range trainings {
		t.Run(name, func(t *testing.T) {
			v1, v3 := trainedBy(t, programs[0], settings), trainedBy(t, programs[1], settings)
			for _, file := range []string{"model.json", "metrics.jsonl", "predictions.csv"} {
				if !bytes.Equal(v1[file], v3[file]) {
					t.Errorf("%s differs", file)
				}
			}
		})
	}
}

// trainedBy trains a model, predicts its test part, and returns the files by name.
func trainedBy(t *testing.T, program, settings string) map[string][]byte {
	t.Helper()
	dir := t.TempDir()
	args := []string{"train", "--quiet", "--set", "output.dir=" + dir, "--set", "train.iterations=150"}
	for _, s := range strings.Fields(settings) {
		args = append(args, "--set", s)
	}
	run := func(args ...string) {
		if out, err := exec.Command(program, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	run(args...)
	runs, err := filepath.Glob(filepath.Join(dir, "*", "model.json"))
	if err != nil || len(runs) != 1 {
		t.Fatalf("%v, %v", runs, err)
	}
	path := filepath.Dir(runs[0])
	run("predict", "--model", path, "--data", filepath.Join(path, "test.csv"), "--out", filepath.Join(path, "predictions.csv"))
	files := map[string][]byte{}
	for _, name := range []string{"model.json", "metrics.jsonl", "predictions.csv"} {
		if files[name], err = os.ReadFile(filepath.Join(path, name)); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// TestCompiledWithoutFusing searches the machine code of the module's packages for fused
// multiply-add instructions, on targets that have them.
func TestCompiledWithoutFusing(t *testing.T) {
	if os.Getenv("CI") != "true" || racedetector.Enabled {
		t.Skip("builds all packages for other processors, which takes minutes: set CI=true, without the race detector")
	}
	fused := regexp.MustCompile(`\(([^()]*)\)\s+(VFN?M(ADD|SUB)|FN?M(ADD|SUB))`)
	for _, target := range []string{"GOARCH=amd64 GOAMD64=v3", "GOARCH=arm64"} {
		build := exec.Command("go", "build", "-gcflags=github.com/tskgraph/tskgraph/...=-S", "../..", "../../tune", "../../study")
		build.Env = append(os.Environ(), append(strings.Fields(target), "CGO_ENABLED=0")...)
		out, err := build.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v", target, err)
		}
		if !bytes.Contains(out, []byte("STEXT")) {
			t.Fatalf("%s: the compiler shows no machine code:\n%.200s", target, out)
		}
		for _, m := range fused.FindAllSubmatch(out, -1) {
			t.Errorf("%s: %s: %s: round the product: float64(x*y)", target, m[1], m[2])
		}
	}
}
