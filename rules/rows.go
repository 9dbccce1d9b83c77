package rules

// matrix returns n rows of the given width that share one array.
func matrix(n, width int) [][]float64 { return rowsOf(make([]float64, n*width), n, width) }

// rowsOf returns cells as n rows of the given width.
func rowsOf(cells []float64, n, width int) [][]float64 {
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = cells[i*width : (i+1)*width : (i+1)*width]
	}
	return rows
}

// columns writes M cells of each of the rows [B], those from the given one, to columns [M,B].
func columns(to []float64, rows [][]float64, from int) {
	B := len(rows)
	for n, row := range rows {
		for m, v := range row[from : from+len(to)/B] {
			to[m*B+n] = v
		}
	}
}

func copyRows(dst, src [][]float64) {
	for i, row := range src {
		copy(dst[i], row)
	}
}

// cloneRows returns a deep copy; nil for nil.
func cloneRows(rows [][]float64) [][]float64 {
	if rows == nil {
		return nil
	}
	c := make([][]float64, len(rows))
	for i, row := range rows {
		c[i] = append([]float64(nil), row...)
	}
	return c
}
