package checkpoint

import (
	"cmp"
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
	"github.com/tskgraph/tskgraph/internal/base/buildinfo"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
)

// Identity holds, by name, everything that a result depends on. Results with equal
// identities are equal to the bit; trainings, searches and studies compare identities
// before they use saved results.
type Identity map[string]string

// ChangedError reports that a checkpoint belongs to a training with other data or another
// recipe or program.
type ChangedError struct{ Changes []Change }

// Change is a difference between two identities.
type Change struct{ Name, Was, Is string }

func (c Change) String() string {
	return fmt.Sprintf("%s was %s, is %s", c.Name, cmp.Or(c.Was, "nothing"), cmp.Or(c.Is, "nothing"))
}

func (e *ChangedError) Error() string {
	return fmt.Sprintf("checkpoint does not match: %s; restore the file or start a new run", Join(e.Changes))
}

// Join returns changes as one string.
func Join(changes []Change) string {
	texts := make([]string, len(changes))
	for i, c := range changes {
		texts[i] = c.String()
	}
	return strings.Join(texts, "; ")
}

// goamd64 is the name of the GOAMD64 level of a program, which checkpoints record. The bits
// of a training do not depend on it.
const goamd64 = "GOAMD64"

// Of returns the identity of a training with a recipe on data sets by the name of the part;
// nil for a missing part. It returns an error if the recipe is invalid or the file of a
// saved model or of rules cannot be read.
func Of(r recipe.Recipe, parts map[string]*data.Dataset) (Identity, error) {
	values, err := r.Identity()
	if err != nil {
		return nil, err
	}
	id := Identity(values)
	for part, d := range parts {
		id[part] = ""
		if d != nil {
			id[part] = d.Fingerprint()
		}
	}
	if r.Model.FromFile() {
		if id["saved model"], err = savedModel(r.Model.Init); err != nil {
			return nil, err
		}
	}
	if r.Model.FromRules() {
		text, err := os.ReadFile(r.Model.Init)
		if err != nil {
			return nil, &recipe.Error{Key: "model.init", Message: err.Error()}
		}
		id["file of rules"] = hashed(text)
	}
	build := buildinfo.Read() // training amplifies differences in the last bits
	id["version of tskgraph"], id["revision of tskgraph"] = buildinfo.Version, build.Sources()
	id["arithmetic"], id[goamd64] = build.Arithmetic(), build.GOAMD64
	return id, nil
}

// savedModel returns the hash of the file of a saved model, given its path or that of the
// directory of its run.
func savedModel(path string) (string, error) {
	read := os.ReadFile
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path, read = filepath.Join(path, model.FileName), safefile.ReadInside
	}
	text, err := read(path)
	if err != nil {
		return "", fmt.Errorf("%w: %w", model.ErrFile, err)
	}
	return hashed(text), nil
}

// Add adds the hash of the JSON form of v.
func (id Identity) Add(name string, v any) {
	text, _ := json.Marshal(v) // texts and finite numbers
	id[name] = hashed(text)
}

func hashed(text []byte) string {
	sum := sha256.Sum256(text)
	return "sha256 " + hex.EncodeToString(sum[:8])
}

// Hash returns 32 hexadecimal digits, equal for identities without [Identity.Differences].
func (id Identity) Hash() string {
	kept := id.asKept()
	delete(kept, goamd64)
	text, _ := json.Marshal(kept) // texts
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// Differences returns the changes from id to now in the order of the names. A missing name
// counts as empty.
func (id Identity) Differences(now Identity) []Change {
	all := maps.Clone(id)
	maps.Copy(all, now)
	return id.differing(now, all)
}

// differing returns the changes from id to now, limited to the names of among.
func (id Identity) differing(now, among Identity) []Change {
	var changes []Change
	for _, name := range slices.Sorted(maps.Keys(among)) {
		if id[name] != now[name] && name != goamd64 {
			changes = append(changes, Change{name, id[name], now[name]})
		}
	}
	return changes
}

// asKept returns the identity as it is read back from JSON.
func (id Identity) asKept() Identity {
	kept := Identity{}
	for name, text := range id {
		kept[strings.ToValidUTF8(name, "\uFFFD")] = strings.ToValidUTF8(text, "\uFFFD")
	}
	return kept
}
