package cli

import (
	"encoding/json"
	"math"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/report/dossier"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// TestDossierCommands runs each command that a dossier names, in the directory of the run, and looks for the figures of the item in what it
// prints: rounded as in the dossier.
func TestDossierCommands(t *testing.T) {
	home := t.TempDir()
	t.Chdir(home)
	dir := strings.TrimSpace(tskgraphRun(t, "train", "--set", "data.builtin=friedman1", "--set", "preset=paper", "--set", "model.rules=3",
		"--set", "data.calibration=0.2", "--set", "data.validation=0.1", "--set", "train.iterations=50", "--set", "output.dir="+home, "--json"))
	var made struct {
		Dir string `json:"run_dir"`
	}
	testenv.OK(t, json.Unmarshal([]byte(dir), &made))
	t.Chdir(made.Dir)
	tskgraphRun(t, "certify", ".", "--budget", "1s")
	tskgraphRun(t, "dossier", ".", "--seeds", "2")
	var d dossier.Document
	testenv.OK(t, json.Unmarshal([]byte(tskgraphRun(t, "dossier", ".", "--json")), &d))
	outputs, seen := map[string]string{}, 0
	for _, s := range d.Sections[1:] {
		for _, i := range s.Items {
			if i.Command == "" || s.Number == 10 {
				continue
			}
			printed, ran := outputs[i.Command]
			if !ran {
				printed = runLine(t, i.Command)
				outputs[i.Command] = printed
			}
			text := i.Text
			for _, row := range i.Rows {
				text += "\n" + strings.Join(row, "\n")
			}
			for _, known := range []string{"at least 30 rows", "fewer than 30 rows", "section 9", "section 7"} { // no figures of the run
				text = strings.ReplaceAll(text, known, "")
			}
			for _, figure := range numbers.FindAllString(text, -1) {
				if seen++; !prints(printed, figure) {
					t.Errorf("%s: %s does not print %s", i.Place, i.Command, figure)
				}
			}
		}
	}
	if seen < 200 || len(outputs) < 10 {
		t.Errorf("only %d figures of %d commands", seen, len(outputs))
	}
}

// runLine runs a command of a dossier.
func runLine(t *testing.T, line string) string {
	t.Helper()
	words := strings.Fields(line)
	if words[0] == "tskgraph" {
		return tskgraphRun(t, words[1:]...)
	}
	out, err := exec.Command(words[0], words[1:]...).Output()
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return string(out)
}

var numbers = regexp.MustCompile(`[0-9a-f]{64}|-?\b\d+(\.\d+)?(e[-+]?\d+)?%?`)

// prints reports whether an output has a figure, or a number with more digits, or a share that is a figure in percent.
func prints(printed, figure string) bool {
	if strings.Contains(printed, figure) {
		return true
	}
	digits, percent := strings.CutSuffix(figure, "%")
	want, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return false
	}
	_, fraction, _ := strings.Cut(digits, ".")
	half := 0.501 * math.Pow10(-len(fraction))
	for _, text := range numbers.FindAllString(printed, -1) {
		v, err := strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64)
		if err == nil && (math.Abs(v-want) <= half || percent && math.Abs(100*v-want) <= half) {
			return true
		}
	}
	return false
}
