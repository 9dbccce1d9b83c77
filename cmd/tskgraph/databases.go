//go:build !nodatabases

package main

import (
	_ "github.com/tskgraph/tskgraph/data/postgres" // tables in databases; 7 MB of the program
	_ "github.com/tskgraph/tskgraph/data/sqlite"
)
