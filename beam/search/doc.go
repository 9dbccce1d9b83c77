// Package search makes the fits of a search for settings ([tune.Search]) with the workers of a cluster.
//
// The search runs where the command runs. Its first fits that are missing start a pipeline of rounds: each round asks [tune.Next],
// with all results so far, which fits the search needs, distributes them, and makes them. What to measure depends on results
// alone, so that the rounds of a pipeline are the steps of the search. A worker writes each result to a file of its own before it
// passes it on: a bundle that is tried again, and another job of the same search, find it there. When the pipeline has ended, the
// search reads these files, and keeps the results in its directory as if it had made them.
package search
