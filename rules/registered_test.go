package rules_test

import _ "github.com/tskgraph/tskgraph/data/table/csv" // the tests read tables of this format
