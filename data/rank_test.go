package data

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// cities is a table of n rows of a city, one in 50 missing, and a price, which rises from Ypsilanti to Aachen.
func cities(n int) string {
	var b strings.Builder
	b.WriteString("city,price,part\n")
	for i := range n {
		city := []string{"Aachen", "Bremen", "Ypsilanti"}[i%3]
		part := "train"
		if i%10 == 9 {
			part = "test"
		}
		if i%50 == 49 {
			fmt.Fprintf(&b, ",7,%s\n", part)
			continue
		}
		fmt.Fprintf(&b, "%s,%d,%s\n", city, 10-3*(i%3)+i%2, part)
	}
	return b.String()
}

var rankedCities = table.Options{Target: "price", Missing: "mean", SplitColumn: "part",
	Categorical: map[string]table.Coding{"city": {Encoding: Ranked}}}

func loadCities(t *testing.T, text string, o table.Options) (*Parts, error) {
	t.Helper()
	split := Split{Kind: "column", Column: "part", Calibration: 0.2}
	return Source{Path: writeFile(t, "cities.csv", text), Options: o, Split: split}.Load(t.Context())
}

// TestRank: levels have the order of their means over the training rows in all parts, and one without a training row is in the middle.
func TestRank(t *testing.T) {
	p := testenv.Must(loadCities(t, cities(300)+"Zwolle,99,test\n,5,test\n", rankedCities))
	city := p.Train.Schema.Columns[0]
	testenv.Equal(t, fmt.Sprint(city.Encoding, city.Levels), "ordinal[Ypsilanti Bremen Zwolle Aachen]", "column")
	if x := p.Test.X; x[len(x)-2][0] != 3 || !math.IsNaN(x[len(x)-1][0]) || p.Test.Schema.Columns[0].Levels[3] != "Aachen" {
		t.Errorf("test part %v", x[len(x)-2:])
	}
	if c := p.Calibration; len(c.Schema.Columns[0].Levels) != 4 || c.Schema.Columns[0].Encoding != Ordinal {
		t.Errorf("calibration part: %+v", c.Schema.Columns[0])
	}
	for i, x := range p.Train.X {
		if y := p.Train.Y[i]; x[0] == 1 && y > 5 || x[0] == 4 && y < 10 {
			t.Errorf("row %d: %v, price %v", p.Train.Rows[i], x[0], y)
		}
	}
}

// TestRankFewRows: a level of one row stays close to the mean of all.
func TestRankFewRows(t *testing.T) {
	p := testenv.Must(loadCities(t, cities(300)+"Zwolle,12,train\n", rankedCities))
	testenv.Equal(t, fmt.Sprint(p.Train.Schema.Columns[0].Levels), "[Ypsilanti Bremen Zwolle Aachen]", "levels")
}

// TestRankLarge: a table that is read in pieces has the order of a small one.
func TestRankLarge(t *testing.T) {
	testenv.SkipRace(t)
	p := testenv.Must(loadCities(t, cities(300_000), rankedCities))
	defer p.Close()
	testenv.Equal(t, fmt.Sprint(p.Train.Schema.Columns[0].Levels, p.Train.Whole != nil), "[Ypsilanti Bremen Aachen] true", "levels")
	chunk := testenv.Must(WeighedBucket(p.Train.Whole, 0))
	for i, x := range chunk.X {
		if y := chunk.Y[i]; x[0] == 1 && y > 5 || x[0] == 3 && y < 10 {
			t.Fatalf("row %d: %v, price %v", i, x[0], y)
		}
	}
}

// TestRankRefuses: three classes have no mean, and a piece of a table does not know the others'.
func TestRankRefuses(t *testing.T) {
	classes := rankedCities
	classes.Target, classes.Categorical = "part", map[string]table.Coding{"city": {Encoding: Ranked}}
	classes.SplitColumn = ""
	text := strings.ReplaceAll(cities(90), "city,price,part", "city,price,kind")
	text = strings.ReplaceAll(text, "\nAachen,10,train", "\nAachen,10,third")
	classes.Target = "kind"
	_, err := Source{Path: writeFile(t, "classes.csv", text), Options: classes}.Load(t.Context())
	if key := new(KeyError); !errors.As(err, &key) || key.Key != "data.categorical" {
		t.Errorf("three classes: %v", err)
	}
	o := rankedCities
	o.SplitColumn = ""
	whole := Source{Path: writeFile(t, "pieces.csv", cities(90)), Options: o}
	_, err = NewSharded(t.Context(), whole, Piece{Input: table.Input{Name: whole.Path}})
	if key := new(KeyError); !errors.As(err, &key) || key.Key != "data.categorical" || !strings.Contains(err.Error(), "one process") {
		t.Errorf("a sharded table: %v", err)
	}
	levels := rankedCities
	levels.Categorical = map[string]table.Coding{"city": {Encoding: Ranked, Levels: []string{"Aachen", "Bremen"}}}
	if err := levels.Validate(); err == nil || !slices.Contains(table.Encodings(), Ranked) {
		t.Errorf("levels of a ranked column: %v", err)
	}
}
