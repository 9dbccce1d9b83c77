package report

// StandIn describes the values that a model uses for missing cells and for unknown categories,
// see [github.com/tskgraph/tskgraph/model.Preprocessing.Fill]; imputeMeans is that of its
// preprocessing.
func StandIn(imputeMeans bool) (missing, unknown string) {
	if imputeMeans {
		return "the training mean stands in, the share of each category for words", "none of the known ones, or as the mean level of an ordinal column"
	}
	return "the training mean, most frequent category or median level stands in", "none of the known ones, or as the median level of an ordinal column"
}
