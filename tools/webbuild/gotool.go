package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
)

// gotool runs the go command in a checkout, for the browser.
type gotool struct{ root string }

// output returns what a command prints.
func (g gotool) output(args ...string) ([]byte, error) {
	out, log, err := g.run(args...)
	if err != nil {
		return nil, fmt.Errorf("go %s: %w: %s", args[0], err, bytes.TrimSpace(log))
	}
	return out, nil
}

// run returns what a command prints on its two outputs. The caller's GOFLAGS apply, such as -toolexec; the flags of the build
// override those that change the program.
func (g gotool) run(args ...string) (out, log []byte, err error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = g.root, &stdout, &stderr
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOWASM=", "GOEXPERIMENT=", "GOWORK=off")
	err = cmd.Run()
	return stdout.Bytes(), stderr.Bytes(), err
}

// module returns the directory of a module's sources, and its go.mod, which is elsewhere if the module was written without one.
// They are downloaded if they are not here.
func (g gotool) module(path string) (dir, modfile string, err error) {
	out, err := g.output("mod", "download", "-json", path)
	if err != nil {
		return "", "", err
	}
	var m struct{ Dir, GoMod string }
	err = json.Unmarshal(out, &m)
	return m.Dir, m.GoMod, err
}
