package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"sync"

	"cloud.google.com/go/storage"
	"google.golang.org/api/googleapi"
	"google.golang.org/api/iterator"
	"google.golang.org/api/option"
)

// gs is the objects of Google Cloud Storage.
type gs struct{ client *storage.Client }

// google returns the client of this process. Without credentials it reads public buckets; STORAGE_EMULATOR_HOST names
// another service.
var google = sync.OnceValues(func() (store, error) {
	ctx := context.Background()
	client, err := storage.NewClient(ctx, option.WithScopes(storage.ScopeReadWrite))
	if err != nil {
		client, err = storage.NewClient(ctx, option.WithoutAuthentication())
	}
	if err != nil {
		return nil, err
	}
	client.SetRetry(storage.WithPolicy(storage.RetryAlways)) // a repeated write has the same content
	return gs{client}, nil
})

func (g gs) list(ctx context.Context, pattern string) ([]Info, error) {
	o, err := objectOf(pattern)
	if err != nil {
		return nil, err
	}
	query := &storage.Query{Prefix: prefix(o.key)}
	if err := query.SetAttrSelection([]string{"Name", "Size"}); err != nil {
		return nil, err
	}
	var found []Info
	for all := g.client.Bucket(o.bucket).Objects(ctx, query); ; {
		at, err := all.Next()
		if errors.Is(err, iterator.Done) {
			return found, nil
		}
		if err != nil {
			return nil, o.fault(err)
		}
		ok, err := matches(o.key, at.Name)
		if err != nil {
			return nil, err
		}
		if ok {
			found = append(found, Info{object{o.scheme, o.bucket, at.Name}.String(), at.Size})
		}
	}
}

func (g gs) size(ctx context.Context, path string) (int64, error) {
	o, err := objectOf(path)
	if err != nil {
		return 0, err
	}
	at, err := g.client.Bucket(o.bucket).Object(o.key).Attrs(ctx)
	if err != nil {
		return 0, o.fault(err)
	}
	return at.Size, nil
}

// open reads the bytes as they are stored. The client opens a broken connection again, at the same generation.
func (g gs) open(ctx context.Context, path string, offset, length int64) (io.ReadCloser, error) {
	o, err := objectOf(path)
	if err != nil {
		return nil, err
	}
	r, err := g.client.Bucket(o.bucket).Object(o.key).ReadCompressed(true).NewRangeReader(ctx, offset, length)
	if at := (*googleapi.Error)(nil); errors.As(err, &at) && at.Code == http.StatusRequestedRangeNotSatisfiable {
		return http.NoBody, nil // from the end, or behind it
	}
	if err != nil {
		return nil, o.fault(err)
	}
	return r, nil
}

func (g gs) write(ctx context.Context, path string, content func(io.Writer) error) error {
	o, err := objectOf(path)
	if err != nil {
		return err
	}
	ctx, abandon := context.WithCancel(ctx)
	defer abandon()
	w := g.client.Bucket(o.bucket).Object(o.key).NewWriter(ctx)
	w.ContentType = "application/octet-stream"
	if err := content(faulty{w, o.fault}); err != nil {
		abandon()
		_ = w.Close() // says that it was abandoned
		return err
	}
	return o.fault(w.Close())
}

// fault explains an error of the service.
func (o object) fault(err error) error {
	var at *googleapi.Error
	switch {
	case err == nil:
		return nil
	case errors.Is(err, storage.ErrObjectNotExist):
		return &fs.PathError{Op: "open", Path: o.String(), Err: fs.ErrNotExist}
	case errors.Is(err, storage.ErrBucketNotExist):
		return fmt.Errorf("%s: the bucket does not exist: %w", o, fs.ErrNotExist)
	case errors.As(err, &at) && (at.Code == http.StatusUnauthorized || at.Code == http.StatusForbidden):
		return fmt.Errorf("%s: no access (%s): set GOOGLE_APPLICATION_CREDENTIALS, or run gcloud auth application-default login: %w", o,
			at.Message, fs.ErrPermission)
	}
	return fmt.Errorf("%s: %w", o, err)
}

// faulty is a writer whose errors are explained.
type faulty struct {
	w     io.Writer
	fault func(error) error
}

func (f faulty) Write(p []byte) (int, error) {
	n, err := f.w.Write(p)
	return n, f.fault(err)
}
