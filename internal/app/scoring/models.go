package scoring

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tskgraph/tskgraph/data"
	_ "github.com/tskgraph/tskgraph/data/table/csv" // of training parts and of requests
	"github.com/tskgraph/tskgraph/explain/shapley"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/drift"
	"github.com/tskgraph/tskgraph/model"
)

// Source is a model to serve.
type Source struct{ Name, Version, Path string }

// trainFile is the training part in the directory of a run.
const trainFile = "train.csv"

// ofURL matches names and versions, which are parts of addresses.
var ofURL = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$`)

// ParseSource reads [NAME[:VERSION]=]PATH. Without a name, it is that of the directory or the file; without a version, it is 1.
func ParseSource(text string) (Source, error) {
	s := Source{Path: text}
	if name, path, named := strings.Cut(text, "="); named {
		s.Path = path
		s.Name, s.Version, _ = strings.Cut(name, ":")
	} else if abs, err := filepath.Abs(text); err == nil {
		s.Name = strings.TrimSuffix(filepath.Base(abs), ".json")
	}
	if s.Version == "" {
		s.Version = "1"
	}
	if !ofURL.MatchString(s.Name) || !ofURL.MatchString(s.Version) || s.Path == "" {
		return s, fmt.Errorf("%s: want NAME=PATH or NAME:VERSION=PATH, with letters, digits, _ . and - in names and versions", escape.Quote(text))
	}
	return s, nil
}

// served is a model that is served. It does not change, apart from its counts and what is idle.
type served struct {
	Source
	*model.Model
	checksum string
	loaded   time.Time
	files    []fs.FileInfo // at the time of loading

	scorer      *model.Scorer
	level       float64 // of intervals or sets; 0: none
	outputs     []output
	description words.Description
	says        [][]string          // [1 or C] the rules that decide, as JSON
	train       *data.Dataset       // nil: unknown
	shapley     *shapley.Attributor // nil: without train, or it is a model of a response
	columns     map[string]int      // of requests, by name: the index in table.Cells.Names, or unread
	names       []string            // of these columns
	numbers     []bool              // those of numbers
	keys        []string            // [J] the names of the values as JSON
	head        string              // of an answer in the plain form
	idle        sync.Pool           // of *scratch
	counts      *counts             // of the source
	window      *drift.Window       // of the last rows; nil: they are not compared
	decided     [][]atomic.Int64    // [1 or C][rules] rows since it was loaded

	viewing sync.Mutex
	viewed  []byte // the page; nil: not asked yet, or there is none
}

// unread is the index of a column that requests may have, and that is not read: a target, the weight, or an unused column.
const unread = -1

// load loads and tests a model.
func (s *Server) load(ctx context.Context, src Source) (*served, error) {
	one := &served{Source: src, files: filesOf(src.Path), loaded: time.Now()}
	var err error
	if one.Model, err = model.Load(src.Path); err != nil {
		return nil, err
	}
	sum := sha256.New()
	if err := one.Encode(sum); err != nil {
		return nil, err
	}
	one.checksum = hex.EncodeToString(sum.Sum(nil))
	if one.scorer, err = model.NewScorer(one.Model); err != nil {
		return nil, err
	}
	if _, err := one.Score(s.options.Level, model.BothSides); err == nil {
		one.level = s.options.Level
	} else if !errors.Is(err, model.ErrNotCalibrated) && one.Schema.Offset.Column == "" {
		return nil, fmt.Errorf("--interval: %w", err)
	}
	one.outputs = outputsOf(one)
	if err := one.readColumns(); err != nil {
		return nil, err
	}
	if err := one.readTrain(ctx); err != nil {
		return nil, err
	}
	if err := one.watch(s.options.Window); err != nil {
		return nil, err
	}
	if one.description, err = s.options.Describe(ctx, one.Model, src.Path); err != nil {
		return nil, err
	}
	one.sayRules()
	return one, nil
}

// readColumns finds the columns of requests, and writes the names that answers have.
func (m *served) readColumns() error {
	cells, err := table.NewCells(m.Schema)
	if err != nil {
		return err
	}
	m.names, m.columns = cells.Names, map[string]int{}
	for _, name := range append(m.Schema.Targets(), m.Schema.Weight) {
		m.columns[name] = unread
	}
	delete(m.columns, "") // of no weight
	for _, c := range m.Schema.Columns {
		if m.columns[c.Name] = unread; !c.Unused {
			m.numbers = append(m.numbers, c.Numbers())
		}
	}
	if m.Schema.Offset.Column != "" {
		m.numbers = append(m.numbers, true)
	}
	for at, name := range m.names {
		m.columns[name] = at
	}
	for _, v := range m.Values() {
		m.keys = append(m.keys, quoted(v.Choice()))
	}
	m.head = `{"model":` + quoted(m.Name) + `,"version":` + quoted(m.Version) + `,"target":` + quoted(m.Schema.Target)
	if m.Schema.TargetUnit != "" {
		m.head += `,"unit":` + quoted(m.Schema.TargetUnit)
	}
	if m.level != 0 {
		m.head += `,"level":` + string(appendNumber(nil, m.level))
	}
	m.head += `,"rows":[`
	return nil
}

// readTrain reads the training part of a run, if there is one, and tests the model on it.
func (m *served) readTrain(ctx context.Context) (err error) {
	path := filepath.Join(m.Path, trainFile)
	if _, err := os.Lstat(path); err != nil {
		return nil
	}
	if m.train, err = data.ReadAs(path, m.Schema, data.Options{Delimiter: "auto", Lenient: true, Run: true}); err != nil {
		return err
	}
	if err := m.test(ctx); err != nil {
		return fmt.Errorf("the model fails its test on %s: %w", path, err)
	}
	if m.Number() {
		m.shapley, err = shapley.New(m.Model, m.train, m.Training.Seed)
	}
	return err
}

// testRows is the number of training rows whose predictions are compared.
const testRows = 1000

// test compares predictions of training rows: by the server with those of the model, to the bit, and their error with the one that the
// training recorded in the model.
func (m *served) test(ctx context.Context) error {
	filled := m.Fill(m.train)
	x := filled.X[:min(len(filled.X), testRows)]
	want, err := m.Predict(x)
	if err != nil {
		return err
	}
	got, _, err := m.scorer.Score(x, nil)
	if err != nil {
		return err
	}
	for i, v := range got.Values {
		if math.Float64bits(v) != math.Float64bits(want.Values[i]) {
			return fmt.Errorf("row %d is predicted as %v, not as %v", i+1, v, want.Values[i])
		}
	}
	recorded, kept := m.Training.Metrics["rmse_train"]
	if !kept || m.Neighbours != nil || m.Training.Samples != m.train.Len() || m.Training.Sample != 0 || m.train.Whole != nil {
		return nil // the record is of other rows, or without each row's own neighbours
	}
	e, err := m.Evaluate(ctx, filled)
	if err == nil && !(math.Abs(e.RMSE-recorded) <= 1e-9*(1+recorded)) {
		err = fmt.Errorf("its RMSE is %v, but %v was recorded: the files are of two trainings", e.RMSE, recorded)
	}
	return err
}

// filesOf returns what identifies the content of the files of a model; nil for one that is not there.
func filesOf(path string) []fs.FileInfo {
	var all []fs.FileInfo
	for _, name := range []string{path, filepath.Join(path, model.FileName), filepath.Join(path, trainFile)} {
		info, err := os.Stat(name)
		if err == nil && info.IsDir() { // whose time changes with any file
			continue
		}
		if err != nil {
			info = nil
		}
		all = append(all, info)
	}
	return all
}

// unchanged reports whether files are the same.
func unchanged(a, b []fs.FileInfo) bool {
	return slices.EqualFunc(a, b, func(a, b fs.FileInfo) bool {
		if a == nil || b == nil {
			return a == nil && b == nil
		}
		return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size()
	})
}

// Reload loads the models again whose files have changed or, if all is true, all of them, tests them, and exchanges them for those served.
// A model that cannot be loaded is logged, and the one before it is served on.
func (s *Server) Reload(ctx context.Context, all bool) {
	s.loading.Lock()
	defer s.loading.Unlock()
	before := *s.models.Load()
	after := slices.Clone(before)
	for i, m := range before {
		files := filesOf(m.Path)
		if !all && (unchanged(files, m.files) || unchanged(files, s.failed[m.Source])) {
			continue
		}
		one, err := s.load(ctx, m.Source)
		if err != nil {
			s.failed[m.Source] = files
			s.metrics.reloads[1].Add(1)
			s.log.Error("model not reloaded", "model", m.Name, "version", m.Version, "error", escape.Text(err.Error()))
			continue
		}
		delete(s.failed, m.Source)
		one.counts = m.counts
		after[i] = one
		s.metrics.reloads[0].Add(1)
		s.log.Info("model reloaded", one.attributes()...)
	}
	s.models.Store(&after)
}

// attributes are those of a model in logs.
func (m *served) attributes() []any {
	return []any{slog.String("model", m.Name), slog.String("version", m.Version), slog.String("path", m.Path),
		slog.String("sha256", m.checksum), slog.Bool("tested", m.train != nil)}
}

// find returns the model of a name and a version: the first for an empty name, the last version for an empty version.
func (s *Server) find(name, version string) (found *served, err error) {
	all := *s.models.Load()
	for _, m := range all {
		if (m.Name == name || name == "" && m.Name == all[0].Name) && (m.Version == version || version == "") {
			found = m
		}
	}
	if found == nil {
		return nil, refusal(404, "no model %s of version %s: GET /v2 lists the models", escape.Quote(name), escape.Quote(version))
	}
	return found, nil
}

// sayRules writes the rules as they are in answers.
func (m *served) sayRules() {
	if m.Committee() {
		return
	}
	m.says = make([][]string, max(1, len(m.Pages)))
	at := 0
	for c := range m.says {
		n := len(m.description.Rules)
		if m.Pages != nil {
			n = len(m.Pages[c].Rules)
		}
		for _, r := range m.description.Rules[at : at+n] {
			m.says[c] = append(m.says[c], quoted(m.description.Say(r).Sentence()))
		}
		at += n
		m.decided = append(m.decided, make([]atomic.Int64, n))
	}
}
