package fmu

import (
	"encoding/xml"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/buildinfo"
	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/model"
)

// node is an element of XML.
type node struct {
	XMLName xml.Name
	Attrs   []xml.Attr `xml:",any,attr"`
	Nodes   []node
}

// element returns an element with pairs of attributes, of which empty values are left out.
func element(name string, nodes []node, attrs ...string) node {
	n := node{XMLName: xml.Name{Local: name}, Nodes: nodes}
	for i := 0; i < len(attrs); i += 2 {
		if attrs[i+1] != "" {
			n.Attrs = append(n.Attrs, xml.Attr{Name: xml.Name{Local: attrs[i]}, Value: attrs[i+1]})
		}
	}
	return n
}

// document returns a document of XML.
func document(n node) []byte {
	text, err := xml.MarshalIndent(n, "", "  ")
	if err != nil {
		panic(err) // strings alone
	}
	return append([]byte(xml.Header+"<!-- "+export.Marker+" -->\n"), append(text, '\n')...)
}

// about is the description of a unit: its rules in words, of one model.
func (u *unit) about() string {
	text := "predicts " + export.Labelled(u.Target, u.Unit)
	if len(u.Members) == 1 {
		text += ":\n" + strings.Join(u.Words(), "\n")
	}
	return text
}

// units returns the definitions of the units of all variables, by an element that holds them.
func (u *unit) units() []node {
	var names []string
	for _, in := range u.Inputs {
		names = append(names, in.Unit)
	}
	for _, o := range u.Outputs {
		names = append(names, o.Unit)
	}
	slices.Sort(names)
	var all []node
	for _, name := range slices.Compact(names) {
		if name != "" {
			all = append(all, element("Unit", nil, "name", name))
		}
	}
	if all == nil {
		return nil
	}
	return []node{element("UnitDefinitions", all)}
}

// items returns the items of an enumeration.
func items(levels []string, input bool) (all []node) {
	if input {
		levels = slices.Concat(levels, []string{"(missing)", "(any other)"})
	}
	for k, level := range levels {
		all = append(all, element("Item", nil, "name", level, "value", strconv.Itoa(k+1)))
	}
	return all
}

// enumerations returns the types of inputs with levels, and of the class.
func (u *unit) enumerations(made func(name string, items []node) node) (all []node) {
	for _, in := range u.Inputs {
		if in.Codes != nil {
			all = append(all, made(typeOf(in.Reference), items(in.Levels, true)))
		}
	}
	if u.Classes() {
		var names []string
		for _, o := range u.Outputs {
			names = append(names, o.Name)
		}
		all = append(all, made(typeOf(u.Last()), items(names, false)))
	}
	if all == nil {
		return nil
	}
	return []node{element("TypeDefinitions", all)}
}

// typeOf returns the name of the type of a variable.
func typeOf(reference int) string { return "levels" + strconv.Itoa(reference) }

// Start returns the value of an input at the start: the training mean, or the first level.
func (u *unit) Start(in input) string {
	if in.Codes != nil {
		return "1"
	}
	name := u.Features[in.First].Name
	i := slices.IndexFunc(u.Model.Features, func(f model.Feature) bool { return f.Name == name })
	return number(u.Model.Features[i].Mean)
}

func number(v float64) string {
	if math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// limits returns the least and the largest prediction; "" without.
func (u *unit) limits(j int) (low, high string) {
	o := u.Outputs[j]
	if u.Classes() {
		return "0", "1"
	}
	least, largest := o.Limits()
	return number(least), number(largest)
}

func describe3(u *unit) []byte {
	variables := []node{element("Float64", nil, "name", "time", "valueReference", "0", "causality", "independent", "variability",
		"continuous")}
	var outputs []node
	for _, in := range u.Inputs {
		if in.Codes != nil {
			variables = append(variables, element("Enumeration", nil, "name", in.Name, "valueReference", strconv.Itoa(in.Reference), "description",
				in.About(), "causality", "input", "declaredType", typeOf(in.Reference), "start", u.Start(in)))
			continue
		}
		variables = append(variables, element("Float64", nil, "name", in.Name, "valueReference", strconv.Itoa(in.Reference), "description",
			in.About()+"; NaN is missing", "causality", "input", "unit", in.Unit, "min", number(in.Min), "max", number(in.Max), "start",
			u.Start(in)))
	}
	for j, name := range u.Results {
		reference := strconv.Itoa(len(u.Inputs) + 1 + j)
		outputs = append(outputs, element("Output", nil, "valueReference", reference))
		if j == len(u.Outputs) {
			variables = append(variables, element("Enumeration", nil, "name", name, "valueReference", reference, "description",
				"the most probable class", "causality", "output", "declaredType", typeOf(u.Last())))
			continue
		}
		low, high := u.limits(j)
		variables = append(variables, element("Float64", nil, "name", name, "valueReference", reference, "description", u.About(j), "causality",
			"output", "unit", u.Outputs[j].Unit, "min", low, "max", high))
	}
	outputs = append(outputs, u.initial("InitialUnknown", "valueReference")...)
	parts := append([]node{element("CoSimulation", nil, "modelIdentifier", u.Name, "canGetAndSetFMUState", "true",
		"canHandleVariableCommunicationStepSize", "true")}, u.units()...)
	parts = append(parts, u.enumerations(func(name string, items []node) node { return element("EnumerationType", items, "name", name) })...)
	parts = append(parts, element("DefaultExperiment", nil, "startTime", "0", "stopTime", "1", "stepSize", "1"),
		element("ModelVariables", variables), element("ModelStructure", outputs))
	return document(element("fmiModelDescription", parts, "fmiVersion", "3.0", "modelName", u.Target, "instantiationToken", u.Token,
		"description", u.about(), "generationTool", "tskgraph "+buildinfo.Version))
}

// initial returns the elements of outputs that are computed at the start.
func (u *unit) initial(name, attr string) (all []node) {
	for j := range u.Results {
		all = append(all, element(name, nil, attr, strconv.Itoa(len(u.Inputs)+1+j)))
	}
	return all
}

func describe2(u *unit) []byte {
	var variables []node
	add := func(name string, reference int, about, causality string, value node) {
		variability := "continuous"
		if value.XMLName.Local == "Enumeration" {
			variability = "discrete"
		}
		variables = append(variables, element("ScalarVariable", []node{value}, "name", name, "valueReference", strconv.Itoa(reference),
			"description", about, "causality", causality, "variability", variability))
	}
	for _, in := range u.Inputs {
		if in.Codes != nil {
			add(in.Name, in.Reference, in.About(), "input", element("Enumeration", nil, "declaredType", typeOf(in.Reference), "start", u.Start(in)))
			continue
		}
		add(in.Name, in.Reference, in.About()+"; NaN is missing", "input", element("Real", nil, "unit", in.Unit, "min", number(in.Min), "max",
			number(in.Max), "start", u.Start(in)))
	}
	for j, name := range u.Results {
		reference := len(u.Inputs) + 1 + j
		if j == len(u.Outputs) {
			add(name, reference, "the most probable class", "output", element("Enumeration", nil, "declaredType", typeOf(u.Last())))
			continue
		}
		low, high := u.limits(j)
		add(name, reference, u.About(j), "output", element("Real", nil, "unit", u.Outputs[j].Unit, "min", low, "max", high))
	}
	var sources []node
	for _, name := range u.Files {
		sources = append(sources, element("File", nil, "name", name))
	}
	parts := append([]node{element("CoSimulation", []node{element("SourceFiles", sources)}, "modelIdentifier", u.Name,
		"canHandleVariableCommunicationStepSize", "true", "canNotUseMemoryManagementFunctions", "true", "canGetAndSetFMUstate", "true")},
		u.units()...)
	parts = append(parts, u.enumerations(func(name string, items []node) node {
		return element("SimpleType", []node{element("Enumeration", items)}, "name", name)
	})...)
	parts = append(parts, element("DefaultExperiment", nil, "startTime", "0", "stopTime", "1", "stepSize", "1"),
		element("ModelVariables", variables), element("ModelStructure", []node{
			element("Outputs", u.initial("Unknown", "index")), element("InitialUnknowns", u.initial("Unknown", "index"))}))
	return document(element("fmiModelDescription", parts, "fmiVersion", "2.0", "modelName", u.Target, "guid", u.Token,
		"description", u.about(), "generationTool", "tskgraph "+buildinfo.Version, "numberOfEventIndicators", "0"))
}

// build returns the description of how to compile the sources.
func (u *unit) build() []byte {
	var files []node
	for _, name := range u.Files {
		files = append(files, element("SourceFile", nil, "name", name))
	}
	how := []node{element("SourceFileSet", files, "language", "C99"), element("Library", nil, "name", "m", "external", "true")}
	return document(element("fmiBuildDescription", []node{element("BuildConfiguration", how, "modelIdentifier", u.Name)},
		"fmiVersion", "3.0"))
}
