// Command fusing finds products that a compiler may fuse with an addition, and rounds
// them.
//
// Where the processor can, Go computes x*y + z with one rounding instead of two (on
// amd64 from GOAMD64=v3, on arm64 always), so that one program gives other bits on
// another processor. Only an explicit conversion forbids it, says the language's
// specification: float64(x*y) + z.
//
//	go run ./internal/fusing            # lists the products
//	go run ./internal/fusing -fix       # writes the conversions
//
// It looks at the packages that training and prediction depend on. What it does not
// follow are values in memory (elements of slices, fields behind pointers) and
// calls of interfaces: TestCompiledWithoutFusing looks at the machine code.
package main

import (
	"flag"
	"fmt"
	"os"
)

// roots are the packages that train and predict; what they import of ours is looked at, too.
var roots = []string{"github.com/tskgraph/tskgraph", "github.com/tskgraph/tskgraph/tune", "github.com/tskgraph/tskgraph/study"}

func main() {
	fix := flag.Bool("fix", false, "write the conversions into the files")
	flag.Parse()
	if err := run(*fix); err != nil {
		fmt.Fprintln(os.Stderr, "fusing:", err)
		os.Exit(1)
	}
}

func run(fix bool) error {
	found, err := find("", roots...)
	if err != nil {
		return err
	}
	if fix {
		return write(found)
	}
	for _, p := range found {
		fmt.Println(p)
	}
	if len(found) > 0 {
		return fmt.Errorf("%d products may be fused: run go run ./internal/fusing -fix", len(found))
	}
	return nil
}
