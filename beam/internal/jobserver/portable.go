package jobserver

import (
	"fmt"
	"slices"

	pipepb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/pipeline_v1"
	"google.golang.org/protobuf/proto"
)

// transforms are what the batch translators of Flink's and Spark's portable runners execute; they fuse ParDos to executable
// stages, and expand combines (org.apache.beam.runners.flink.FlinkBatchPortablePipelineTranslator,
// org.apache.beam.runners.spark.translation.SparkBatchPortablePipelineTranslator).
var transforms = []string{
	"beam:transform:impulse:v1", "beam:transform:group_by_key:v1", "beam:transform:flatten:v1", "beam:transform:reshuffle:v1",
	"beam:transform:pardo:v1", "beam:transform:combine_per_key:v1",
}

// coders are those that a runner in Java decodes. Others must be below a length prefix.
var coders = []string{
	"beam:coder:bytes:v1", "beam:coder:bool:v1", "beam:coder:varint:v1", "beam:coder:double:v1", "beam:coder:string_utf8:v1",
	"beam:coder:kv:v1", "beam:coder:iterable:v1", "beam:coder:global_window:v1", "beam:coder:windowed_value:v1", "beam:coder:row:v1",
}

const lengthPrefix = "beam:coder:length_prefix:v1"

// Unportable returns what a pipeline needs beyond the portable runners of Flink and Spark in batch mode, one line each,
// sorted; nothing is a good answer.
func Unportable(p *pipepb.Pipeline) []string {
	var found []string
	for _, requirement := range p.GetRequirements() {
		found = append(found, "requirement "+requirement)
	}
	c := p.GetComponents()
	for id, t := range c.GetTransforms() {
		if len(t.GetSubtransforms()) == 0 {
			found = append(found, transform(id, t)...)
		}
	}
	for id, collection := range c.GetPcollections() {
		if collection.GetIsBounded() != pipepb.IsBounded_BOUNDED {
			found = append(found, "unbounded collection "+id)
		}
		found = append(found, coder(c, collection.GetCoderId())...)
	}
	for id, w := range c.GetWindowingStrategies() {
		if urn := w.GetWindowFn().GetUrn(); urn != "beam:window_fn:global_windows:v1" {
			found = append(found, "windows "+id+": "+urn)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// transform returns what is not portable of a transform without parts.
func transform(id string, t *pipepb.PTransform) []string {
	urn := t.GetSpec().GetUrn()
	if !slices.Contains(transforms, urn) {
		return []string{fmt.Sprintf("transform %s: %s", id, urn)}
	}
	if urn != "beam:transform:pardo:v1" {
		return nil
	}
	var do pipepb.ParDoPayload
	if err := proto.Unmarshal(t.GetSpec().GetPayload(), &do); err != nil {
		return []string{fmt.Sprintf("transform %s: %v", id, err)}
	}
	var found []string
	for what, is := range map[string]bool{
		"splittable": do.GetRestrictionCoderId() != "", "state": len(do.GetStateSpecs()) > 0, "timers": len(do.GetTimerFamilySpecs()) > 0,
		"finalization of bundles": do.GetRequestsFinalization(), "stable input": do.GetRequiresStableInput(),
		"sorted input": do.GetRequiresTimeSortedInput(),
	} {
		if is {
			found = append(found, fmt.Sprintf("transform %s: %s", id, what))
		}
	}
	for name, side := range do.GetSideInputs() {
		if urn := side.GetAccessPattern().GetUrn(); urn != "beam:side_input:iterable:v1" && urn != "beam:side_input:multimap:v1" {
			found = append(found, fmt.Sprintf("transform %s: side input %s: %s", id, name, urn))
		}
	}
	return found
}

// coder returns what is not portable of a coder and its parts.
func coder(c *pipepb.Components, id string) []string {
	its := c.GetCoders()[id]
	urn := its.GetSpec().GetUrn()
	switch {
	case urn == lengthPrefix:
		return nil
	case !slices.Contains(coders, urn):
		return []string{fmt.Sprintf("coder %s: %q without a length prefix", id, urn)}
	}
	var found []string
	for _, part := range its.GetComponentCoderIds() {
		found = append(found, coder(c, part)...)
	}
	return found
}
