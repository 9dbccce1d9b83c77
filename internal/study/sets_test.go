package study

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// TestManifest compares the manifest with the paper's table of data sets (abalone has no feature sex here), and checks its sums: R0 minus
// the removed rules are the rules left, up to rounding.
func TestManifest(t *testing.T) {
	sets := Sets()
	if len(sets) != 10 {
		t.Fatalf("%d sets", len(sets))
	}
	samples, anfis := 0, 0
	for _, s := range sets {
		samples += s.Samples
		if s.ANFIS {
			anfis++
		}
		if s.Features != len(s.Columns)-1 || s.Target != s.Columns[len(s.Columns)-1] || s.File != s.Name+".csv" || len(s.SHA256) != 64 {
			t.Errorf("%s: %+v", s.Name, s)
		}
		if s.Rules != 1<<min(s.Features, 5) {
			t.Errorf("%s: R0 = %d", s.Name, s.Rules)
		}
		for shape, p := range s.Paper {
			before := float64(s.Rules)
			for i, left := range p.Rules {
				if math.Abs(before-p.RemovedByFiring[i]-p.RemovedBySimilarity[i]-left) > 0.16 {
					t.Errorf("%s, %s: round %d leaves %v of %v", s.Name, shape, i+1, left, before)
				}
				before = left
			}
		}
	}
	if samples != 70011 || anfis != 6 {
		t.Errorf("%d samples, %d sets for ANFIS", samples, anfis)
	}
}

func TestFind(t *testing.T) {
	sets, err := ChooseSets(Sets(), []string{"PowerPlant", "NO2", "no2"})
	if err != nil || len(sets) != 2 || sets[0].Name != "no2" || sets[1].Name != "powerplant" {
		t.Errorf("%v, %v", sets, err)
	}
	if _, err := ChooseSets(Sets(), []string{"wine-rad"}); err == nil || !strings.Contains(err.Error(), "did you mean wine-red?") {
		t.Errorf("error %v", err)
	}
	if all, err := FindAlgorithms(nil); err != nil || len(all) != len(Algorithms()) {
		t.Errorf("%d algorithms, %v", len(all), err)
	}
	if _, err := FindAlgorithms([]string{"SVM"}); err == nil || !strings.Contains(err.Error(), "vMBGD-RDA[R0->R]") {
		t.Errorf("error %v", err)
	}
}

// TestRealSets reads the data sets of the paper.
func TestRealSets(t *testing.T) {
	dir := testenv.Data(t)
	for _, s := range Sets() {
		d, err := s.Read(dir)
		if err != nil {
			t.Error(err)
			continue
		}
		if d.Len() != s.Samples || len(d.Schema.Features()) != s.Features {
			t.Errorf("%s: %d x %d", s.Name, d.Len(), len(d.Schema.Features()))
		}
	}
}

// TestDatasetsPage: docs/datasets.md has the names, hashes and columns of the manifest.
func TestDatasetsPage(t *testing.T) {
	content := testenv.Must(os.ReadFile("../../docs/datasets.md"))
	for _, s := range Sets() {
		for _, want := range []string{
			"\n" + s.SHA256 + "  " + s.File + "\n",
			"- **" + s.Name + "**: `" + strings.Join(s.Columns, "`, `") + "`\n",
			"| " + s.File + " | " + s.Title + " | ",
		} {
			if !strings.Contains(string(content), want) {
				t.Errorf("docs/datasets.md does not have %q", want)
			}
		}
	}
}

// TestOwnSets: a user's table is a set named after its file, with text as one-hot columns, and an error once the file has changed.
func TestOwnSets(t *testing.T) {
	path := filepath.Join(t.TempDir(), "..my table.csv")
	put(path, "a,kind,y\n1,red,2\n2,blue,3\n3,red,5\n")
	sets := testenv.Must(OwnSets([]string{path}, "", nil))
	if s := sets[0]; s.Name != "my_table" || s.Target != "y" || s.Samples != 3 || s.Features != 3 || s.Rules != 32 || !s.ANFIS {
		t.Errorf("%+v", s)
	}
	if d, err := sets[0].Read("elsewhere"); err != nil || d.Len() != 3 {
		t.Errorf("%v, %v", d, err)
	}
	put(path, "a,kind,y\n1,red,2\n2,blue,3\n3,red,6\n")
	var fault *data.Error
	if _, err := sets[0].Read(""); !errors.As(err, &fault) {
		t.Errorf("a changed table: %v", err)
	}
	if _, err := OwnSets([]string{path, path}, "", nil); err == nil {
		t.Error("two sets of one name are no error")
	}
	if s, err := OwnSets([]string{filepath.Join(t.TempDir(), "none.csv"), path}, "", []string{"my_table"}); err != nil || len(s) != 1 {
		t.Errorf("%+v, %v: a table that was not named was read", s, err)
	}
}
