// Command portable checks that the module and its tests compile on other systems and processors, with the checks of go vet.
//
//	go -C tools run ./portable windows/amd64 linux/arm64
//
// It checks types from source, of packages of other modules the declarations only. go vet for another system compiles all of these,
// which takes minutes. The analyzers know no facts about other modules, such as which of their functions print formats.
package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/tools/checkout"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
)

func main() {
	checkout.Main("portable", func() error { return report(os.Args[1:]) })
}

// report prints the problems of platforms.
func report(platforms []string) error {
	total := 0
	for _, platform := range platforms {
		problems, err := check("", platform, "./...")
		if err != nil {
			return fmt.Errorf("%s: %w", platform, err)
		}
		fmt.Fprintf(os.Stderr, "%s: %d problems\n", platform, len(problems))
		for _, p := range problems {
			fmt.Println(p)
		}
		total += len(problems)
	}
	if total > 0 {
		return fmt.Errorf("%d problems", total)
	}
	return nil
}

// check returns what is wrong on a platform GOOS/GOARCH in the packages that match the patterns, tests included: errors of types and
// diagnostics of go vet, each with its position, sorted. Directory "" is the current one.
func check(dir, platform string, patterns ...string) ([]string, error) {
	goos, goarch, ok := strings.Cut(platform, "/")
	if !ok {
		return nil, fmt.Errorf("not GOOS/GOARCH")
	}
	initial, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps | packages.NeedModule |
			packages.NeedTypesSizes,
		Dir:   dir,
		Env:   append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0"),
		Tests: true,
	}, patterns...)
	if err != nil {
		return nil, err
	}
	if len(initial) == 0 {
		return nil, fmt.Errorf("no packages match %s", strings.Join(patterns, " "))
	}
	var problems []string
	l := newLoader(initial)
	for p := range packages.Postorder(initial) {
		l.load(p)
		for _, e := range p.Errors {
			problems = append(problems, strings.TrimPrefix(e.Error(), "-: ")) // the message has the position
		}
	}
	if len(problems) == 0 {
		graph, err := checker.Analyze(suite, initial, nil)
		if err != nil {
			return nil, err
		}
		for action := range graph.All() {
			if action.Err != nil {
				return nil, fmt.Errorf("%s: %w", action, action.Err)
			}
			for _, d := range action.Diagnostics {
				problems = append(problems, fmt.Sprintf("%s: %s", action.Package.Fset.Position(d.Pos), d.Message))
			}
		}
	}
	slices.Sort(problems)
	return slices.Compact(problems), nil // a package and its variant for tests have the same files
}
