package exporttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Tool returns the path of the first of some programs that is installed. Without one the test is
// skipped, and fails under CI=true.
func Tool(t testing.TB, names ...string) string {
	t.Helper()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	missing(t, names[0])
	return ""
}

// NodeModules returns the directory of node's packages that TSKGRAPH_NODE_MODULES names, if it has
// the package. Otherwise the test is skipped, and fails under CI=true.
func NodeModules(t testing.TB, name string) string {
	t.Helper()
	dir := os.Getenv("TSKGRAPH_NODE_MODULES")
	if info, err := os.Stat(filepath.Join(dir, name)); dir == "" || err != nil || !info.IsDir() {
		missing(t, name)
	}
	return dir
}

// Python returns a Python that can import the modules. Without one the test is skipped, and fails
// under CI=true.
func Python(t testing.TB, modules ...string) string {
	t.Helper()
	for _, name := range []string{"/usr/bin/python3", "python3"} {
		script := "import sys"
		for _, module := range modules {
			script += ", " + module
		}
		if exec.CommandContext(t.Context(), name, "-c", script).Run() == nil {
			return name
		}
	}
	missing(t, "python3")
	return ""
}

func missing(t testing.TB, name string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s is not installed: .ci/run installs it", name)
	}
	t.Skipf("%s is not installed", name)
}
