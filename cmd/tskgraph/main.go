// Command tskgraph learns Takagi-Sugeno-Kang fuzzy regression models from tables
// and uses them. See `tskgraph --help`.
package main

import "github.com/tskgraph/tskgraph/cli"

func main() { cli.Main() }
