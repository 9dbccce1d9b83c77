// Command pythonkeys writes the parameters of the Python estimators, which follow the table of keys in package config:
//
//	go run ./tools/pythonkeys > python/tskgraph/_settings.py
package main

import (
	"fmt"
	"os"

	"github.com/tskgraph/tskgraph/internal/config"
)

func main() {
	text, err := module(config.Schema())
	if err == nil {
		_, err = os.Stdout.Write(text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "pythonkeys:", err)
		os.Exit(1)
	}
}
