package scoring

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/tskgraph/tskgraph/data"
)

// bounds are those of the times of requests, in seconds.
var bounds = []float64{0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10}

// metrics are what the server counts.
type metrics struct {
	routes      []routeMetrics
	current     atomic.Int64
	connections atomic.Int64
	reloads     [2]atomic.Int64 // that succeeded, that failed
}

// routeMetrics are the requests of an address.
type routeMetrics struct {
	name    string
	codes   [600]atomic.Int64 // by status
	buckets [15]atomic.Int64  // by time: up to each of bounds, and above
	nanos   atomic.Int64
}

func (r *routeMetrics) add(status int, took time.Duration) {
	at := 0
	for at < len(bounds) && took.Seconds() > bounds[at] {
		at++
	}
	r.codes[min(max(status, 0), len(r.codes)-1)].Add(1)
	r.buckets[at].Add(1)
	r.nanos.Add(int64(took))
}

// counts are what is counted of the rows of a source.
type counts struct{ rows, outside, missing, limited, uncovered atomic.Int64 }

func (c *counts) add(s *scores, missing data.Missing) {
	c.rows.Add(int64(s.n))
	for _, of := range []struct {
		to *atomic.Int64
		n  int
	}{{&c.outside, s.p.OutOfRange}, {&c.missing, missing.Cells}, {&c.limited, s.p.Limited}, {&c.uncovered, s.p.Uncovered}} {
		if of.n > 0 {
			of.to.Add(int64(of.n))
		}
	}
	for page, rules := range s.decides {
		for _, r := range rules {
			if r >= 0 {
				s.m.decided[page][r].Add(1)
			}
		}
	}
}

// writeMetrics answers in the text format of Prometheus.
func (s *Server) writeMetrics(a *answer, _ *http.Request) error {
	var e exposition
	s.metrics.write(&e)
	all := *s.models.Load()
	for _, f := range []struct {
		name, help string
		of         func(c *counts) *atomic.Int64
	}{
		{"rows", "Rows predicted.", func(c *counts) *atomic.Int64 { return &c.rows }},
		{"rows_outside", "Rows with a cell outside the training range.", func(c *counts) *atomic.Int64 { return &c.outside }},
		{"cells_missing", "Missing cells.", func(c *counts) *atomic.Int64 { return &c.missing }},
		{"rows_limited", "Predictions clamped to the limits of the target.", func(c *counts) *atomic.Int64 { return &c.limited }},
		{"rows_uncovered", "Rows that no rule covers.", func(c *counts) *atomic.Int64 { return &c.uncovered }},
	} {
		e.family("tskgraph_"+f.name+"_total", "counter", f.help)
		for _, m := range all {
			e.sample("", float64(f.of(m.counts).Load()), "model", m.Name, "version", m.Version)
		}
	}
	e.family("tskgraph_decisions_total", "counter", "Rows by the rule that decides, since the model was loaded.")
	for _, m := range all {
		for page, rules := range m.decided {
			for r := range rules {
				e.sample("", float64(rules[r].Load()), "model", m.Name, "version", m.Version, "output", strconv.Itoa(page+1), "rule", strconv.Itoa(r+1))
			}
		}
	}
	e.writeDrift(all)
	e.family("tskgraph_model_info", "gauge", "The models that are served.")
	for _, m := range all {
		e.sample("", 1, "model", m.Name, "version", m.Version, "sha256", m.checksum)
	}
	e.family("tskgraph_model_loaded_timestamp_seconds", "gauge", "When each model was loaded.")
	for _, m := range all {
		e.sample("", float64(m.loaded.UnixMilli())/1000, "model", m.Name, "version", m.Version)
	}
	return a.send(http.StatusOK, "text/plain; version=0.0.4; charset=utf-8", e.Bytes())
}

// write writes what does not depend on a model.
func (m *metrics) write(e *exposition) {
	e.family("tskgraph_requests_total", "counter", "Requests by address and status.")
	for i := range m.routes {
		for code := range m.routes[i].codes {
			if n := m.routes[i].codes[code].Load(); n > 0 {
				e.sample("", float64(n), "path", m.routes[i].name, "code", strconv.Itoa(code))
			}
		}
	}
	e.family("tskgraph_request_duration_seconds", "histogram", "Time from the header of a request to the end of its answer.")
	for i := range m.routes {
		r, sum := &m.routes[i], int64(0)
		for b := range r.buckets {
			if sum += r.buckets[b].Load(); b < len(bounds) {
				e.sample("_bucket", float64(sum), "path", r.name, "le", strconv.FormatFloat(bounds[b], 'g', -1, 64))
			}
		}
		e.sample("_bucket", float64(sum), "path", r.name, "le", "+Inf")
		e.sample("_sum", time.Duration(r.nanos.Load()).Seconds(), "path", r.name)
		e.sample("_count", float64(sum), "path", r.name)
	}
	e.family("tskgraph_reloads_total", "counter", "Models loaded again.")
	e.sample("", float64(m.reloads[0].Load()), "result", "ok")
	e.sample("", float64(m.reloads[1].Load()), "result", "failed")
	for _, g := range []struct {
		name, help string
		value      float64
	}{
		{"tskgraph_requests_in_progress", "Requests that are being answered.", float64(m.current.Load())},
		{"tskgraph_connections", "Open connections.", float64(m.connections.Load())},
		{"go_goroutines", "Goroutines.", float64(runtime.NumGoroutine())},
		{"process_resident_memory_bytes", "Resident memory; 0 if it is not known.", residentMemory()},
	} {
		e.family(g.name, "gauge", g.help)
		e.sample("", g.value)
	}
}

// exposition is a text in the format of Prometheus.
type exposition struct {
	bytes.Buffer
	name string
}

func (e *exposition) family(name, kind, help string) {
	e.name = name
	fmt.Fprintf(e, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

// sample writes a sample with labels, names and values in turn.
func (e *exposition) sample(suffix string, value float64, labels ...string) {
	e.WriteString(e.name + suffix)
	for i := 0; i < len(labels); i += 2 {
		fmt.Fprintf(e, "%s%s=%q", "{,"[min(i, 1):][:1], labels[i], labels[i+1])
	}
	if labels != nil {
		e.WriteByte('}')
	}
	e.WriteString(" " + strconv.FormatFloat(value, 'g', -1, 64) + "\n")
}

// residentMemory returns the resident memory of the program on Linux.
func residentMemory() float64 {
	text, err := os.ReadFile("/proc/self/statm")
	if fields := strings.Fields(string(text)); err == nil && len(fields) > 1 {
		pages, _ := strconv.ParseFloat(fields[1], 64)
		return pages * float64(os.Getpagesize())
	}
	return 0
}
