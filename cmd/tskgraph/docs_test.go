package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/race"
)

// fenced finds the blocks of a Markdown file: the words after the fence, and the
// text.
var fenced = regexp.MustCompile("(?ms)^```(\\w+)([^\n]*)\n(.*?)^```")

// TestGuides runs the guides: in a copy of the repository, every block with a
// file's name is written, and every command of a block of sh is run, in order. A
// line that begins with "! " must fail.
func TestGuides(t *testing.T) {
	if race.Enabled {
		t.Skip("builds programs of its own, without the race detector")
	}
	for _, guide := range []string{"docs/new-shape.md"} {
		t.Run(guide, func(t *testing.T) {
			text, err := os.ReadFile("../../" + guide)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			copyRepository(t, dir)
			bin := filepath.Join(t.TempDir(), "tskgraph")
			if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			commands := 0
			for _, block := range fenced.FindAllStringSubmatch(string(text), -1) {
				language, name, body := block[1], strings.TrimSpace(block[2]), block[3]
				switch {
				case name != "":
					if err := os.WriteFile(filepath.Join(dir, name), []byte(body), 0o600); err != nil {
						t.Fatal(err)
					}
				case language == "sh":
					for line := range strings.Lines(body) {
						runLine(t, dir, filepath.Dir(bin), strings.TrimSpace(line))
						commands++
					}
				}
			}
			if commands == 0 {
				t.Error("no command was run")
			}
		})
	}
}

// copyRepository copies what git would hold: no hidden files, no runs.
func copyRepository(t *testing.T, to string) {
	t.Helper()
	root := os.DirFS("../..")
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "runs"):
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

// runLine runs one line of a guide by the shell, with the program's directory on
// the path.
func runLine(t *testing.T, dir, bin, line string) {
	t.Helper()
	command, mustFail := strings.CutPrefix(line, "! ")
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if (err != nil) != mustFail {
		t.Errorf("$ %s\n%v\n%s", line, err, out)
	}
}
