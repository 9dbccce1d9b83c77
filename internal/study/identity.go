package study

import (
	"fmt"
	"strconv"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
)

// curveName is the part of an identity that says whether a run measures its [Result.Curve].
const curveName = "curve"

// identify returns what the result of a run depends on: the recipe and the program, as
// [checkpoint.Of] names them, and the data, their split and the algorithm.
func identify(s Plan, g *group, a Algorithm, r tskgraph.Recipe) (checkpoint.Identity, error) {
	id, err := checkpoint.Of(r, nil)
	if err != nil {
		return nil, fmt.Errorf("experiment: %s on %s: %w", a.Name, g.set.Name, err)
	}
	id["data set"], id["sha256"], id["target"] = g.set.Name, g.set.SHA256, g.set.Target
	id["split"] = fmt.Sprintf("random, training share %v, seed %d", trainShare, g.seed(s))
	id["algorithm"], id["repeat"] = a.Name, strconv.Itoa(g.repeat)
	id[curveName] = strconv.FormatBool(s.Curves)
	return id, nil
}
