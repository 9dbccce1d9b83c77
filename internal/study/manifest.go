package study

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/suggest"
)

// Set is a data set of the study: its file and the content that the file must have.
type Set struct {
	Name     string   `json:"name"`     // the name of its file without the extension
	Title    string   `json:"title"`    // as the paper writes it
	Source   string   `json:"source"`   // as the paper says
	File     string   `json:"file"`     // comma-separated, with a header
	Target   string   `json:"target"`   // the column to predict
	Samples  int      `json:"samples"`  // N
	Features int      `json:"features"` // M
	Rules    int      `json:"rules"`    // R0
	ANFIS    bool     `json:"anfis"`    // the comparison with ANFIS includes it: one of the six smaller sets
	SHA256   string   `json:"sha256"`   // of the file, in hexadecimal
	Columns  []string `json:"columns"`  // the header

	// Paper has the rule counts of the paper's tables by membership function.
	Paper map[string]RuleCounts `json:"paper"`

	path string // of a set of [OwnSets]; empty: a set of the paper
}

// RuleCounts are average numbers of rules in the rounds of pruning.
type RuleCounts struct {
	Rules               []float64 `json:"rules"`                 // left after each round
	RemovedByFiring     []float64 `json:"removed_by_firing"`     // in each round
	RemovedBySimilarity []float64 `json:"removed_by_similarity"` // in each round
}

//go:embed manifest.json
var manifest []byte

// Sets returns the ten data sets of the paper, in its order.
func Sets() []Set {
	var sets []Set
	if err := json.Unmarshal(manifest, &sets); err != nil {
		panic("experiment: the embedded manifest: " + err.Error()) // a test decodes it
	}
	return sets
}

// ChooseSets returns the sets with the given names or titles, ignoring case, in their
// order and each once; without names, all. An unknown name is a *tskgraph.RecipeError.
func ChooseSets(sets []Set, names []string) ([]Set, error) {
	var known []string
	for _, s := range sets {
		known = append(known, s.Name)
	}
	chosen, err := choose("--datasets", "data set", names, known, func(name string) int {
		return slices.IndexFunc(sets, func(s Set) bool { return strings.EqualFold(name, s.Name) || strings.EqualFold(name, s.Title) })
	})
	if err != nil {
		return nil, err
	}
	var found []Set
	for _, i := range chosen {
		found = append(found, sets[i])
	}
	return found, nil
}

// choose returns the indices that find gives for the names, ascending and each once;
// without names, those of all known.
func choose(option, kind string, names, known []string, find func(string) int) ([]int, error) {
	var chosen []int
	for _, name := range names {
		i := find(strings.TrimSpace(name))
		if i < 0 {
			hint := "choose from " + strings.Join(known, ", ")
			if closest := suggest.Closest(name, known); closest != "" {
				hint = "did you mean " + closest + "?"
			}
			return nil, optionError(option, "there is no %s %q: %s", kind, name, hint)
		}
		chosen = append(chosen, i)
	}
	if len(names) == 0 {
		for i := range known {
			chosen = append(chosen, i)
		}
	}
	slices.Sort(chosen)
	return slices.Compact(chosen), nil
}
