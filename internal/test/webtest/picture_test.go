package webtest

import (
	"flag"
	"os"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

var pictureFile = flag.String("picture", "", "save the picture of the README as this PNG file")

// TestPicture takes the picture of the workbench in the README, for make figures: the results of a table, in a window of 1280 pixels.
func TestPicture(t *testing.T) {
	if *pictureFile == "" {
		t.Skip("-picture names no file")
	}
	v := openWorkbench(t)
	if v.drop(table(t, "heating.csv")) && v.train() {
		v.Run(`scrollTo(0, 0)`)
		testenv.OK(t, os.WriteFile(*pictureFile, v.Window(), 0o666))
	}
}
