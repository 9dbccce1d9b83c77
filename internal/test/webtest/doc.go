// Package webtest tests the page that trains, from a table that is dropped on it to the files that it saves, in Chromium: as make web
// builds it for a static host, and as tskgraph workbench serves it. Speed and memory are measured by its benchmarks.
package webtest
