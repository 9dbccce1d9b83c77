// Command portable checks that the module and its tests compile on other systems and processors, with the checks of go vet.
//
//	go run ./tools/portable windows/amd64 linux/arm64
//
// It checks types from source, of packages of other modules the declarations only. go vet for another system compiles all of these,
// which takes minutes. The analyzers know no facts about other modules, such as which of their functions print formats.
package main

import (
	"fmt"
	"os"
	"strings"
)

func main() {
	failed := false
	for _, platform := range os.Args[1:] {
		problems, err := check("", platform, "./...")
		if err != nil {
			fmt.Fprintf(os.Stderr, "portable: %s: %v\n", platform, err)
			os.Exit(1)
		}
		fmt.Fprintf(os.Stderr, "%s: %d problems\n", platform, len(problems))
		if len(problems) > 0 {
			failed = true
			fmt.Println(strings.Join(problems, "\n"))
		}
	}
	if failed {
		os.Exit(1)
	}
}
