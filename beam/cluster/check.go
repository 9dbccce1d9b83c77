package cluster

import (
	"fmt"
	"net"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
)

// Check returns an error about a path on this machine if the runner works on other machines. A runner with an endpoint
// on this machine may read its files.
func (o *Options) Check(paths ...string) error {
	if o.here() {
		return nil
	}
	for _, path := range paths {
		if !strings.Contains(path, "://") {
			return Usage(fmt.Errorf("%s is a file of this machine, which the workers of %s cannot open: copy it to gs:// or s3://, or use --runner prism", path, o.Runner))
		}
	}
	return nil
}

// here reports whether the workers run on this machine.
func (o *Options) here() bool {
	if *jobopts.Endpoint == "" {
		return o.Runner == "prism"
	}
	host, _, err := net.SplitHostPort(*jobopts.Endpoint)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return o.Runner != "dataflow" && (host == "localhost" || ip != nil && ip.IsLoopback())
}
