package text

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/texttable"
	"github.com/tskgraph/tskgraph/internal/base/weighted"
	"github.com/tskgraph/tskgraph/model"
)

// WriteMetrics writes errors on a data set as a table.
func WriteMetrics(w io.Writer, e model.Metrics) error {
	var b strings.Builder
	header := slices.Concat([]string{weighted.Samples(e.Weighted)}, headings(e), []string{"uncovered points", "out of range", "limited"})
	row := slices.Concat([]string{strconv.Itoa(e.Samples)}, cells(e), []string{strconv.Itoa(e.Uncovered), strconv.Itoa(e.OutOfRange), strconv.Itoa(e.Limited)})
	t := texttable.New(&b, 0)
	t.Header(header)
	t.Append(row)
	if err := t.Render(); err != nil {
		return err
	}
	if len(e.Targets) > 0 {
		each := texttable.New(&b, 1)
		each.Header(append([]string{"target"}, headings(e)...))
		for _, of := range e.Targets {
			each.Append(append([]string{escape.Text(of.Target)}, cells(of)...))
		}
		if err := each.Render(); err != nil {
			return err
		}
		b.WriteString("RMSE and MAE of all targets together are in standard deviations\n")
	}
	b.WriteString(absentClasses("the table", e))
	writeCounts(&b, e, 0, e.Uncovered, e.OutOfRange, e.Limited)
	_, err := io.WriteString(w, b.String())
	return err
}
