module example.com/extend

go 1.26

require github.com/tskgraph/tskgraph v0.0.0

replace github.com/tskgraph/tskgraph => ../..
