package study

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"runtime"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/kernel"
)

// resultsVersion is raised by every change of the code that changes results.
const resultsVersion = 1

// Key says all that determines a result.
type Key struct {
	Version      int               `json:"version"` // of the code, as far as results go
	Dataset      string            `json:"dataset"`
	SHA256       string            `json:"sha256"` // of the data
	Target       string            `json:"target"`
	TrainShare   float64           `json:"train_share"`
	Membership   string            `json:"membership"`
	Algorithm    string            `json:"algorithm"`
	Repeat       int               `json:"repeat"`
	Seed         uint64            `json:"seed"`     // of split and training
	Settings     map[string]string `json:"settings"` // of training, by key of config.yaml
	Curve        bool              `json:"curve"`    // whether the test RMSE of every iteration is in the result
	Architecture string            `json:"architecture"`
	Kernel       string            `json:"kernel"` // the arithmetic of the fused engine
}

// key returns the key of a run of the group.
func (g *group) key(s Plan, a Algorithm, o tskgraph.Recipe) (Key, error) {
	settings, err := o.Values()
	if err != nil {
		return Key{}, fmt.Errorf("experiment: %s on %s: %w", a.Name, g.set.Name, err)
	}
	return Key{
		Version: resultsVersion, Dataset: g.set.Name, SHA256: g.set.SHA256, Target: g.set.Target, TrainShare: trainShare,
		Membership: g.shape, Algorithm: a.Name, Repeat: g.repeat, Seed: g.seed(s), Settings: settings, Curve: s.Curves,
		Architecture: runtime.GOARCH, Kernel: kernel.Name(),
	}, nil
}

// hash returns the name of the key's result file, without the extension.
func (k Key) hash() (string, error) {
	text, err := json.Marshal(k)
	if err != nil {
		return "", fmt.Errorf("experiment: key: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16]), nil
}
