//go:build nodatabases

package cli

import (
	"errors"

	"github.com/tskgraph/tskgraph/internal/data/table"
)

// Databases are refused with what to do instead; this build, such as that of the Python package, cannot read them.
func init() {
	table.Register(table.Format{Name: "database", Schemes: []string{"postgres:", "postgresql:", "sqlite:"}, Check: func(string) error {
		return errors.New("this build reads no databases: save the rows as CSV or Parquet, or install the command of a release, or build it " +
			"with go install github.com/tskgraph/tskgraph/cmd/tskgraph")
	}})
}
