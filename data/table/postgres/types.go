package postgres

import (
	"context"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

const boolean = 16 // the object identifier of the type

// types are those that are read, by the object identifiers of pg_type.dat, which are the same in every server.
var types = map[uint32]string{
	boolean: "boolean",
	20:      "bigint", 21: "smallint", 23: "integer", 700: "real", 701: "double precision", 1700: "numeric",
	18: "char", 19: "name", 25: "text", 1042: "character", 1043: "character varying", 2950: "uuid",
	1082: "date", 1114: "timestamp", 1184: "timestamp with time zone",
}

// checkType refuses a column whose type is not read. An enumeration is. The table is named in errors.
func checkType(ctx context.Context, conn *pgconn.PgConn, named string, field pgconn.FieldDescription) error {
	if types[field.DataTypeOID] != "" {
		return nil
	}
	const describe = "SELECT format_type(oid, NULL), typtype FROM pg_type WHERE oid = $1"
	oid := strconv.FormatUint(uint64(field.DataTypeOID), 10)
	result := conn.ExecParams(ctx, describe, [][]byte{[]byte(oid)}, nil, nil, nil).Read()
	if result.Err != nil {
		return result.Err
	}
	name := "with number " + oid
	if len(result.Rows) == 1 {
		if string(result.Rows[0][1]) == "e" {
			return nil
		}
		name = string(result.Rows[0][0])
	}
	return &table.Error{File: named,
		Message: fmt.Sprintf("column %s has the type %s, which is not read: leave it out of data.query, or cast it (CAST ... AS text)",
			escape.Quote(field.Name), escape.Text(name))}
}
