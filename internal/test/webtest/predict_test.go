package webtest

import (
	"bytes"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tskgraph/tskgraph/internal/test/browser"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// picture saves what the page shows in the directory TSKGRAPH_SCREENSHOTS, if it is set, wide and narrow, light and dark.
func (v *visit) picture(name string) {
	dir := os.Getenv("TSKGRAPH_SCREENSHOTS")
	if dir == "" {
		return
	}
	for _, look := range browser.AxeLooks {
		v.Look(look.Width, look.Colours)
		path := filepath.Join(dir, fmt.Sprintf("%s-%d-%s.png", name, look.Width, look.Colours))
		if err := os.WriteFile(path, v.Screenshot(), 0o666); err != nil {
			v.t.Fatal(err)
		}
	}
}

// rowsToPredict are rows of the guides' table, the second with cells to doubt.
const rowsToPredict = "outside,wind,sun,hour,day\n-3,5,0,7,workday\n-40,1,,12,holiday\n"

// TestPredict predicts a row and a file in the page, the file as the command does with the model that the page saves; then it opens this
// model in a page that has nothing, and a configuration.
func TestPredict(t *testing.T) {
	testenv.OnlyCI(t)
	for _, engine := range []string{"workbench", "browser"}[:testenv.CaseNumber(1, 1, 2)] {
		t.Run(engine, func(t *testing.T) {
			dir := t.TempDir()
			v := engines[engine](t)
			if !v.drop(table(t, "heating.csv")) {
				return
			}
			v.quick()
			v.Run(`webtest.put("data.calibration", "0.2")`)
			if !v.train() {
				return
			}
			v.saveModel(t, dir)
			_, config := v.Download(`webtest.press("config.yaml")`)
			testenv.OK(t, os.WriteFile(filepath.Join(dir, "config.yaml"), config, 0o600))
			v.predictRow(t)
			v.predictFile(t, engine, dir, "--interval", "0.9")
			v.axePredict(t)
			v.openAlone(t, engine, dir)
			for _, f := range v.Faults() {
				t.Error(f)
			}
		})
	}
}

// predictRow types a row, whose prediction follows at once, with what to doubt about it.
func (v *visit) predictRow(t *testing.T) {
	t.Helper()
	v.Run(`webtest.step("Predict")`)
	v.until(`document.querySelector(".said strong")?.textContent.length > 0 &&
		document.querySelector(".decides")?.textContent.includes("training row")`,
		time.Minute)
	v.until(`document.querySelector(".interval").textContent.startsWith("90% interval: ")`, time.Second)
	v.Run(`webtest.said = document.querySelector(".said strong").textContent;
		webtest.type = (label, text) => {
			const field = document.querySelector("[aria-label='" + label + ", any value']");
			field.value = text;
			field.dispatchEvent(new Event("input"));
		};
		webtest.type("outside", "-40"); document.querySelectorAll(".field [type=checkbox]")[2].click();`)
	v.until(`document.querySelector(".said strong").textContent !== webtest.said &&
		[...document.querySelectorAll(".answer .warnings li")].map((li) => li.textContent.slice(0, 14)).join() ===
		 "outside -40 is,sun is missing"`,
		10*time.Second)
	v.Run(`webtest.type("outside", "cold")`)
	v.until(`document.querySelector("[aria-label='outside, any value']").getAttribute("aria-invalid") === "true" &&
		document.querySelector(".said").textContent === "" &&
		document.querySelector(".answer .warnings").textContent.includes("cold")`, 10*time.Second)
	v.picture("row")
	v.Run(`webtest.press("Typical row")`)
	v.until(`document.querySelector(".said strong").textContent === webtest.said &&
		!document.querySelector(".answer .warnings li")`, 10*time.Second)
}

// saveModel saves the model of the results in a directory.
func (v *visit) saveModel(t *testing.T, dir string) {
	t.Helper()
	_, model := v.Download(`webtest.press("model.json")`)
	testenv.OK(t, os.WriteFile(filepath.Join(dir, "model.json"), model, 0o600))
}

// long matches numbers of many digits, the last of which differ between a page in the browser and a command with assembly.
var long = regexp.MustCompile(`\d+\.\d{9,}`)

// shorter rounds these numbers.
func shorter(text []byte) []byte {
	return long.ReplaceAllFunc(text, func(n []byte) []byte {
		v, _ := strconv.ParseFloat(string(n), 64) // never fails
		return strconv.AppendFloat(nil, v, 'g', 7, 64)
	})
}

// predictFile drops a file, and compares what the page saves with what the command writes by the saved model, with options as the boxes
// of the page are.
func (v *visit) predictFile(t *testing.T, engine, dir string, options ...string) {
	t.Helper()
	file := filepath.Join(dir, "new.csv")
	testenv.OK(t, os.WriteFile(file, []byte(rowsToPredict), 0o600))
	v.Drop("#step-predict", file)
	v.until(`document.querySelectorAll("#step-predict tbody tr").length === 2 && `+idle, time.Minute)
	v.picture(engine + "-file")
	name, saved := v.Download(`webtest.press("Save as CSV")`)
	out := filepath.Join(dir, name)
	cmd := exec.Command(built(t, command), append([]string{"predict", "--model", filepath.Join(dir, "model.json"), "--data", file, "--flags",
		"--out", out}, options...)...)
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	written, err := os.ReadFile(out)
	testenv.OK(t, err)
	if engine == "browser" {
		saved, written = shorter(saved), shorter(written)
	}
	if string(saved) != string(written) {
		t.Errorf("the page saves\n%s, the command writes\n%s", saved, written)
	}
	if !strings.HasSuffix(string(saved), "outside: outside -40; missing: sun; unknown: day holiday\n") {
		t.Errorf("%s", saved)
	}
	name, book := v.Download(`webtest.press("Save as workbook (.xlsx)")`)
	if name != "new-predicted.xlsx" || !bytes.HasPrefix(book, []byte("PK")) {
		t.Errorf("the page saves %s: %.20q", name, book)
	}
}

// axePredict checks the accessibility of what is predicted.
func (v *visit) axePredict(t *testing.T) {
	t.Helper()
	script := browser.AxeScript(t)
	for _, look := range browser.AxeLooks[:2] {
		v.Look(look.Width, look.Colours)
		for _, line := range browser.AxeViolations(v.Page, script) {
			t.Errorf("predict at %d pixels, %s: %s", look.Width, look.Colours, line)
		}
	}
}

// openAlone opens a model and a configuration in a page that has neither, and a run by a link.
func (v *visit) openAlone(t *testing.T, engine, dir string) {
	t.Helper()
	v.Run(`webtest.run = document.querySelector("#step-predict .controls select").selectedOptions[0].textContent.split(":")[0];
		webtest.step("Table")`)
	var run string
	v.Evaluate(`webtest.run`, &run)
	v.Run(`location.hash = "#run=" + webtest.run`)
	v.until(`location.hash === "#results" && document.querySelector("#step-results .command") !== null && `+idle, time.Minute)
	v.Run(`webtest.step("Table"); location.hash = "#run=` + url.QueryEscape("none of these") + `"`)
	v.Await(`document.querySelector("#fault").textContent.includes("There is no run none")`)

	v.Run(`webtest.step("Runs"); webtest.press("Delete"); webtest.press("Yes")`)
	v.until(`document.querySelector("#step-runs table") === null && `+idle, time.Minute)
	v.Run(`webtest.step("Table")`)
	v.Drop("#drop", filepath.Join(dir, "model.json"))
	v.until(`location.hash === "#results" && document.querySelector("#step-results pre.page") !== null && `+idle, time.Minute)
	v.picture(engine + "-opened")
	v.Run(`webtest.step("Predict")`)
	v.until(`document.querySelector(".said strong")?.textContent.length > 0`, time.Minute)

	v.Run(`webtest.step("Table"); location.hash = "#model=https://example.org/model.json"`)
	v.Await(`document.querySelector("#fault").textContent.includes("drop the file here")`)
	if engine == "browser" {
		v.openLinked(t, filepath.Join(dir, "model.json"))
	}

	v.Run(`webtest.step("Table")`)
	v.Drop("#drop", filepath.Join(dir, "config.yaml"))
	v.until(`location.hash === "#columns" && `+idle, time.Minute) // the page has its table
	v.Run(`webtest.step("Settings")`)
	v.until(`document.querySelector("#more summary").textContent.includes("3 changes") &&
		document.getElementById("option-model.rules").value === "3"`,
		time.Second)
}

// openLinked opens a model by a link to the host of the page.
func (v *visit) openLinked(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	testenv.OK(t, err)
	hosted := filepath.Join(built(t, dist), "linked.json")
	testenv.OK(t, os.WriteFile(hosted, text, 0o600))
	defer os.Remove(hosted)
	v.Run(`webtest.step("Table"); location.hash = "#model=linked.json"`)
	v.until(`location.hash === "#results" && `+idle, time.Minute)
}

// TestKeys: keys do something outside of fields, and can be turned off.
func TestKeys(t *testing.T) {
	testenv.OnlyCI(t)
	v := openWorkbench(t)
	v.Press("#theme", "?")
	v.Await(`document.querySelector("#keys").open`)
	for _, look := range browser.AxeLooks[:2] {
		v.Look(look.Width, look.Colours)
		for _, line := range browser.AxeViolations(v.Page, browser.AxeScript(t)) {
			t.Errorf("keys at %d pixels, %s: %s", look.Width, look.Colours, line)
		}
	}
	v.picture("keys")
	v.Press("#keys button", "\x1b")
	v.Await(`!document.querySelector("#keys").open`)
	v.Press("#theme", "7")
	v.Await(`location.hash === "#runs"`)
	v.Press("#theme", "c")
	v.Await(`document.querySelector("#theme").textContent === "Colours: light"`)
	v.Press("#theme", "6") // which cannot be shown
	v.Press("#theme", "?")
	v.Run(`document.querySelector("#keys [type=checkbox]").click(); document.querySelector("#keys button").click()`)
	v.Press("#theme", "1")
	v.Run(`if (location.hash !== "#runs") throw new Error("keys are off")`)
}
