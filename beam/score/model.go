package score

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/tskgraph/tskgraph/beam/files"
	"github.com/tskgraph/tskgraph/explain/shapley"
	"github.com/tskgraph/tskgraph/internal/app/prediction"
	"github.com/tskgraph/tskgraph/model"
)

// modelFile returns the path of the model file at path, which may be the directory of a run.
func modelFile(ctx context.Context, path string) string {
	if inside := files.Join(path, model.FileName); isFile(ctx, inside) {
		return inside
	}
	return path
}

func isFile(ctx context.Context, path string) bool {
	_, err := files.Size(ctx, path)
	return err == nil
}

// readModel reads a model file.
func readModel(ctx context.Context, path string) (text []byte, m *model.Model, err error) {
	r, err := files.Open(ctx, path)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", model.ErrFile, err)
	}
	text, err = io.ReadAll(r)
	if err = errors.Join(err, r.Close()); err != nil {
		return nil, nil, err
	}
	if m, err = model.Decode(bytes.NewReader(text)); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return text, m, nil
}

// predictor is what a worker predicts with.
type predictor struct {
	model   *model.Model
	explain model.Explainer
}

// predictors are those of this process, by the hash of the model and the background. A worker has one, and parses it once.
var predictors sync.Map

// predictorOf returns the predictor of a model file and a background in JSON, which may be empty.
func predictorOf(text, background []byte) (*predictor, error) {
	key := sha256.Sum256(append(append([]byte{}, text...), background...))
	load, _ := predictors.LoadOrStore(key, sync.OnceValues(func() (*predictor, error) { return newPredictor(text, background) }))
	return load.(func() (*predictor, error))()
}

func newPredictor(text, background []byte) (*predictor, error) {
	m, err := model.Decode(bytes.NewReader(text))
	if err != nil || len(background) == 0 {
		return &predictor{model: m}, err
	}
	var b shapley.Background
	if err := json.Unmarshal(background, &b); err != nil {
		return nil, fmt.Errorf("the background of explanations: %w", err)
	}
	explain, err := prediction.Explainer(m, b)
	return &predictor{m, explain}, err
}
