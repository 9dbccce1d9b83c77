package dossier

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/tskgraph/tskgraph/certify"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/report/page"
)

// promises says what the configuration promises, and what the certificate of the run proves for all rows of a domain. Each box of its
// proofs is checked again.
func (b *builder) promises() error {
	for _, o := range b.Options {
		b.add("", "The configuration asks for %s: %s.", o[0], o[1])
	}
	const check = "tskgraph certify . --check " + certify.FileName
	if b.Certificate == nil {
		if _, err := certify.Prove(b.ctx, b.m, certify.Options{Samples: 1, Only: true}); err != nil {
			b.add("", "Nothing is proved: the model has no certificate (%v).", err)
			return nil
		}
		b.add("tskgraph certify .", "Nothing is proved: the run has no %s. The command below makes one.", certify.FileName)
		return nil
	}
	c, err := certify.Decode(bytes.NewReader(b.Certificate))
	if err == nil {
		err = c.Check(b.m)
	}
	if err != nil {
		b.add(check, "WARNING: %s is refused, so that nothing is proved: %v. The command tskgraph certify . makes another.", certify.FileName,
			err).Warning = true
		return nil
	}
	s := c.Summary()
	var rows [][]string
	for _, claim := range s.Claims {
		rows = append(rows, []string{claim.Name(), claim.Column, claim.Says(), claim.Seen(), claim.State()})
	}
	head := []string{"claim", "column", "", "seen", "status"}
	b.addTable(check, len(head), head, rows,
		"%d of %d claims are proved, for all rows of a domain: %s. Each box of the proofs was checked again.", s.Proved, len(s.Claims), s.Domain)
	for _, claim := range s.Claims {
		if claim.Status == certify.Refuted {
			i := b.add(check, "Refuted by the rows below: %s.", claim)
			i.Printed, i.Warning = certify.CSV(s.Domain, claim.Rows), claim.Promised
		}
	}
	return nil
}

// fewRows is the number of training rows below which a rule rests on few.
const fewRows = 30

// limits says where the model is not to be trusted.
func (b *builder) limits() error {
	b.add("", "The model was trained on rows within the ranges of section 2; a value may lie outside of them. %s", page.Beyond(b.m))
	if b.Test == nil {
		b.add("", "Without a test part, rows outside the ranges, rows that no rule covers, and twins are not counted.")
	} else if err := b.onTest(); err != nil {
		return err
	}
	e, err := b.m.EvaluateTraining(b.ctx, b.Train)
	if err != nil {
		return err
	}
	b.add(itself, "Rows of the training part that no rule covers: %d.", e.Uncovered)
	b.few()
	if r := b.Described.Readability; r != nil {
		if remark := r.Remark(); remark != "" {
			b.add("tskgraph show --model .", "%s", remark).Warning = true
		}
	}
	if b.m.Neighbours != nil {
		b.add("", "The model corrects its rules by the nearest training rows, which it holds: the rules do not show these corrections.")
	}
	return nil
}

// onTest counts the rows of the test part beyond what the model knows, and those with a twin in the training part.
func (b *builder) onTest() error {
	e, err := b.m.Evaluate(b.ctx, b.Test)
	if err != nil {
		return err
	}
	b.add(evaluateTest, "Rows of the test part with a value outside the range of the training part: %d of %d.", e.OutOfRange, e.Samples)
	b.add(evaluateTest, "Rows of the test part that no rule covers: %d; for such a row, the model predicts the %s.", e.Uncovered, e.Constant())
	if b.m.Schema.Classes == nil {
		b.add(evaluateTest, "Predictions for the test part that were kept within the limits of the target: %d.", e.Limited)
	}
	twins, err := words.MeasureTwins(b.ctx, b.m, words.Part{Name: "the test part", Dataset: b.Test},
		words.Part{Name: "the training part", Dataset: b.Train}, e)
	switch {
	case err != nil:
		return err
	case twins == nil:
		b.add(evaluateTest, "No row of the test part has the features of a training row.")
	default:
		b.add(evaluateTest, "%s %s", twins, words.TwinsAdvice)
	}
	b.unknown()
	return nil
}

// unknown counts the cells of the test part that are missing or of unknown categories.
func (b *builder) unknown() {
	count := func(m map[string]int) (n int) {
		for _, of := range m {
			n += of
		}
		return n
	}
	m := b.Test.Missing
	b.add(itself, "Cells of the test part that are missing: %d; of a category that the model does not know: %d.", count(m.Columns),
		count(m.Unknown))
}

// few names the rules that rest on few training rows.
func (b *builder) few() {
	members := b.Described.Members
	if members == nil {
		members = []words.Description{b.Described}
	}
	var found []string
	for k, d := range members {
		for _, r := range d.Rules {
			if r.Local == nil || r.Local.Samples >= fewRows {
				continue
			}
			name := r.Name()
			if len(members) > 1 {
				name = fmt.Sprintf("%s of member %d", name, k+1)
			}
			found = append(found, fmt.Sprintf("%s (%d)", name, r.Local.Samples))
		}
	}
	if found == nil {
		b.add("tskgraph show --model .", "Each rule decides at least %d rows of the training part.", fewRows)
		return
	}
	b.add("tskgraph show --model .", "Rules that decide fewer than %d rows of the training part, with their number: %s.", fewRows,
		strings.Join(found, ", "))
}
