package testenv

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// GuideBlock is a code block of a guide: "sh" are commands, "output" quotes what they print.
type GuideBlock struct {
	Language string
	Name     string // the rest of the line that opens it
	Text     string
}

// fenced matches code blocks: the info string and the text.
var fenced = regexp.MustCompile("(?ms)^```(\\w+)([^\n]*)\n(.*?)^```")

// GuideBlocks returns the code blocks of a page.
func GuideBlocks(page string) []GuideBlock {
	var blocks []GuideBlock
	for _, match := range fenced.FindAllStringSubmatch(page, -1) {
		blocks = append(blocks, GuideBlock{match[1], strings.TrimSpace(match[2]), match[3]})
	}
	return blocks
}

// GuideProse returns a page without its code blocks.
func GuideProse(page string) string { return fenced.ReplaceAllString(page, "") }

// RunGuide runs one line by the shell in a directory, with further variables of the environment, and returns what it prints. A
// line that begins with "! " must fail.
func RunGuide(dir, line string, environment ...string) (string, error) {
	command, mustFail := strings.CutPrefix(line, "! ")
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), environment...)
	printed, err := cmd.CombinedOutput()
	switch {
	case mustFail && err == nil:
		err = fmt.Errorf("$ %s\nsucceeded\n%s", line, printed)
	case mustFail:
		err = nil
	case err != nil:
		err = fmt.Errorf("$ %s\n%w\n%s", line, err, printed)
	}
	return string(printed), err
}

// FirstMissing returns the first line of a block that the printed text lacks after the lines before it. It ignores spaces
// at the ends, empty lines and "...".
func FirstMissing(block, printed string) string {
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

// Scratch is the directory for all that guides write, which git and patterns of packages ignore.
const Scratch = "runs"

// walk calls do for each regular file of the repository at root, with its path below it and its content, without hidden
// directories and [Scratch].
func walk(root string, do func(path string, content []byte) error) error {
	files := os.DirFS(root)
	return fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || path == Scratch):
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		content, err := fs.ReadFile(files, path)
		if err != nil {
			return err
		}
		return do(path, content)
	})
}

// CopyRepository copies the repository at root without hidden directories and [Scratch].
func CopyRepository(root, to string) error {
	return walk(root, func(path string, content []byte) error {
		if err := os.MkdirAll(filepath.Join(to, filepath.Dir(path)), 0o777); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, path), content, 0o600)
	})
}

// Strays returns the files outside [Scratch] that the copy has and the repository at root has not, or has with another content.
func Strays(root, copied string) ([]string, error) {
	var strays []string
	err := walk(copied, func(path string, content []byte) error {
		if original, err := os.ReadFile(filepath.Join(root, path)); err != nil || !bytes.Equal(original, content) {
			strays = append(strays, path)
		}
		return nil
	})
	return strays, err
}
