package ensemble_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// remote returns a Remote that runs trials by Run.Trials, with trials and outcomes in JSON.
func remote(t *testing.T, d *data.Dataset, r recipe.Recipe) *ensemble.Remote {
	t.Helper()
	trials, err := ensemble.Run{Recipe: r}.Trials(d)
	if err != nil {
		t.Fatal(err)
	}
	return &ensemble.Remote{Workers: 1, Train: func(ctx context.Context, trial ensemble.Trial) (o ensemble.Outcome, err error) {
		there, err := trials.Train(ctx, trial)
		if err != nil {
			return o, err
		}
		text, err := json.Marshal(there)
		if err != nil {
			return o, err
		}
		return o, json.Unmarshal(text, &o)
	}}
}

// TestRemoteRace: trials in another process give the model, the scores and the leaders of a race in this one.
func TestRemoteRace(t *testing.T) {
	d, o := table(t, 200), racing()
	o.Train.Race = []recipe.Setting{{"iterations": 40}, {"iterations": 60, "init": "one-feature"}, {"iterations": 50, "antecedents": 1},
		{"iterations": 50, "learning_rate": 1e300}}
	type lead struct {
		ensemble.Leader
		model string
	}
	run := func(remote *ensemble.Remote) (string, []ensemble.RaceScore, []lead) {
		var leads []lead
		r := train(t, d, nil, ensemble.Run{Recipe: o, Remote: remote, OnLeader: func(l ensemble.Leader) {
			text := encoded(t, l.Model)
			l.Model = nil
			leads = append(leads, lead{l, text})
		}})
		return encoded(t, r.Model), r.Race, leads
	}
	want, scores, _ := run(nil)
	got, gotScores, leads := run(remote(t, d, o))
	if got != want || !reflect.DeepEqual(gotScores, scores) {
		t.Errorf("a remote race gives another model or other scores: %+v, want %+v", gotScores, scores)
	}
	if len(leads) == 0 {
		t.Fatal("no leader")
	}
	if first, last := leads[0], leads[len(leads)-1]; first.Settings != len(scores) || first.Loss <= 0 || last.Loss <= 0 {
		t.Errorf("leaders %+v", leads)
	}
	for _, l := range leads {
		if !reflect.DeepEqual(l.Setting, scores[l.Number-1].Setting) || l.Metric != scores[l.Number-1].Metric {
			t.Errorf("leader %d has setting %v", l.Number, l.Setting)
		}
	}
}

// TestRemoteRaceFails: an error of the other process ends the race, as do losses of other samples.
func TestRemoteRaceFails(t *testing.T) {
	d, o := table(t, 100), racing()
	broken := errors.New("worker ended")
	for _, c := range []struct {
		outcome ensemble.Outcome
		err     error
		text    string
	}{{err: broken, text: "worker ended"}, {outcome: ensemble.Outcome{Losses: []float64{1}}, text: "1 and 0 losses on"}} {
		run := ensemble.Run{Recipe: o, Remote: &ensemble.Remote{Train: func(context.Context, ensemble.Trial) (ensemble.Outcome,
			error) {
			return c.outcome, c.err
		}}}
		if _, err := run.Train(context.Background(), d, nil); err == nil || !strings.Contains(err.Error(), c.text) || c.err != nil &&
			!errors.Is(err, c.err) {
			t.Errorf("error %v, want one with %q", err, c.text)
		}
	}
	if _, err := remote(t, d, o).Train(context.Background(), ensemble.Trial{Setting: 2}); err == nil {
		t.Error("no error for a setting that does not enter")
	}
	o.Train.Race = o.Train.Race[:1]
	if _, err := (ensemble.Run{Recipe: o}).Trials(d); err == nil {
		t.Error("no error for a race of one setting")
	}
}
