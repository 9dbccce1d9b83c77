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

	"github.com/tskgraph/tskgraph/internal/test/racedetector"
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
	"formula":          `preset=paper formula={"name":"bump","expr":"(1+tanh(4-((x-c)/s)^2))/2","params":[{"name":"c","init":"center"},{"name":"s","init":"spread"}]}`,
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
	for _, flags := range [][]string{{"GOAMD64=v1"}, {"GOAMD64=v3", machineCode}} {
		program := filepath.Join(dir, flags[0])
		build(t, flags[0], append(flags[1:], "-o", program, "./testdata/trains")...)
		programs = append(programs, program)
	}
	for name, settings := range trainings {
		t.Run(name, func(t *testing.T) {
			v1, v3 := trainedBy(t, programs[0], settings), trainedBy(t, programs[1], settings)
			for _, file := range files {
				if !bytes.Equal(v1[file], v3[file]) {
					t.Errorf("%s differs", file)
				}
			}
		})
	}
}

// files are what a training writes.
var files = []string{"model.json", "metrics.json", "predictions.json"}

// trainedBy trains a model, predicts its test part, and returns the files by name.
func trainedBy(t *testing.T, program, settings string) map[string][]byte {
	t.Helper()
	train := exec.Command(program, append(strings.Fields(settings), "train.iterations=150")...)
	train.Dir = t.TempDir()
	if out, err := train.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", settings, err, out)
	}
	texts := map[string][]byte{}
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(train.Dir, name))
		if err != nil || len(text) < 100 {
			t.Fatalf("%s: %s: %v: %s", settings, name, err, text)
		}
		texts[name] = text
	}
	return texts
}

// TestCompiledWithoutFusing searches the machine code of the module's packages for fused
// multiply-add instructions, on targets that have them.
func TestCompiledWithoutFusing(t *testing.T) {
	if os.Getenv("CI") != "true" || racedetector.Enabled {
		t.Skip("builds all packages for other processors, which takes minutes: set CI=true, without the race detector")
	}
	fused := regexp.MustCompile(`\(([^()]*)\)\s+(VFN?M(ADD|SUB)|FN?M(ADD|SUB))`)
	for target, flags := range map[string][]string{
		"GOAMD64=v3":   {machineCode},
		"GOARCH=arm64": {"-gcflags=all=-N -l", machineCode}, // other modules as in make portable
	} {
		out := build(t, target, append(flags, "../..", "../../tune", "../../study")...)
		if !bytes.Contains(out, []byte("STEXT")) {
			t.Fatalf("%s: the compiler shows no machine code:\n%.200s", target, out)
		}
		for _, m := range fused.FindAllSubmatch(out, -1) {
			t.Errorf("%s: %s: %s: round the product: float64(x*y)", target, m[1], m[2])
		}
	}
}

// machineCode is a flag for the compiler to print the code of the module's packages. Both tests use it, so that they share what is
// compiled for GOAMD64=v3.
const machineCode = "-gcflags=github.com/tskgraph/tskgraph/...=-S"

// build runs go build for a processor and returns what it prints.
func build(t *testing.T, target string, arguments ...string) []byte {
	t.Helper()
	cmd := exec.Command("go", append([]string{"build"}, arguments...)...)
	cmd.Env = append(os.Environ(), target, "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", target, err, out)
	}
	return out
}
