package main

import "math"

// costs are what the programs need, in seconds of one processor unless they say otherwise.
type costs struct {
	csv   float64 // bytes of CSV that score reads, predicts and writes per second
	shard float64 // of a shard, beyond its rows
	job   float64 // from the start of the command to the first shard, and from the last to its end; time, not work
	model float64 // bytes of a model file
}

// cluster is what is assumed of machines and storage, in bytes and seconds.
type cluster struct {
	split   float64 // bytes of a shard
	link    float64 // bytes per second between a worker and the storage
	storage float64 // bytes per second of the storage, for all workers together
	sender  float64 // bytes per second at which the model leaves the runner
	slow    float64 // times that the slowest worker takes for a shard, of what others take
}

// duration is how long a job takes, and of what that consists: seconds.
type duration struct {
	start float64 // of the command and the pipeline, and until all workers have the model
	work  float64 // of the workers, in rounds of shards
	read  float64 // of the storage, at the same time as the work
	tail  float64 // of the last shard on the slowest worker
}

func (d duration) total() float64 { return d.start + max(d.work, d.read) + d.tail }

// limit names what the job waits for, if that is not the work.
func (d duration) limit() string {
	switch {
	case d.read > d.work:
		return "storage"
	case d.start+d.tail > d.work:
		return "start and last shards"
	}
	return "processors"
}

// lasts returns how long a job takes that reads so many bytes of CSV on workers of one processor each.
func lasts(c costs, on cluster, bytes, workers float64) duration {
	shards := math.Ceil(bytes / on.split)
	each := on.split/c.csv + c.shard
	tail := each * (on.slow - 1)
	if workers == 1 {
		tail = 0
	}
	return duration{
		start: c.job + workers*c.model/on.sender,
		work:  math.Ceil(shards/workers) * each,
		read:  bytes / min(workers*on.link, on.storage),
		tail:  tail,
	}
}
