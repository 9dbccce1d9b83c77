//go:build !(js && wasm)

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "this program is for a page: compile it with GOOS=js GOARCH=wasm, as make web does")
	os.Exit(2)
}
