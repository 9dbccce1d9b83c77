package plot

import (
	"cmp"
	"errors"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/palette/brewer"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	surfaceSteps = 120 // along either axis
	surfaceDots  = 300 // of the data
)

// Surface draws the prediction, number j of [Outputs] (0 for a single number), over two features, with all others as in a typical row of
// the data, see [data.Dataset.Medoid]. Dots show some of the data; the surface fades and ends where no row is near.
func Surface(m *model.Model, d *data.Dataset, a, b string, j int) (*Figure, error) {
	of := output{m, j}
	if err := m.CheckFeatures(d); err != nil {
		return nil, err
	}
	if a == b {
		return nil, errors.New("plot: a surface needs two different features")
	}
	all := columns(m)
	x, err := find(all, a)
	if err != nil {
		return nil, err
	}
	y, err := find(all, b)
	if err != nil {
		return nil, err
	}
	across, up := spanOf(m, x, x.values(d)), spanOf(m, y, y.values(d))
	g, err := newGrid(of, d, across, up)
	if err != nil {
		return nil, err
	}
	veil := newVeil(across, up, d)
	heat := plotter.NewHeatMap(g, ramp{})
	heat.Rasterized = true
	heat.Min, heat.Max = veil.extent(g)
	if heat.Min == heat.Max && of.m.Response.Classes != nil {
		heat.Min, heat.Max = 0, 1 // of a probability
	} else if heat.Min == heat.Max {
		heat.Min, heat.Max = heat.Min-0.5, heat.Max+0.5
	}
	p := newPlot(across.title(), up.title(), 50*vg.Millimeter)
	p.Add(heat)
	if across.places == nil && up.places == nil {
		p.Add(newContours(g, heat.Min, heat.Max))
	}
	p.Add(plotter.NewImage(veil.image(), across.low, up.low, across.high, up.high))
	p.dots(where(d, across, up), color.NRGBA{A: 110}, 0.6)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = across.low, across.high, up.low, up.high
	across.mark(&p.X, 52*vg.Millimeter)
	up.markUp(&p.Y, 40*vg.Millimeter)
	bar := colourBar(heat.Min, heat.Max, of.label())
	return &Figure{width: Width, height: 62 * vg.Millimeter, draw: func(c draw.Canvas) {
		fill(c)
		room := 17 * vg.Millimeter // of the colour bar, whose numbers may be long
		colours := bar.DataCanvas(draw.Crop(c, Width-room, -1.5*vg.Millimeter, 0, 0))
		room += max(0, 4*vg.Millimeter-(colours.Max.X-colours.Min.X))
		main := draw.Crop(c, vg.Millimeter, -room-4*vg.Millimeter, vg.Millimeter, -2*vg.Millimeter)
		p.Draw(main)
		inner := p.DataCanvas(main) // aligns the colour bar with the plot
		side := draw.Crop(c, Width-room, -1.5*vg.Millimeter, inner.Min.Y-c.Min.Y, inner.Max.Y-c.Max.Y)
		within := bar.DataCanvas(side)
		bar.Draw(draw.Crop(side, 0, 0, side.Min.Y-within.Min.Y, side.Max.Y-within.Max.Y))
	}}, p.err
}

// grid is a surface on a grid; it implements plotter.GridXYZ. The cells at the ends of an axis have the values at these: columns often
// have many rows there, and a border beside them.
type grid struct {
	x, y []float64
	z    [][]float64 // by y, then x
}

func (g *grid) Dims() (c, r int)   { return len(g.x), len(g.y) }
func (g *grid) Z(c, r int) float64 { return g.z[r][c] }
func (g *grid) X(c int) float64    { return g.x[c] }
func (g *grid) Y(r int) float64    { return g.y[r] }

func newGrid(of output, d *data.Dataset, x, y span) (*grid, error) {
	g := &grid{x: cells(x.low, x.high), y: cells(y.low, y.high)}
	row := typical(of.m, d)
	for _, v := range between(y.low, y.high, surfaceSteps) {
		samples := make([][]float64, len(g.x))
		for i, u := range between(x.low, x.high, surfaceSteps) {
			samples[i] = append([]float64(nil), row...)
			x.set(samples[i], x.drawn(u))
			y.set(samples[i], y.drawn(v))
		}
		p, err := of.m.Predict(samples)
		if err != nil {
			return nil, err
		}
		g.z = append(g.z, of.of(p))
	}
	return g, nil
}

// drawn returns the value for which a surface is drawn at v: the nearest place, or v.
func (s span) drawn(v float64) float64 {
	if s.places == nil {
		return v
	}
	return s.places.nearest(v)
}

// cells returns the centres of the cells that fill a range.
func cells(low, high float64) []float64 {
	half := (high - low) / surfaceSteps / 2
	return between(low+half, high-half, surfaceSteps)
}

// where returns the positions of some of the data on the axes, chosen at random.
func where(d *data.Dataset, x, y span) plotter.XYs {
	rng := rand.New(rand.NewPCG(1, 2))
	spread := func(s span, v float64) float64 { // over the width of a place
		if s.places != nil {
			v += 0.7 * (rng.Float64() - 0.5) * s.places.gap()
		}
		return v
	}
	var points plotter.XYs
	for _, n := range rng.Perm(d.Len())[:min(d.Len(), surfaceDots)] {
		if u, v := x.get(d.X[n]), y.get(d.X[n]); x.has(u) && y.has(v) {
			points = append(points, plotter.XY{X: spread(x, u), Y: spread(y, v)})
		}
	}
	return points
}

// colourBar draws the colours of a range of values beside their scale.
func colourBar(low, high float64, title string) *axes {
	p := newPlot("", title, 52*vg.Millimeter)
	const steps = 200
	g := &grid{x: []float64{0, 1}}
	for i := range steps {
		v := low + (high-low)*(float64(i)+0.5)/steps
		g.y, g.z = append(g.y, v), append(g.z, []float64{v, v})
	}
	heat := plotter.NewHeatMap(g, ramp{})
	heat.Rasterized, heat.Min, heat.Max = true, low, high
	p.Add(heat)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, low, high
	p.HideX()
	p.Y.Tick.Marker = ticks(6)
	return p
}

// ramp is YlGnBu as a continuous scale, from dark to light.
type ramp struct{}

func (ramp) Colors() []color.Color {
	p, err := brewer.GetPalette(brewer.TypeSequential, "YlGnBu", 9)
	if err != nil {
		panic(err) // the palette is part of the package
	}
	anchors := p.Colors()[1:] // the lightest hides white lines
	const n = 256
	colours := make([]color.Color, n)
	for i := range colours {
		at := (1 - float64(i)/(n-1)) * float64(len(anchors)-1)
		k := min(int(at), len(anchors)-2)
		colours[i] = mix(anchors[k], anchors[k+1], at-float64(k))
	}
	return colours
}

func mix(a, b color.Color, share float64) color.Color {
	r0, g0, b0, _ := a.RGBA()
	r1, g1, b1, _ := b.RGBA()
	at := func(u, v uint32) uint8 { return uint8(math.Round((float64(u)*(1-share) + float64(v)*share) / 257)) }
	return color.RGBA{R: at(r0, r1), G: at(g0, g1), B: at(b0, b1), A: 0xff}
}

// contours draws the contour lines of a grid in a fixed order. plotter.Contour keeps them
// in a map, so that the bytes of its SVG differ from one run to the next.
type contours struct{ *plotter.Contour }

// newContours returns contour lines at the ticks of the colour bar.
func newContours(g *grid, low, high float64) contours {
	var levels []float64
	for _, t := range ticks(6)(low, high) {
		levels = append(levels, t.Value)
	}
	lines := plotter.NewContour(g, levels, nil)
	lines.LineStyles = []draw.LineStyle{{Color: color.White, Width: vg.Points(0.6)}}
	return contours{lines}
}

// Plot implements plotter.Plotter. All lines have the same style, so their order does not change the picture.
func (k contours) Plot(c draw.Canvas, p *gonum.Plot) {
	lines := collector{Canvas: c.Canvas}
	k.Contour.Plot(draw.Canvas{Canvas: &lines, Rectangle: c.Rectangle}, p)
	slices.SortFunc(lines.paths, func(a, b vg.Path) int { return slices.CompareFunc(a, b, comparePositions) })
	for _, path := range lines.paths {
		c.Stroke(path)
	}
}

func comparePositions(a, b vg.PathComp) int {
	return cmp.Or(cmp.Compare(a.Pos.X, b.Pos.X), cmp.Compare(a.Pos.Y, b.Pos.Y))
}

// collector is a canvas that collects the paths of strokes instead of drawing them.
type collector struct {
	vg.Canvas
	paths []vg.Path
}

func (c *collector) Stroke(p vg.Path) { c.paths = append(c.paths, p) }
