package escape

import (
	"encoding/json"
	"fmt"
	"io"
)

// PrintJSON prints a value as indented JSON that a terminal may show, see [JSON].
func PrintJSON(w io.Writer, v any) error {
	out, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", JSON(out))
	return err
}
