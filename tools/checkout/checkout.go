// Package checkout finds the root of the repository, which the programs of this module read and write, and the command of Go there.
package checkout

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// module is the first line of the root's go.mod.
const module = "module github.com/tskgraph/tskgraph\n"

// Enter changes to the root of the repository: `go -C tools run` starts programs in tools. Their paths are relative to the root.
func Enter() error {
	root, err := Root()
	if err != nil {
		return err
	}
	return os.Chdir(root)
}

// Root returns the root of the repository that the current directory is in.
func Root() (string, error) {
	start, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		if text, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil && bytes.HasPrefix(text, []byte(module)) {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("%s is not in a checkout of tskgraph", start)
		}
	}
}

// Main runs a program in the root of the repository. It prints an error after the program's name, and exits with status 1.
func Main(name string, run func() error) {
	err := Enter()
	if err == nil {
		err = run()
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}

// Go runs the go command in a directory with additional variables of the environment, and returns its standard output.
func Go(dir string, environment []string, args ...string) ([]byte, error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
	cmd.Env = append(os.Environ(), environment...)
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("go %s %s: %w: %s", strings.Join(environment, " "), args[0], err, bytes.TrimSpace(stderr.Bytes()))
	}
	return stdout.Bytes(), nil
}
