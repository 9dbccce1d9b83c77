package words

import (
	"context"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/explain/readable"
	"github.com/tskgraph/tskgraph/membership"
)

// TestWordingIsWhatIsPrinted: the parts of a wording are those of the text, in its order.
func TestWordingIsWhatIsPrinted(t *testing.T) {
	m, d := wordModel(t, membership.Gaussian{}, 4)
	ask(m, 1, 0, 20, 10)
	ask(m, 3, 0, 90, 10)
	described, err := ModelOn(m, d)
	if err != nil {
		t.Fatal(err)
	}
	if described.Readability, err = readable.Measure(context.Background(), m, readable.Part{}, readable.Part{Name: "the table", Dataset: d}); err != nil {
		t.Fatal(err)
	}
	w := Worded(described).Wording
	var printed strings.Builder
	if err := described.WriteWords(&printed); err != nil {
		t.Fatal(err)
	}
	if w.Text != printed.String() {
		t.Errorf("%s\nwant\n%s", w.Text, printed.String())
	}
	if len(w.Rules) != 3 || len(w.Rules[2].Numbers) != 2 || w.Rules[2].Always != "ALWAYS" || w.Rules[0].If[0] == "" {
		t.Errorf("%+v", w.Rules)
	}
	parts := []string{w.Introduction, w.Remark}
	for _, r := range w.Rules {
		parts = append(parts, r.Text)
		for _, part := range append(append([]string{r.Name + ": " + r.Activity + "\n", r.Then.Small}, r.If...), r.Seen...) {
			if !strings.Contains(r.Text, part) {
				t.Errorf("no %q in\n%s", part, r.Text)
			}
		}
	}
	rest := w.Text
	for _, part := range append(append(parts, w.Measures), append(w.Readability, w.Legend)...) {
		_, after, found := strings.Cut(rest, part)
		if !found {
			t.Errorf("no %q in\n%s", part, rest)
		}
		rest = after
	}
}
