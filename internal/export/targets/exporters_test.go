package targets_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/export"
	_ "github.com/tskgraph/tskgraph/internal/export/targets"
	"github.com/tskgraph/tskgraph/model"
)

// TestMarker checks that files beside the one that a user names can be replaced, however long the names in them are.
func TestMarker(t *testing.T) {
	m, err := model.Load("../../../model/testdata/model.json")
	if err != nil {
		t.Fatal(err)
	}
	m.Schema.Target = strings.Repeat("y", 1000)
	form, err := export.New(m)
	if err != nil {
		t.Fatal(err)
	}
	beside := 0
	for _, target := range export.Targets() {
		result, err := target.Write(form, export.Options{Stem: "m", Table: "t", Key: "k"})
		if err != nil {
			t.Fatalf("%s: %v", target.Name(), err)
		}
		for _, f := range result.Files[1:] {
			if beside++; !bytes.Contains(f.Data[:min(len(f.Data), 1024)], []byte(export.Marker)) {
				t.Errorf("%s: %s begins with %s", target.Name(), f.Name, f.Data[:100])
			}
		}
	}
	if beside < 4 {
		t.Errorf("%d files", beside)
	}
}
