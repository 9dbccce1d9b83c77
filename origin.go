package tskgraph

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/buildinfo"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
)

// ChangedError says that a checkpoint is of a training with other data or options.
type ChangedError struct{ Changes []Change }

// Change is something that a training depends on and that is not what it was.
type Change struct{ Name, Was, Is string }

func (c Change) String() string {
	return fmt.Sprintf("%s was %s, is %s", c.Name, orNothing(c.Was), orNothing(c.Is))
}

func orNothing(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}

func (e *ChangedError) Error() string {
	var texts []string
	for _, c := range e.Changes {
		texts = append(texts, c.String())
	}
	return fmt.Sprintf("the checkpoint is of another training: %s: restore it, or train again", strings.Join(texts, "; "))
}

// goamd64 names the level of processor that a program was built for, which checkpoints
// remember. The bits of a training do not depend on it.
const goamd64 = "GOAMD64"

// differences says what differs in now from before, in the order of the names.
func differences(before, now map[string]string) []Change {
	var changes []Change
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if before[name] != now[name] && name != goamd64 {
			changes = append(changes, Change{name, before[name], now[name]})
		}
	}
	return changes
}

// origin returns all that a training depends on, by name. Two trainings of the same
// origin have the same checkpoints.
func (o Options) origin(train, validation *data.Dataset) (map[string]string, error) {
	of, err := o.Settings()
	if err != nil {
		return nil, err
	}
	if f, written := membership.AsFormula(o.Model.Membership); written {
		of["model.membership"] = asJSON(f)
	}
	of["train.race"], of["train.race_splits"] = asJSON(o.Train.Race), fmt.Sprint(o.Train.RaceSplits)
	for part, d := range map[string]*data.Dataset{"training part": train, "validation part": validation, "watched part": o.Watch, "test part": o.Test} {
		of[part] = ""
		if d != nil {
			of[part] = d.Fingerprint()
		}
	}
	if o.Start != nil {
		of["start"] = hashed([]byte(asJSON(o.Start)))
	}
	if o.Model.FromFile() {
		path := o.Model.Init
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			path = filepath.Join(path, model.FileName)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", model.ErrFile, err)
		}
		of["saved model"] = hashed(text)
	}
	of["version of tskgraph"] = Version
	build := buildinfo.Read()
	of["arithmetic"], of["revision of tskgraph"] = build.Arithmetic(), build.Sources() // last bits grow in training
	of[goamd64] = build.GOAMD64
	maps.Copy(of, o.Origin)
	return asKept(of), nil
}

// asKept returns names and texts as JSON keeps them.
func asKept(of map[string]string) map[string]string {
	kept := map[string]string{}
	for name, text := range of {
		kept[strings.ToValidUTF8(name, "\uFFFD")] = strings.ToValidUTF8(text, "\uFFFD")
	}
	return kept
}

func asJSON(v any) string {
	text, _ := json.Marshal(v) // texts and finite numbers
	return string(text)
}

func hashed(text []byte) string {
	sum := sha256.Sum256(text)
	return "sha256 " + hex.EncodeToString(sum[:8])
}
