package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/feature/s3/transfermanager"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

// partSize is the size of a part of an upload, in bytes: 10,000 parts are 160 GB.
const partSize = 16 << 20

// s3s is the objects of Amazon S3, or of a service with its interface.
type s3s struct{ client *s3.Client }

// amazon returns the client of this process. AWS_ENDPOINT_URL names another service, whose buckets are parts of the path.
var amazon = sync.OnceValues(func() (store, error) {
	settings, err := config.LoadDefaultConfig(context.Background())
	if err != nil {
		return nil, err
	}
	return s3s{s3.NewFromConfig(settings, func(o *s3.Options) {
		o.UsePathStyle = os.Getenv("AWS_ENDPOINT_URL") != "" || os.Getenv("AWS_ENDPOINT_URL_S3") != ""
	})}, nil
})

func (a s3s) list(ctx context.Context, pattern string) ([]Info, error) {
	o, err := objectOf(pattern)
	if err != nil {
		return nil, err
	}
	begin := prefix(o.key)
	var found []Info
	for pages := s3.NewListObjectsV2Paginator(a.client, &s3.ListObjectsV2Input{Bucket: &o.bucket, Prefix: &begin}); pages.HasMorePages(); {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, faultS3(o, err)
		}
		for _, at := range page.Contents {
			ok, err := matches(o.key, aws.ToString(at.Key))
			if err != nil {
				return nil, err
			}
			if ok {
				found = append(found, Info{object{o.scheme, o.bucket, *at.Key}.String(), aws.ToInt64(at.Size)})
			}
		}
	}
	return found, nil
}

func (a s3s) size(ctx context.Context, path string) (int64, error) {
	o, err := objectOf(path)
	if err != nil {
		return 0, err
	}
	at, err := a.client.HeadObject(ctx, &s3.HeadObjectInput{Bucket: &o.bucket, Key: &o.key})
	if err != nil {
		return 0, faultS3(o, err)
	}
	return aws.ToInt64(at.ContentLength), nil
}

func (a s3s) open(ctx context.Context, path string, offset, length int64) (io.ReadCloser, error) {
	o, err := objectOf(path)
	if err != nil {
		return nil, err
	}
	r := &s3Range{ctx: ctx, client: a.client, object: o, offset: offset, left: length}
	return r, r.connect()
}

// write uploads parts; they become an object when the last has arrived.
func (a s3s) write(ctx context.Context, path string, content func(io.Writer) error) error {
	o, err := objectOf(path)
	if err != nil {
		return err
	}
	parts := transfermanager.New(a.client, func(t *transfermanager.Options) {
		t.PartSizeBytes, t.Concurrency = partSize, 2
		t.FailTimeout = 30 * time.Second // to remove the parts of an upload that failed
	})
	r, w := io.Pipe()
	uploaded := make(chan error, 1)
	go func() {
		_, err := parts.UploadObject(ctx, &transfermanager.UploadObjectInput{Bucket: &o.bucket, Key: &o.key, Body: r})
		err = faultS3(o, err)
		r.CloseWithError(err)
		uploaded <- err
	}()
	ended := errors.New("the writer ended early") // by a panic
	defer func() { w.CloseWithError(ended) }()
	err = content(w)
	if ended = err; err != nil {
		w.CloseWithError(err)
		<-uploaded
		return err
	}
	w.Close()
	return <-uploaded
}

// faultS3 explains an error of the service.
func faultS3(o object, err error) error {
	var (
		response *smithyhttp.ResponseError
		coded    smithy.APIError
		status   int
		code     string
	)
	if errors.As(err, &response) {
		status = response.HTTPStatusCode()
	}
	if errors.As(err, &coded) {
		code = coded.ErrorCode()
	}
	switch {
	case err == nil:
		return nil
	case code == "NoSuchBucket":
		return fmt.Errorf("%s: the bucket does not exist: %w", o, fs.ErrNotExist)
	case status == http.StatusNotFound:
		return &fs.PathError{Op: "open", Path: o.String(), Err: fs.ErrNotExist}
	case status == http.StatusForbidden, status == http.StatusUnauthorized:
		return fmt.Errorf("%s: no access (%s): set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE: %w", o, code, fs.ErrPermission)
	case status == http.StatusPreconditionFailed:
		return fmt.Errorf("%s was replaced while it was read: run the job again", o)
	}
	return fmt.Errorf("%s: %w", o, err)
}
