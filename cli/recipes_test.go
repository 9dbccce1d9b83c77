package cli

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/kernel"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

var updateRecipes = flag.Bool("update-recipes", false, "write the hashes of testdata/recipes.tsv from this build")

const recipesFile = "testdata/recipes.tsv"

// TestRecipesKeepTheirModels: recipes that cover the presets, shapes, initialisers, race,
// committee, pruning and baselines write the models whose hashes testdata/recipes.tsv
// holds, so that a refactoring cannot change a model unnoticed. The hashes are those of the AVX2 kernels. To change models on
// purpose, run the test with -update-recipes. By default every fourth recipe is trained.
func TestRecipesKeepTheirModels(t *testing.T) {
	testenv.SkipRace(t)
	if kernel.Name() != "avx2" {
		t.Skip("the hashes are those of the AVX2 kernels")
	}
	content, err := os.ReadFile(recipesFile)
	if err != nil {
		t.Fatal(err)
	}
	recipes := strings.Split(strings.TrimSuffix(string(content), "\n"), "\n")
	for i, line := range recipes {
		name, rest, _ := strings.Cut(line, "\t")
		want, keys, ok := strings.Cut(rest, "\t")
		if !ok {
			t.Fatalf("%s:%d: want a name, a hash and keys, separated by tabs", recipesFile, i+1)
		}
		if i%testenv.Cases(4, 1) != 0 && !*updateRecipes {
			continue
		}
		t.Run(name, func(t *testing.T) {
			got := modelHash(t, strings.Fields(keys))
			recipes[i] = name + "\t" + got + "\t" + keys
			if got != want && !*updateRecipes {
				t.Errorf("model.json has the hash %s, want %s (%s)", got, want, keys)
			}
		})
	}
	if *updateRecipes {
		if err := os.WriteFile(recipesFile, []byte(strings.Join(recipes, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// modelHash trains by the keys and returns the SHA-256 of the content of the model file,
// without the versions of the programs that wrote it.
func modelHash(t *testing.T, keys []string) string {
	t.Helper()
	out := t.TempDir()
	args := []string{"train", "--quiet", "--set", "output.dir=" + out}
	for _, key := range keys {
		args = append(args, "--set", key)
	}
	var messages bytes.Buffer
	if code := run(context.Background(), args, strings.NewReader(""), &messages, &messages); code != 0 {
		t.Fatalf("exit code %d: %s", code, messages.String())
	}
	files, err := filepath.Glob(filepath.Join(out, "*", "model.json"))
	if err != nil || len(files) != 1 {
		t.Fatalf("model files %v, %v", files, err)
	}
	content, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Content map[string]any `json:"content"`
	}
	if err := json.Unmarshal(content, &file); err != nil {
		t.Fatal(err)
	}
	for _, of := range append([]any{file.Content}, members(file.Content)...) {
		delete(of.(map[string]any)["training"].(map[string]any), "versions")
	}
	if content, err = json.Marshal(file.Content); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(content))
}

// members returns the members of a committee; nil for a single model.
func members(content map[string]any) []any {
	all, _ := content["members"].([]any)
	return all
}
