package cli

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/kernel"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// notRun maps parts of command lines in the guides to the reason why such lines are not run.
var notRun = map[string]string{
	"go test ./...":                    "runs this test",
	"TSKGRAPH_DATA=data ":              "takes hours, and data that are not in the repository",
	"TSKGRAPH_DATA=$PWD/data ":         "takes hours, and data that are not in the repository",
	"tskgraph experiment --data data ": "takes hours, and data that are not in the repository",
	"cc -std=c99 ":                     "needs a C compiler",
	"tskgraph workbench":               "serves until it is interrupted",
	"runs/heating < ":                  "needs a C compiler",
	"python3 docs/classification/":     "needs scikit-learn, and downloads the tables",
}

// otherModule is the guide to tskgraph-beam, whose commands the tests of the module beam run.
const otherModule = "cluster.md"

// guides are README.md and the pages of docs.
func guides(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob("../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	return append(pages, "../README.md")
}

// TestGuides runs the guides: in a copy of the repository, every block with a
// file's name is written, and every command of a block of sh is run, in order. A
// line that begins with "! " must fail. The lines of a block of output must be among
// those that the last block of sh printed, in this order. README.md is always run, under
// CI=true with a sixth of the guides that add no Go files, by make matrix with all: TestExtend builds such files under CI=true.
func TestGuides(t *testing.T) {
	if testenv.Race {
		t.Skip("too slow with the race detector")
	}
	run := map[string][]testenv.GuideBlock{}
	var docs []string
	for _, page := range guides(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		blocks := testenv.GuideBlocks(string(text))
		if filepath.Base(page) == otherModule || !slices.ContainsFunc(blocks, func(b testenv.GuideBlock) bool { return b.Language == "sh" }) {
			continue
		}
		run[page] = blocks
		builds := slices.ContainsFunc(blocks, func(b testenv.GuideBlock) bool { return b.Language == "go" && b.Name != "" })
		if filepath.Base(page) != "README.md" && (!builds || testenv.AllCases()) {
			docs = append(docs, page)
		}
	}
	for _, page := range append(testenv.Draw(docs, len(docs)+1, 6, len(docs)), "../README.md") {
		blocks := run[page]
		t.Run(filepath.Base(page), func(t *testing.T) {
			t.Parallel()
			dir := runGuide(t, blocks)
			if filepath.Base(page) == "README.md" {
				setUpAgain(t, dir, blocks)
			}
		})
	}
}

// setUpAgain runs the two commands of a fresh checkout in a copy of the repository in which README.md was run: the first, and of the second
// what loads all packages and their tests.
func setUpAgain(t *testing.T, dir string, blocks []testenv.GuideBlock) {
	t.Helper()
	const train, test = "go run ./cmd/tskgraph train --config config.yaml", "go test ./..."
	for _, command := range []string{train, test} {
		if !slices.ContainsFunc(blocks, func(b testenv.GuideBlock) bool { return b.Language == "sh" && strings.Contains(b.Text, command) }) {
			t.Errorf("README.md has no %q", command)
		}
	}
	if testenv.Cases(0, 1) == 0 {
		t.Log("not run, without CI=true: the commands of the set-up in the copy")
		return
	}
	for _, line := range []string{train + " --quiet", "go list -test ./..."} {
		if _, err := testenv.RunGuide(dir, line); err != nil {
			t.Error(err)
		}
	}
}

// runGuide runs one guide in a copy of the repository of its own, and returns its directory. Nothing outside
// [testenv.Scratch] may change, apart from Go files that the guide adds to the repository.
func runGuide(t *testing.T, blocks []testenv.GuideBlock) string {
	t.Helper()
	dir := t.TempDir()
	if err := testenv.CopyRepository("..", dir); err != nil {
		t.Fatal(err)
	}
	printed, added := "", overlay{}
	var named []string
	for _, block := range blocks {
		language, name, body := block.Language, block.Name, block.Text
		switch {
		case name != "":
			write(t, filepath.Join(dir, name), body)
			if language == "go" {
				named = append(named, name)
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
				if command, ok := strings.CutPrefix(line, "go run ./cmd/"); ok && len(added) == 0 {
					line = command // the test's own program
				}
				more, err := testenv.RunGuide(dir, added.built(t, line))
				if err != nil {
					t.Error(err)
				}
				printed += more
			}
		}
	}
	strays, err := testenv.Strays("..", dir)
	if err != nil {
		t.Error(err)
	}
	for _, stray := range strays {
		if !slices.Contains(named, stray) {
			t.Errorf("the guide writes or changes %s, outside of %s", stray, testenv.Scratch)
		}
	}
	return dir
}

// overlay maps the paths of files that a guide adds to the repository to where they are. Programs are built with it in
// the repository, whose packages are already compiled.
type overlay map[string]string

func (o overlay) add(t *testing.T, file, name string) {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", name))
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
	build.Dir = ".."
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
	for _, page := range guides(t) {
		text, err := os.ReadFile(page)
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
	if line := testenv.FirstMissing(block, printed); line != "" {
		t.Errorf("quoted, but not printed (here): %s\nprinted:\n%s", line, printed)
	}
}

// link matches the targets of a page's links.
var link = regexp.MustCompile(`\]\(([^)#]+)(#[^)]*)?\)`)

// TestLinks follows the links of the pages into the repository.
func TestLinks(t *testing.T) {
	for _, page := range append(guides(t), "../CONTRIBUTING.md", "../CHANGELOG.md", "../SECURITY.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range link.FindAllStringSubmatch(testenv.GuideProse(string(text)), -1) {
			if strings.Contains(match[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), match[1])); err != nil {
				t.Errorf("%s: %v", filepath.Base(page), err)
			}
		}
	}
}

// TestExtend runs the tests of testdata/extend, a module of its own, which adds a shape, a loss, a solver and a normalisation,
// verifies them, and trains, saves and loads with them, by Main and as a library. Its modules are those of the repository.
func TestExtend(t *testing.T) {
	testenv.OnlyCI(t)
	dir := t.TempDir()
	for from, to := range map[string]string{"../testdata/extend/go.mod": "go.mod", "../go.sum": "go.sum"} {
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, to), string(text))
	}
	test := exec.Command("go", "test", "-mod=mod", "-modfile="+filepath.Join(dir, "go.mod"), "./...")
	test.Dir, test.Env = "../testdata/extend", append(os.Environ(), "GOPROXY=off")
	if out, err := test.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
