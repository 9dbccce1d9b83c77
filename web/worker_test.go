package web

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/browser"
)

// workerPage opens a page with a function that sends messages to a worker that runs testdata/program.js, and memfs.
func workerPage(t *testing.T) *browser.Page {
	t.Helper()
	dir := t.TempDir()
	page := `<!DOCTYPE html><meta charset="utf-8"><title>worker</title><script src="worker.js"></script><script>` + source("memfs.js") +
		read(t, "calls.js") + `</script>`
	files := Engine(nil, []byte(read(t, "program.js")))
	files["index.html"] = []byte(page)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return browser.Open(t, filepath.Join(dir, "index.html"))
}

// TestWorker calls a program in a worker, which ends in several ways: each time the calls fail with the reason, and the next one starts it
// again with the same files.
func TestWorker(t *testing.T) {
	p := workerPage(t)
	p.Run(read(t, "worker.js"))
	p.Await(`Array.isArray(globalThis.said)`)
	var said []string
	p.Evaluate(`said`, &said)
	outcome := `{"of": "config /tables/a.csv", "split": 3, "loss": 1e-07}`
	want := []string{
		"a.csv", `{"a":1}`, "before",
		"data: no column y", "failed: tskgraph ended: panic: boom",
		"failed: the browser has no more memory for this table; leave out columns or rows, or install tskgraph and run: tskgraph workbench",
		"failed: tskgraph ended: Uncaught RangeError: too deep", "/tables/a.csv", "stopped",
		outcome + " | tskgraph ended: panic: trial", outcome + " |  | " + outcome, "a | ac | b",
		"/tables/a.csv | /runs/r/model.json", "3",
	}
	if got := strings.Join(said, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

// TestMemoryFiles calls the file system as syscall of Go does, and compares what is given to the callbacks.
func TestMemoryFiles(t *testing.T) {
	p := workerPage(t)
	for _, c := range []struct{ statements, want string }{
		{`fs.mkdir("/d", 0o777, done); fs.mkdir("/d", 0o777, done); fs.mkdir("/no/d", 0o777, done); fs.stat("/d/../d/.", done)`,
			"ok EEXIST ENOENT directory"},
		{`fs.open("/d/f", rw | O_CREAT | O_EXCL, 0o644, done); fs.write(last, bytes("hello"), 0, 5, null, done); ` +
			`fs.write(last, bytes("J"), 0, 1, 0, done); fs.read(last, buffer, 0, 9, 1, done); fs.close(last, done); ` +
			`text("/d/f")`, "fd 5 1 4 ok Jello"},
		{`fs.open("/d/f", O_RDWR | O_CREAT | O_EXCL, 0, done); fs.open("/d/g", O_RDWR, 0, done); fs.open("/d/f/g", rw, 0, done); ` +
			`fs.open("/d", rw, 0, done); fs.open("/d/f", O_DIRECTORY, 0, done)`, "EEXIST ENOENT ENOTDIR EISDIR ENOTDIR"},
		{`fs.open("/d/f", O_WRONLY | O_APPEND, 0, done); fs.write(last, bytes("!!"), 0, 2, null, done); fs.ftruncate(last, 6, done); ` +
			`fs.ftruncate(last, 8, done); fs.fsync(last, done); fs.close(last, done); fs.close(last, done); ` +
			`text("/d/f")`, "fd 2 ok ok ok ok EBADF Jello!\x00\x00"},
		{`fs.open("/d/f", 0, 0, done); fs.write(last, bytes("x"), 0, 1, null, done); fs.read(last, buffer, 0, 3, null, done); ` +
			`fs.read(last, buffer, 0, 99, null, done); fs.read(last, buffer, 0, 9, null, done)`, "fd EBADF 3 5 0"},
		{`fs.open("/d/new", rw | O_CREAT, 0o600, done); fs.rename("/d/new", "/d/f", done); fs.write(last, bytes("new"), 0, 3, null, done); ` +
			`text("/d/f"); fs.readdir("/d", done); fs.fchmod(last, 0o640, done); fs.lstat("/d/f", done)`, "fd ok 3 new f ok 640:3"},
		{`fs.unlink("/d", done); fs.rmdir("/d/f", done); fs.rmdir("/d", done); fs.rename("/d", "/d/e", done); fs.unlink("/d/f", done); ` +
			`fs.read(last, buffer, 0, 9, 0, done); fs.rmdir("/d", done); fs.stat("/d", done); ` +
			`fs.unlink("/d", done)`, "EISDIR ENOTDIR ENOTEMPTY EINVAL ok 3 ok ENOENT ENOENT"},
		{`fs.symlink("a", "/b", done); fs.readlink("/", done); fs.open("", 0, 0, done); fs.rmdir("/", done)`, "ENOSYS EINVAL fd EEXIST"},
	} {
		var got string
		p.Evaluate(`(() => {
			const said = [], fs = memfs.fs, { O_RDWR, O_WRONLY, O_CREAT, O_EXCL, O_APPEND, O_DIRECTORY } = fs.constants, rw = O_RDWR,
				buffer = new Uint8Array(99);
			const bytes = (s) => new TextEncoder().encode(s), text = (path) => said.push(new TextDecoder().decode(memfs.files(path)[path]));
			const kind = (v) => v === undefined ? "ok" : v > 100 ? (globalThis.last = v,
				"fd") : v.isDirectory?.() ? "directory" : v.mode ? (v.mode & 0o777).toString(8) + ":" + v.size : v;
			const done = (err, v) => said.push(err ? err.code : kind(v));
			`+c.statements+`;
			return said.join(" ");
		})()`, &got)
		if got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.statements, got, c.want)
		}
	}
}
