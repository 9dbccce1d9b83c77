package cluster

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	pipepb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/pipeline_v1"
	"google.golang.org/protobuf/proto"
)

// defaultEnvironment is the ID of the environment of a pipeline of Beam's SDK.
const defaultEnvironment = "go"

// distribute gives the branches of [Spread] to environments, since Prism has one worker for each: branch i to
// environment i modulo their number.
func distribute(p *pipepb.Pipeline, environments int) {
	c := p.GetComponents()
	ids := []string{defaultEnvironment}
	for i := 1; i < environments; i++ {
		id := fmt.Sprint(defaultEnvironment, i)
		c.Environments[id] = proto.CloneOf(c.Environments[defaultEnvironment])
		ids = append(ids, id)
	}
	for _, id := range slices.Sorted(maps.Keys(c.GetTransforms())) {
		if branch, ok := strings.CutPrefix(c.Transforms[id].GetUniqueName(), branchScope); ok {
			if i, err := strconv.Atoi(branch); err == nil {
				move(c, id, ids[i%len(ids)])
			}
		}
	}
}

// move gives a transform and its parts to an environment.
func move(c *pipepb.Components, transform, environment string) {
	t := c.Transforms[transform]
	if t.GetEnvironmentId() != "" {
		t.EnvironmentId = environment
	}
	for _, part := range t.GetSubtransforms() {
		move(c, part, environment)
	}
}
