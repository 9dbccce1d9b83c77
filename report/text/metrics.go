package text

import (
	"io"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/internal/texttable"
	"github.com/tskgraph/tskgraph/internal/weighted"
	"github.com/tskgraph/tskgraph/model"
)

// WriteMetrics writes errors on a data set as a table.
func WriteMetrics(w io.Writer, e model.Metrics) error {
	var b strings.Builder
	t := texttable.New(&b, 0)
	t.Header(weighted.Samples(e.Weighted), "RMSE", "MAE", "R2", "uncovered points", "out of range", "limited")
	t.Append(strconv.Itoa(e.Samples), figure(e.RMSE), figure(e.MAE), r2(e.R2), strconv.Itoa(e.Uncovered), strconv.Itoa(e.OutOfRange), strconv.Itoa(e.Limited))
	if err := t.Render(); err != nil {
		return err
	}
	writeCounts(&b, 0, e.Uncovered, e.OutOfRange, e.Limited)
	_, err := io.WriteString(w, b.String())
	return err
}
