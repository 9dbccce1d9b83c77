package model

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/loss"
)

// Criterion is the figure by which models of a task are compared, a mean of losses of the response:
//
//	RMSE                   root of the mean squared error, for the squared loss
//	MAE                    mean absolute error, for huber and absolute
//	mean pinball loss      of all quantiles
//	mean Poisson deviance  2 (t log(t/mu) - t + mu) for a target t and its prediction mu
//	mean gamma deviance    2 (t/mu - 1 - log(t/mu))
//	mean Tweedie deviance  2 (mu^(2-p)/(2-p) + t mu^(1-p)/(p-1) - t^(2-p)/((p-1)(2-p))) for Response.Power p
//	log loss               -log p of the true class
//
// mu is at least 1e-15 of the training mean, p at least 1e-15.
//
// The errors of several targets are in standard deviations, and their mean over the targets is weighted by Response.Weights.
type Criterion struct {
	Name string
	of   func(s scoring, response []float64, n int) float64
}

// The criteria, and those of the links.
var (
	rmse     = Criterion{"RMSE", squareOf}
	mae      = Criterion{"MAE", absoluteOf}
	pinball  = Criterion{"mean pinball loss", pinballOf}
	poisson  = Criterion{"mean Poisson deviance", poissonOf}
	gamma    = Criterion{"mean gamma deviance", gammaOf}
	tweedie  = Criterion{"mean Tweedie deviance", tweedieOf}
	logLoss  = Criterion{"log loss", logLossOf}
	criteria = []Criterion{rmse, mae, pinball, poisson, gamma, tweedie, logLoss}
	byLink   = map[string]Criterion{identityLink: rmse, orderedLink: pinball, logLink: poisson, logitLink: logLoss, softmaxLink: logLoss}
)

// CriterionOf returns the criterion of models that were trained with a loss, the value of train.loss, on a table of the schema: the one
// that the metric of the loss names, or that of its link. A loss that is not registered, or not for such a table, is an error.
func CriterionOf(trainLoss string, s data.Schema) (Criterion, error) {
	c := rmse
	switch trainLoss {
	case "", "sum", "mean":
	case "huber": // its metric is in standard deviations
		c = mae
	default:
		l, err := loss.Lookup(trainLoss)
		if err != nil {
			return c, fmt.Errorf("train.loss: %s: no criterion compares models of this loss: register it", escape.Quote(trainLoss))
		}
		c = byLink[l.Link().Name()]
		if i := slices.IndexFunc(criteria, func(c Criterion) bool { return c.Name == l.Metric().Name }); i >= 0 {
			c = criteria[i]
		}
	}
	switch {
	case c.of == nil:
		return c, fmt.Errorf("train.loss: %s: its link is none of package loss", escape.Quote(trainLoss))
	case s.Classes == nil && c.Name == logLoss.Name:
		return c, fmt.Errorf("train.loss: %s: it is for classes, and the target has numbers", escape.Quote(trainLoss))
	case s.Classes != nil:
		return logLoss, nil
	}
	return c, nil
}

// Root reports whether the figure is the root of a mean, as the RMSE is.
func (c Criterion) Root() bool { return c.Name == rmse.Name }

// Figure returns the figure of a mean loss that was computed in a unit, see [HeldOutLosses].
func (c Criterion) Figure(mean, unit float64) float64 {
	switch c.Name {
	case rmse.Name:
		return unit * math.Sqrt(mean)
	case gamma.Name, tweedie.Name, logLoss.Name: // without a unit
		return mean
	}
	return unit * mean
}

func squareOf(s scoring, response []float64, n int) float64 {
	return s.mean(response, func(j int, v float64) float64 {
		e := s.error(v, n, j)
		return e * e
	})
}

func absoluteOf(s scoring, response []float64, n int) float64 {
	return s.mean(response, func(j int, v float64) float64 { return math.Abs(s.error(v, n, j)) })
}

func pinballOf(s scoring, response []float64, n int) float64 {
	return s.mean(response, func(j int, v float64) float64 { return pinballLoss(s.all[j].Level, -s.error(v, n, j)) })
}

// pinballLoss returns the loss of a quantile of the level q for an error e, target minus quantile.
func pinballLoss(q, e float64) float64 { return max(float64(q*e), float64((q-1)*e)) }

// least is the least share of the training mean, and the least probability, in a logarithm.
const least = 1e-15

func poissonOf(s scoring, response []float64, n int) float64 {
	t, mu := s.data.Y[n]/s.unit, max(response[0], least*s.all[0].Mean)/s.unit
	if t == 0 {
		return 2 * mu
	}
	return max(0, 2*(float64(t*math.Log(t/mu))-t+mu))
}

func gammaOf(s scoring, response []float64, n int) float64 {
	ratio := s.data.Y[n] / max(response[0], least*s.all[0].Mean)
	return max(0, 2*(ratio-1-math.Log(ratio)))
}

func tweedieOf(s scoring, response []float64, n int) float64 {
	mean := s.all[0].Mean
	return 2 * loss.Tweedie{Power: s.all[0].power}.Value(math.Log(max(response[0]/mean, least)), s.data.Y[n]/mean) *
		math.Pow(mean, 2-s.all[0].power)
}

func logLossOf(s scoring, response []float64, n int) float64 {
	return -math.Log(max(response[int(s.data.Y[n])], least))
}

// predicted are the values of a response and what they are to predict.
type predicted interface {
	values() []Value
	observed(d *data.Dataset, n, j int) float64
}

// scoring is what the losses of a criterion are computed from.
type scoring struct {
	predicted
	Criterion
	data  *data.Dataset
	all   []Value
	units []float64 // [J] of errors: the given one of a single target; of several it is the standard deviation of each
	unit  float64   // the given one
}

func newScoring(k predicted, of Criterion, d *data.Dataset, unit float64) scoring {
	s := scoring{predicted: k, Criterion: of, data: d, all: k.values(), unit: unit}
	for _, v := range s.all {
		s.units = append(s.units, cmp.Or(v.Scale, unit))
	}
	return s
}

// deviation returns the standard deviation of what the response predicts, in units; of several
// values the root of the sum of their squares.
func (s scoring) deviation() float64 {
	all, values := 0.0, make([]float64, s.data.Len())
	for j, unit := range s.units {
		for n := range values {
			values[n] = s.observed(s.data, n, j)
		}
		_, sd, _, _ := moments(values, s.data.Weights)
		all = math.Hypot(all, sd/unit)
	}
	return all
}

// error returns the error of value j of the response to sample n, in its unit.
func (s scoring) error(v float64, n, j int) float64 {
	return (v - s.observed(s.data, n, j)) / s.units[j]
}

// mean returns the mean over the targets.
func (s scoring) mean(response []float64, of func(j int, v float64) float64) float64 {
	if len(response) == 1 {
		return of(0, response[0])
	}
	sum, total := 0.0, 0.0
	for j, v := range response {
		sum += float64(s.all[j].weight * of(j, v))
		total += s.all[j].weight
	}
	return sum / total
}
