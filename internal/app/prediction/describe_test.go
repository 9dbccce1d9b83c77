package prediction

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/model"
)

// TestDescribedRows: rules are described on rows at equal distances of a table that has more than the limit, which keep
// their numbers.
func TestDescribedRows(t *testing.T) {
	m, err := model.Load("../../../model/testdata/model.json")
	if err != nil {
		t.Fatal(err)
	}
	columns := []string{m.Schema.Target}
	for _, c := range m.Schema.Columns {
		columns = append(columns, c.Name)
	}
	var b strings.Builder
	b.WriteString(strings.Join(columns, ",") + "\n")
	const rows = 6000
	for n := range rows {
		for range m.Schema.Columns {
			fmt.Fprintf(&b, "%g,", float64(n)/1000)
		}
		b.WriteString("1\n")
	}
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for how, want := range map[Saved]int{{}: rows, {Most: ExportedRows}: ExportedRows, {Most: 3}: 3, {Most: 3, Step: 10}: 3} {
		how.Table = path
		d, err := Describe(t.Context(), io.Discard, m, how)
		if err != nil {
			t.Fatal(err)
		}
		samples, last := 0, 0
		for _, r := range d.Rules {
			samples += r.Local.Samples
			if r.Local.Nearest != nil {
				last = max(last, r.Local.Nearest.Row)
			}
		}
		if samples != want || how.Most == 3 && last%(rows/3*max(1, how.Step)) != 1 {
			t.Errorf("%+v: %d rows, the nearest is row %d", how, samples, last)
		}
	}
}
