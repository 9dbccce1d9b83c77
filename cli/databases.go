//go:build !nodatabases

package cli

import (
	_ "github.com/tskgraph/tskgraph/data/table/postgres" // tables in databases; 7 MB of the program
	_ "github.com/tskgraph/tskgraph/data/table/sqlite"
)
