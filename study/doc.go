// Package study repeats the study of the paper: every algorithm it compares,
// on its ten data sets, over repeated random splits, with the comparisons that
// answer its questions.
//
//	s := study.Plan{Dir: "data", Sets: study.Sets(), Algorithms: study.Algorithms(),
//		Memberships: []string{"gaussian", "trapezoid"}, Repeats: 30, Seed: 1, Store: "study/results"}
//	results, err := s.Run(ctx)
//	rows := results.Summarise()      // mean and standard deviation of the test RMSE, rules
//	answers := results.Comparisons() // Q1, Q2 and Q3, per data set
//
// A study is a number of runs: one training of one [Algorithm] on one random split
// of one [Set], with one membership function. All algorithms of a repeat share its
// split and its seed. A run depends on nothing but what its [Key] says, so that
// results are the same for any number of workers, are kept one file each, and are
// not computed twice: an interrupted study continues where it stopped, and its
// parts may come from several machines.
package study
