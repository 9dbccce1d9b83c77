package cli

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/model"
)

// TestFiguresFromColumns: the columns of `predict --firing` give the figures that `evaluate` prints, of Gaussians, of which one is
// strongest in every row, and of trapezoids, some of which are equally strong or leave a row uncovered.
func TestFiguresFromColumns(t *testing.T) {
	testenv.SkipRace(t)
	for _, shape := range []string{"gaussian", "trapezoid"} {
		t.Run(shape, func(t *testing.T) {
			dir := t.TempDir()
			tskgraphRun(t, "train", "--set", "preset=paper", "--set", "output.dir="+dir, "--set", "data.builtin=friedman1", "--set",
				"model.membership="+shape,
				"--set", "model.rules=12", "--set", "train.iterations=300", "--set", "model.margin=0")
			run := filepath.Join(dir, "friedman1-"+shape+"-001")
			table, fired := filepath.Join(run, "test.csv"), filepath.Join(dir, "fired.csv")
			tskgraphRun(t, "predict", "--model", run, "--data", table, "--firing", "--out", fired)
			var printed struct {
				Readability words.Readability `json:"readability"`
			}
			if err := json.Unmarshal([]byte(tskgraphRun(t, "evaluate", "--model", run, "--data", table, "--json")), &printed); err != nil {
				t.Fatal(err)
			}
			m, err := model.Load(run)
			if err != nil {
				t.Fatal(err)
			}
			got, want := printed.Readability, figuresOf(t, readColumns(t, fired), m.RuleBase.Rules(), m.Target.Min, m.Target.Max)
			for _, c := range []struct {
				name      string
				got, want float64
			}{
				{"fidelity", *got.Fidelity, *want.Fidelity}, {"disagreement", *got.Disagreement, *want.Disagreement},
				{"idle", got.Idle, want.Idle}, {"out of range", got.OutOfRange, want.OutOfRange},
				{"uncovered", float64(got.Uncovered), float64(want.Uncovered)},
			} {
				if !(math.Abs(c.got-c.want) <= 1e-9*c.want) {
					t.Errorf("%s: printed %v, from the columns %v", c.name, c.got, c.want)
				}
			}
			if *want.Fidelity < 1.01 || *want.Disagreement < 0.01 {
				t.Errorf("a test of nothing: %+v", want)
			}
		})
	}
}

// readColumns returns the columns of a table of numbers by name.
func readColumns(t *testing.T, path string) map[string][]float64 {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	columns := map[string][]float64{}
	for _, record := range records[1:] {
		for i, cell := range record {
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				t.Fatal(err)
			}
			columns[records[0][i]] = append(columns[records[0][i]], v)
		}
	}
	return columns
}

// figuresOf computes the figures from the columns.
func figuresOf(t *testing.T, columns map[string][]float64, R int, low, high float64) model.Readability {
	y, p := columns["y"], columns["y_predicted"]
	fidelity, disagreement := 0.0, 0.0
	var result model.Readability
	var errors, alone, mean, squares float64
	decides := make([]bool, R)
	firing, says := make([]float64, R), make([]float64, R)
	for n := range y {
		mean += y[n] / float64(len(y))
		top, sum := 0.0, 0.0
		for k := range R {
			level, rule := columns["firing_"+strconv.Itoa(k+1)][n], columns["rule_"+strconv.Itoa(k+1)][n]
			top = max(top, level)
			sum += level * rule
			firing[k] += level
			says[k] += level * rule
			disagreement += level * (rule - p[n]) * (rule - p[n])
		}
		if top == 0 {
			result.Uncovered++
			continue
		}
		if d := max(low, min(high, sum)) - p[n]; math.Abs(d) > 1e-9 {
			t.Fatalf("row %d: the rules predict %v, the model %v", n, sum, p[n])
		}
		worst, strongest := 0.0, []int(nil)
		for k := range R {
			if columns["firing_"+strconv.Itoa(k+1)][n] >= top*(1-1e-9) {
				strongest = append(strongest, k)
				worst = max(worst, math.Abs(columns["rule_"+strconv.Itoa(k+1)][n]-y[n]))
			}
		}
		if len(strongest) == 1 {
			decides[strongest[0]] = true
		}
		errors += (p[n] - y[n]) * (p[n] - y[n])
		alone += worst * worst
	}
	for n := range y {
		squares += (y[n] - mean) * (y[n] - mean)
	}
	covered := float64(len(y) - result.Uncovered)
	fidelity = math.Sqrt(alone / errors)
	disagreement = math.Sqrt(disagreement/covered) / math.Sqrt(squares/float64(len(y)-1))
	for k := range R {
		if !decides[k] {
			result.Idle += 1 / float64(R)
		}
		if about := says[k] / firing[k]; about < low || about > high {
			result.OutOfRange += 1 / float64(R)
		}
	}
	result.Fidelity, result.Disagreement = &fidelity, &disagreement
	return result
}
