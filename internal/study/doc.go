// Package study repeats the study of the paper: it runs every algorithm that the paper
// compares on ten data sets over repeated random splits, and compares them to answer the
// paper's questions.
//
//	s := study.Plan{Dir: "data", Sets: study.Sets(), Algorithms: study.Algorithms(),
//		Memberships: []string{"gaussian", "trapezoid"}, Repeats: 30, Seed: 1, Store: "study/results"}
//	results, err := s.Run(ctx)
//	rows := results.Summarise()      // mean and standard deviation of the test RMSE, rules
//	answers := results.Comparisons() // Q1, Q2 and Q3, per data set
//
// A study consists of runs. A run is one training of one [Algorithm] on one random split
// of one [Set], with one membership function. All algorithms of a repeat share its split
// and its seed.
//
// The identity of a run names all that its result depends on: recipe, data, split, and, as
// for every training, the version and the sources of the program and its arithmetic
// ([checkpoint.Of]). So results do not depend on the number of workers. Each is stored in a
// file named by the hash of the identity and is not computed twice: an interrupted study
// resumes, and machines of the same architecture that run the same build may compute parts
// of it. Another build computes its own results.
package study
