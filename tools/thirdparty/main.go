// Command thirdparty prints THIRD_PARTY.md: the modules that are linked into a command on any platform of a release, with
// their licences. It fails if a module has none. Usage:
//
//	thirdparty [DIRECTORY PACKAGE]
//
// DIRECTORY is that of the command's module, and PACKAGE its package there; by default . and ./cmd/tskgraph.
package main

import (
	"fmt"
	"os"

	"github.com/tskgraph/tskgraph/tools/licences"
)

// platforms are the operating systems with different linked modules.
var platforms = [][]string{{"GOOS=linux", "GOARCH=amd64"}, {"GOOS=darwin", "GOARCH=amd64"}, {"GOOS=windows", "GOARCH=amd64"}}

func main() {
	root, command := ".", "./cmd/tskgraph"
	if len(os.Args) == 3 {
		root, command = os.Args[1], os.Args[2]
	}
	page, err := thirdParty(root, command)
	if err != nil {
		fmt.Fprintln(os.Stderr, "thirdparty:", err)
		os.Exit(1)
	}
	os.Stdout.Write(page)
}

// thirdParty returns the page for a command of the module at root.
func thirdParty(root, command string) ([]byte, error) {
	modules, err := licences.Linked(root, command, platforms)
	if err != nil {
		return nil, err
	}
	return licences.Page("# Third-party licences\n\nThe command contains these modules and the standard library of Go. `make licences` writes this page; `make check` refuses one that is stale.\n\n", modules)
}
