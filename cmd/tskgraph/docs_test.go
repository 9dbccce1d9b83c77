package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/kernel"
	"github.com/tskgraph/tskgraph/internal/racedetector"
	"github.com/tskgraph/tskgraph/internal/slow"
)

// fenced matches the code blocks of a Markdown file: the info string and the text.
var fenced = regexp.MustCompile("(?ms)^```(\\w+)([^\n]*)\n(.*?)^```")

// notRun maps parts of command lines in the guides to the reason why such lines are not run.
var notRun = map[string]string{
	"go test ./...":                    "runs this test",
	"TSKGRAPH_DATA=data ":              "takes hours, and data that are not in the repository",
	"tskgraph experiment --data data ": "takes hours, and data that are not in the repository",
	"cc -std=c99 ":                     "needs a C compiler",
	"./heating < ":                     "needs a C compiler",
	"python3 docs/classification/":     "needs scikit-learn, and downloads the tables",
}

// guides are README.md and the pages of docs.
func guides(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	return append(pages, "../../README.md")
}

// TestGuides runs the guides: in a copy of the repository, every block with a
// file's name is written, and every command of a block of sh is run, in order. A
// line that begins with "! " must fail. The lines of a block of output must be among
// those that the last block of sh printed, in this order. Lines that build a changed
// command run under CI=true only.
func TestGuides(t *testing.T) {
	if racedetector.Enabled {
		t.Skip("too slow with the race detector")
	}
	for _, guide := range guides(t) {
		text, err := os.ReadFile(guide)
		if err != nil {
			t.Fatal(err)
		}
		blocks := fenced.FindAllStringSubmatch(string(text), -1)
		if !slices.ContainsFunc(blocks, func(block []string) bool { return block[1] == "sh" }) {
			continue
		}
		t.Run(filepath.Base(guide), func(t *testing.T) {
			t.Parallel()
			runGuide(t, blocks)
		})
	}
}

// runGuide runs one guide in a copy of the repository of its own.
func runGuide(t *testing.T, blocks [][]string) {
	t.Helper()
	dir := t.TempDir()
	copyRepository(t, dir)
	printed, added := "", overlay{}
	for _, block := range blocks {
		language, name, body := block[1], strings.TrimSpace(block[2]), block[3]
		switch {
		case name != "":
			write(t, filepath.Join(dir, name), body)
			if language == "go" {
				added.add(t, filepath.Join(dir, name), name)
			}
		case language == "output":
			quotes(t, body, printed)
		case language == "sh":
			printed = ""
			for line := range strings.Lines(body) {
				line = strings.TrimSpace(line)
				if part := leftOut(line); part != "" {
					t.Logf("not run: %s: %s", line, notRun[part])
					continue
				}
				if command, ok := strings.CutPrefix(line, "go run ./cmd/"); ok {
					if len(added) == 0 {
						line = command // the test's own program
					} else if slow.Cases(0, 1) == 0 {
						t.Logf("not run, without CI=true: %s", line)
						continue
					}
				}
				printed += runLine(t, dir, added.built(t, line))
			}
		}
	}
}

// overlay maps the paths of files that a guide adds to the repository to where they are. Programs are built with it in
// the repository, whose packages are already compiled.
type overlay map[string]string

func (o overlay) add(t *testing.T, file, name string) {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("../..", name))
	if err != nil {
		t.Fatal(err)
	}
	o[path] = file
}

// goCommand matches the lines that compile a package of the repository.
var goCommand = regexp.MustCompile(`^go (run|test) (.*?)(\./\S+)(.*)$`)

// built builds the program or test of a line, and returns the line that runs it.
func (o overlay) built(t *testing.T, line string) string {
	t.Helper()
	m := goCommand.FindStringSubmatch(line)
	if m == nil || len(o) == 0 {
		return line
	}
	dir := t.TempDir()
	program, replace := filepath.Join(dir, "program"), filepath.Join(dir, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": o})
	if err != nil {
		t.Fatal(err)
	}
	write(t, replace, string(text))
	build := exec.Command("go", "build", "-overlay", replace, "-o", program, m[3])
	flags := m[2]
	if m[1] == "test" {
		build = exec.Command("go", "test", "-overlay", replace, "-c", "-o", program, m[3])
		flags = strings.Replace(flags, "-run ", "-test.run ", 1)
	}
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
	return program + " " + flags + m[4]
}

// leftOut returns the key of notRun that a line contains, if any.
func leftOut(line string) string {
	for part := range notRun {
		if strings.Contains(line, part) {
			return part
		}
	}
	return ""
}

// TestNotRun: every key of notRun is still in the guides.
func TestNotRun(t *testing.T) {
	var all strings.Builder
	for _, guide := range guides(t) {
		text, err := os.ReadFile(guide)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	for part := range notRun {
		if !strings.Contains(all.String(), part) {
			t.Errorf("no guide has %q, which notRun excludes", part)
		}
	}
}

// write writes a block to its file.
func write(t *testing.T, path, body string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
}

// quotes checks that the lines of a block are among the printed ones, in order.
// Digits are those of the kernel that the guides were written with.
func quotes(t *testing.T, block, printed string) {
	t.Helper()
	if kernel.Name() != "avx2" {
		return
	}
	if line := firstMissing(block, printed); line != "" {
		t.Errorf("quoted, but not printed (here): %s\nprinted:\n%s", line, printed)
	}
}

// firstMissing returns the first line of a block that the printed text lacks after the lines before it. It ignores spaces
// at the ends, empty lines and "...".
func firstMissing(block, printed string) string {
	rest := strings.Split(printed, "\n")
	for line := range strings.Lines(block) {
		line = strings.TrimSpace(line)
		if line == "" || line == "..." {
			continue
		}
		i := slices.IndexFunc(rest, func(other string) bool { return strings.TrimSpace(other) == line })
		if i < 0 {
			return line
		}
		rest = rest[i+1:]
	}
	return ""
}

// TestQuotes feeds wrong quotations.
func TestQuotes(t *testing.T) {
	printed := "one\n  two\nthree\n"
	for block, want := range map[string]string{
		"one\n...\nthree\n": "",
		"two\n\nthree\n":    "",
		"one\nfour\n":       "four",
		"two\none\n":        "one",
		"three\nthree\n":    "three",
		"thr\n":             "thr",
	} {
		if got := firstMissing(block, printed); got != want {
			t.Errorf("%q: %q is missing, not %q", block, got, want)
		}
	}
}

// link matches the targets of a page's links.
var link = regexp.MustCompile(`\]\(([^)#]+)(#[^)]*)?\)`)

// TestLinks follows the links of the pages into the repository.
func TestLinks(t *testing.T) {
	for _, guide := range append(guides(t), "../../CONTRIBUTING.md", "../../CHANGELOG.md", "../../SECURITY.md") {
		text, err := os.ReadFile(guide)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range link.FindAllStringSubmatch(fenced.ReplaceAllString(string(text), ""), -1) {
			if strings.Contains(match[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(guide), match[1])); err != nil {
				t.Errorf("%s: %v", filepath.Base(guide), err)
			}
		}
	}
}

// copyRepository copies the repository without hidden files and the directory runs.
func copyRepository(t *testing.T, to string) {
	t.Helper()
	root := os.DirFS("../..")
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || path == "runs"):
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, path), 0o777)
		case !d.Type().IsRegular():
			return nil
		}
		content, err := fs.ReadFile(root, path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, path), content, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// runLine runs one line of a guide by the shell, and returns what it prints.
func runLine(t *testing.T, dir, line string) string {
	t.Helper()
	command, mustFail := strings.CutPrefix(line, "! ")
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if (err != nil) != mustFail {
		t.Errorf("$ %s\n%v\n%s", line, err, out)
	}
	return string(out)
}
