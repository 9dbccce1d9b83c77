package main

import (
	"math"
	"os"
	"strings"
	"testing"
)

// TestPage checks that docs/cluster.md has the present table.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/cluster.md")
	if err != nil {
		t.Fatal(err)
	}
	now, err := replaced(page)
	if err != nil {
		t.Fatal(err)
	}
	if string(now) != string(page) {
		t.Error("the table is stale: run `go -C beam run ./internal/costs ../docs/cluster.md`")
	}
}

// TestReplaced checks what is around the table, and a page without one.
func TestReplaced(t *testing.T) {
	page, err := replaced([]byte("a\n" + begins + "old\n" + ends + "z\n"))
	if err != nil || !strings.HasPrefix(string(page), "a\n"+begins+"\n| workers |") || !strings.HasSuffix(string(page), ends+"z\n") {
		t.Errorf("%q, %v", page, err)
	}
	if _, err := replaced([]byte("a\n" + begins)); err == nil {
		t.Error("no error")
	}
}

// TestLasts computes by hand: 10 shards of 100 bytes at 50 bytes per second and one second more each, on 4 workers.
func TestLasts(t *testing.T) {
	c := costs{csv: 50, shard: 1, job: 7, model: 20}
	on := cluster{split: 100, link: 25, storage: 1000, sender: 10, slow: 3}
	d := lasts(c, on, 1000, 4)
	want := duration{start: 7 + 4*20/10, work: 3 * 3, read: 10, tail: 2 * 3}
	if d != want || d.total() != 31 || d.limit() != "storage" {
		t.Errorf("%+v: %v, %s", d, d.total(), d.limit())
	}
	on.link = math.Inf(1)
	if d := lasts(c, on, 1000, 4); d.limit() != "start and last shards" {
		t.Errorf("%+v: %s", d, d.limit())
	}
	if d := lasts(c, on, 1000, 1); d.limit() != "processors" || d.work != 30 || d.tail != 0 {
		t.Errorf("%+v: %s", d, d.limit())
	}
}

// TestWords checks units.
func TestWords(t *testing.T) {
	for seconds, want := range map[float64]string{0: "0", 0.25: "0.2 s", 12: "12 s", 600: "10 min", 3 * 3600: "3.0 h", 86400 * 3: "3.0 days"} {
		if got := words(seconds); got != want {
			t.Errorf("%v: %q, not %q", seconds, got, want)
		}
	}
}
