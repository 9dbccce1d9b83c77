package main

// measured are of a model of the default preset without a race, with 32 rules on 20 columns: processor time of tskgraph-beam score for
// 24 files of 20 MB, less that for a file of ten rows; for 200 files of ten rows, less that for one; the time that one takes.
var measured = costs{
	csv:   125e6,
	shard: 0.0013,
	job:   0.2,
	model: 66e3,
}

// assumed is a cluster in a cloud: machines with 1 Gbit/s for each processor, and storage that sends 200 Gbit/s to a project.
var assumed = cluster{
	split:   256 << 20,
	link:    125e6,
	storage: 25e9,
	sender:  125e6,
	slow:    2,
}
