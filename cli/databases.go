//go:build !nodatabases

package cli

import (
	_ "github.com/tskgraph/tskgraph/data/postgres" // tables in databases; 7 MB of the program
	_ "github.com/tskgraph/tskgraph/data/sqlite"
)
