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

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/tools/checkout"
)

// trainings are the settings of the models that TestBuildsAgree trains, by name. Principal
// components and model.init=genfis are missing: they use a singular value decomposition
// whose last bits depend on the build.
var trainings = map[string]string{
	"paper":            "preset=paper data.builtin=friedman1",
	"paper, trapezoid": "preset=paper data.builtin=friedman1 model.membership=trapezoid prune.rounds=2",
	"readable":         "preset=readable data.builtin=friedman1",
	"robust":           "data.builtin=friedman1 train.race_splits=1",
	"robust, sinc":     "data.builtin=sinc train.race_splits=1 model.membership=dsigmoid",
	"committee":        "data.builtin=friedman1 train.members=2 data.calibration=0.2 train.race_splits=1",
	"k-means":          "preset=paper model.init=kmeans model.membership=gbell train.optimizer=rmsprop",
	"least squares": "preset=paper model.consequents=least-squares model.rules=5 train.batch=0 train.droprule=1 train.optimizer=adam " +
		"train.schedule=cosine",
	"autodiff": "preset=paper model.engine=autodiff model.membership=cauchy train.optimizer=sgd train.learning_rate=0.001",
	"formula": `preset=paper formula={"name":"bump","expr":"(1+tanh(4-((x-c)/s)^2))/2",` +
		`"params":[{"name":"c","init":"center"},{"name":"s","init":"spread"}]}`,
}

// fused matches a fused multiply-add in the compiler's listing, after the position of its source.
var fused = regexp.MustCompile(`\(([^()]*)\)\s+(VFN?M(?:ADD|SUB))`)

// TestBuildsAgree checks that programs built for any amd64 processor and for processors with fused multiply-add, which rounds once
// where a product and a sum round twice, train the same models and predict the same values, bit for bit. No such instruction is in
// what the compiler writes for our packages: an explicit conversion, float64(x*y) + z, prevents it.
func TestBuildsAgree(t *testing.T) {
	if !testenv.AllCases() {
		t.Skip("compiles everything again for GOAMD64=v3: make matrix")
	}
	if runtime.GOARCH != "amd64" || !cpu.X86.HasAVX2 || !cpu.X86.HasFMA || !cpu.X86.HasBMI2 {
		t.Skip("needs a processor for GOAMD64=v3")
	}
	v1, v3 := filepath.Join(t.TempDir(), "v1"), filepath.Join(t.TempDir(), "v3")
	if _, err := checkout.Go("", []string{"GOAMD64=v1"}, "build", "-o", v1, "."); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-gcflags=github.com/tskgraph/tskgraph/...=-S", "-o", v3, ".")
	build.Env = append(os.Environ(), "GOAMD64=v3")
	listing, err := build.CombinedOutput()
	if err != nil || !bytes.Contains(listing, []byte("STEXT")) {
		t.Fatalf("no machine code: %v: %.200s", err, listing)
	}
	for _, m := range fused.FindAllSubmatch(listing, -1) {
		t.Errorf("%s: %s: round the product: float64(x*y)", m[1], m[2])
	}
	for name, settings := range trainings {
		t.Run(name, func(t *testing.T) {
			one, other := trainedBy(t, v1, settings), trainedBy(t, v3, settings)
			for _, file := range files {
				if !bytes.Equal(one[file], other[file]) {
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
		if err != nil || len(text) < 100 && string(text) != "null" { // a page has no iterations
			t.Fatalf("%s: %s: %v: %s", settings, name, err, text)
		}
		texts[name] = text
	}
	return texts
}
