// Command webbuild builds the page that trains in the browser: static files for any host, and for file://. It runs in the root of
// a checkout. The same sources and version of Go give the same bytes.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	out := flag.String("out", "web/dist", "`directory` for the files; created if missing")
	flag.Parse()
	if err := write(".", *out); err != nil {
		fmt.Fprintln(os.Stderr, "webbuild:", err)
		os.Exit(1)
	}
}
