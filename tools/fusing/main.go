// Command fusing finds products that a compiler may fuse with an addition, and rounds
// them.
//
// On processors with fused multiply-add, Go may compute x*y + z with one rounding instead
// of two (on amd64 from GOAMD64=v3, on arm64 always), so that results differ between
// processors. By the language specification, an explicit conversion prevents fusing:
// float64(x*y) + z.
//
//	go run ./tools/fusing            # lists the products
//	go run ./tools/fusing -fix       # writes the conversions
//
// The command examines the packages that training and prediction depend on. It does not
// follow values in memory (elements of slices, fields behind pointers) or calls of
// interface methods; TestCompiledWithoutFusing examines the machine code.
package main

import (
	"flag"
	"fmt"
	"os"
)

// roots are the packages that train and predict; their imports are examined, too.
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
		return fmt.Errorf("%d products may be fused: run go run ./tools/fusing -fix", len(found))
	}
	return nil
}
