package main

import (
	"fmt"
	"strings"
	"time"
)

// table returns the durations of a job of 10 TB in Markdown.
func table(c costs, on cluster) string {
	const bytes = 10e12
	var b strings.Builder
	b.WriteString("\n| workers | start | work | storage | last shard | together | processor hours | waits for " +
		"|\n|---:|---:|---:|---:|---:|---:|---:|---|\n")
	for _, workers := range []float64{1, 10, 100, 1000} {
		d := lasts(c, on, bytes, workers)
		fmt.Fprintf(&b, "| %g | %s | %s | %s | %s | %s | %.0f | %s |\n", workers, words(d.start), words(d.work), words(d.read), words(d.tail),
			words(d.total()), workers*d.total()/3600, d.limit())
	}
	fmt.Fprintf(&b, "\nMeasured: %.1f MB of CSV per second and processor; %.1f ms for a shard; %.1f s for start and end of a job; a "+
		"model of %.0f kB.\n"+
		"Assumed: shards of %.0f MiB; %.0f MB/s between a worker and the storage, %.0f GB/s of the storage for all; the model leaves the "+
		"runner at %.0f MB/s;\n"+
		"the slowest worker takes %g times as long as others.\n\n",
		c.csv/1e6, c.shard*1e3, c.job, c.model/1e3, on.split/(1<<20), on.link/1e6, on.storage/1e9, on.sender/1e6, on.slow)
	return b.String()
}

// words returns a duration with two digits or so.
func words(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	switch {
	case seconds == 0:
		return "0"
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", seconds)
	case d < 2*time.Minute:
		return fmt.Sprintf("%.0f s", seconds)
	case d < 2*time.Hour:
		return fmt.Sprintf("%.0f min", seconds/60)
	case d < 48*time.Hour:
		return fmt.Sprintf("%.1f h", seconds/3600)
	}
	return fmt.Sprintf("%.1f days", seconds/86400)
}
