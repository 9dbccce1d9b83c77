package main

// measured are medians of `go test -run '^$' -bench Costs` in the directory beam.
var measured = costs{
	csv:   86.5e6,
	shard: 0.005,
	job:   0.5,
	model: 100e3,
	parse: 0.005,
}

// assumed is a cluster in a cloud: machines with 1 Gbit/s for each processor, and storage that sends 200 Gbit/s to a project.
var assumed = cluster{
	split:   256 << 20,
	link:    125e6,
	storage: 25e9,
	sender:  125e6,
	slow:    2,
}
