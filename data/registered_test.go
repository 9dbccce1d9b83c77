package data_test

import _ "github.com/tskgraph/tskgraph/data/table/csv" // the tests of package data read tables of this format
