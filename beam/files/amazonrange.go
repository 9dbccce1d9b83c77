package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/service/s3"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

// reconnects is how often a broken connection is opened again without a byte between.
const reconnects = 5

// s3Range reads a range of an object, and opens a broken connection again where it broke.
type s3Range struct {
	ctx    context.Context
	client *s3.Client
	object object
	offset int64   // of the next byte
	left   int64   // bytes; -1: to the end
	tag    *string // of the object's version; nil: not known
	body   io.ReadCloser
	breaks int // since the last byte
}

// connect opens the connection at the next byte.
func (r *s3Range) connect() error {
	bytes := fmt.Sprintf("bytes=%d-", r.offset)
	if r.left >= 0 {
		bytes += fmt.Sprint(r.offset + r.left - 1)
	}
	at, err := r.client.GetObject(r.ctx, &s3.GetObjectInput{Bucket: &r.object.bucket, Key: &r.object.key, Range: &bytes, IfMatch: r.tag})
	var response *smithyhttp.ResponseError
	if errors.As(err, &response) && response.HTTPStatusCode() == http.StatusRequestedRangeNotSatisfiable {
		r.body = http.NoBody // from the end, or behind it
		return nil
	}
	if err != nil {
		return faultS3(r.object, err)
	}
	r.body, r.tag = at.Body, at.ETag
	return nil
}

func (r *s3Range) Read(p []byte) (int, error) {
	for {
		n, err := r.body.Read(p)
		r.offset += int64(n)
		if r.left >= 0 {
			r.left = max(r.left-int64(n), 0)
		}
		if n > 0 {
			r.breaks = 0
		}
		if r.left == 0 {
			return n, io.EOF
		}
		if err == nil || errors.Is(err, io.EOF) {
			return n, err
		}
		if r.breaks++; r.breaks > reconnects || r.ctx.Err() != nil {
			return n, faultS3(r.object, err)
		}
		_ = r.body.Close() // is broken
		if err := r.connect(); err != nil {
			return n, err
		}
		if n > 0 {
			return n, nil
		}
	}
}

func (r *s3Range) Close() error { return r.body.Close() }
