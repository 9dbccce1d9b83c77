package runs

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/internal/train/baseline"
	"github.com/tskgraph/tskgraph/model"
)

// PriceOf says what the page of the run in a directory errs beside the baselines, on the rows of the summary's verdict, and beside the
// rules of the latest run in the same root that has no page, the same targets and the same test rows. It returns nil without a page and
// without a verdict. Runs whose files are damaged are left out: others may keep their own there.
func PriceOf(dir string, m *model.Model, s *report.Summary) (*words.Price, error) {
	if s.Verdict == nil || s.Readability == nil || s.Readability.Page == nil {
		return nil, nil
	}
	v, names, p := s.Verdict, baseline.NamesOf(m), &words.Price{}
	var beside []string
	say := func(other *float64, name string) {
		if other != nil && *other > 0 {
			beside = append(beside, words.Than(v.Model / *other)+" "+name)
		}
	}
	say(v.Linear, names.Linear)
	say(&v.Constant, "the "+names.Short)
	other, run, err := withoutPage(dir, s)
	if err != nil {
		return nil, err
	}
	if other != nil {
		p.Run = run
		say(testError(other), RulesOf(other, run))
	}
	if len(beside) > 0 {
		last := len(beside) - 1
		text := strings.Join(beside[:last], ", ")
		if last > 0 {
			text += " and "
		}
		p.Lines = append(p.Lines, fmt.Sprintf("On %s %s %s%s.", v.Part, s.Readability.Page.Subject(), text, beside[last]))
	}
	if _, err := os.Stat(filepath.Join(dir, "test.csv")); err == nil && other == nil {
		p.Lines = append(p.Lines,
			"To see what rules without a page err on these rows, train with preset: robust; show and report then compare them.")
	}
	return p, nil
}

// ReadPriced reads the summary of the run in a directory, whose model is m, with the price of its page beside the runs that are there now;
// nil if there is none.
func ReadPriced(dir string, m *model.Model) (*report.Summary, error) {
	s, err := ReadSummary(dir)
	if s == nil || err != nil || s.Readability == nil || s.Readability.Page == nil {
		return s, err
	}
	s.Readability.Page.Price, err = PriceOf(dir, m, s)
	return s, err
}

// RulesOf names the rules of a run without a page.
func RulesOf(s *report.Summary, run string) string {
	text := fmt.Sprintf("the %d rules of %s", s.Rules, run)
	if s.Readability.Remark() != "" {
		text += ", which cannot be read one by one"
	}
	return text
}

// testError returns the figure that models of the task are compared by on the test part; nil without one.
func testError(s *report.Summary) *float64 {
	m, _ := model.MeasureOf(s.Metric)
	return s.Figures[m.Key+"_test"]
}

// withoutPage returns the summary and the name of the latest run beside a directory that has no page, and whose test part has the same
// rows and targets; nil if there is none.
func withoutPage(dir string, of *report.Summary) (*report.Summary, string, error) {
	if of.SamplesTest == 0 {
		return nil, "", nil
	}
	root := filepath.Dir(filepath.Clean(dir))
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil, "", err
	}
	latest := map[string]fs.FileInfo{} // summaries
	var names []string
	for _, e := range entries {
		info, err := os.Lstat(filepath.Join(root, e.Name(), SummaryFile))
		if err == nil && e.IsDir() && e.Name() != filepath.Base(dir) {
			latest[e.Name()], names = info, append(names, e.Name())
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(latest[b].ModTime().Compare(latest[a].ModTime()), strings.Compare(b, a))
	})
	for _, name := range names {
		s, err := ReadSummary(filepath.Join(root, name))
		if err != nil || s.Readability == nil || s.Readability.Page != nil || s.SamplesTest != of.SamplesTest || s.Metric != of.Metric ||
			!slices.Equal(targetsOf(s), targetsOf(of)) || testError(s) == nil {
			continue
		}
		if same, err := SameTest(dir, filepath.Join(root, name)); same && err == nil {
			return s, name, nil
		}
	}
	return nil, "", nil
}

// targetsOf returns the targets of a run.
func targetsOf(s *report.Summary) []string {
	all := []string{s.Target}
	for _, t := range s.Targets {
		all = append(all, t.Target)
	}
	return all
}

// SameTest reports whether the test parts of the runs in two directories are the same rows.
func SameTest(a, b string) (same bool, err error) {
	var files [2]*os.File
	for i, dir := range []string{a, b} {
		if files[i], err = safefile.OpenInside(filepath.Join(dir, "test.csv")); errors.Is(err, fs.ErrNotExist) {
			return false, nil
		} else if err != nil {
			return false, err
		}
		defer files[i].Close()
	}
	var blocks [2][1 << 16]byte
	for {
		var n [2]int
		for i, f := range files {
			if n[i], err = io.ReadFull(f, blocks[i][:]); err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
				return false, err
			}
		}
		switch {
		case !bytes.Equal(blocks[0][:n[0]], blocks[1][:n[1]]):
			return false, nil
		case n[0] < len(blocks[0]):
			return true, nil
		}
	}
}
