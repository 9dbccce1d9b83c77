package main

import (
	"bytes"
	"crypto/sha256"
	"debug/macho"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/buildinfo"
)

const (
	// withoutTags leave out what Python has other means for: databases and figures.
	withoutTags = "nodatabases,nofigures"

	largestWheel = 15e6 // bytes
)

// writeWheels writes the wheels of a checkout, and prints their names.
func writeWheels(out string, onlyHere, check bool) error {
	p, err := readPackage(".")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for _, platform := range platforms {
		if onlyHere && platform != here {
			continue
		}
		program, err := platform.build(".", withoutTags, check)
		if err != nil {
			return err
		}
		if err := p.save(out, platform, program); err != nil {
			return err
		}
	}
	return nil
}

// pythonPackage is what all wheels contain.
type pythonPackage struct {
	project *project
	version string
	files   []file // the modules
	info    []file // of the .dist-info
}

// readPackage reads the package of a checkout.
func readPackage(root string) (*pythonPackage, error) {
	dir := filepath.Join(root, "python")
	project, err := readProject(dir)
	if err != nil {
		return nil, err
	}
	version, err := pythonVersion(buildinfo.Version)
	if err != nil {
		return nil, err
	}
	readme, err := os.ReadFile(filepath.Join(dir, project.Readme))
	if err != nil {
		return nil, err
	}
	p := &pythonPackage{project: project, version: version}
	if p.files, err = modules(dir, project.Name); err != nil {
		return nil, err
	}
	for _, name := range project.LicenseFiles {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return nil, err
		}
		p.info = append(p.info, file{"licenses/" + name, text, 0o644})
	}
	p.info = append(p.info, file{"METADATA", []byte(project.metadata(version, string(readme))), 0o644},
		file{"entry_points.txt", []byte(project.entryPoints()), 0o644})
	return p, nil
}

// packaged are the endings of files that wheels contain; an editor's backups and Python's byte code are not among them.
var packaged = []string{".py", ".typed", ".css", ".js"}

// modules returns the files of the package, sorted by name.
func modules(dir, name string) ([]file, error) {
	var all []file
	err := fs.WalkDir(os.DirFS(dir), name, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !slices.Contains(packaged, filepath.Ext(path)) {
			return err
		}
		if !d.Type().IsRegular() {
			return fmt.Errorf("%s is not a regular file", filepath.Join(dir, path))
		}
		content, err := os.ReadFile(filepath.Join(dir, path))
		all = append(all, file{path, content, 0o644})
		return err
	})
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("%s has no modules", filepath.Join(dir, name))
	}
	return all, err
}

// save writes the wheel of a platform.
func (p *pythonPackage) save(out string, platform platform, program []byte) error {
	tags, err := tags(platform, program)
	if err != nil {
		return err
	}
	w := &wheel{name: p.project.Name, version: p.version, platform: tags, info: p.info,
		files: append(slices.Clone(p.files), file{path.Join(p.project.Name, "bin", platform.program()), program, 0o755})}
	packed, err := w.pack()
	if err != nil {
		return err
	}
	if len(packed) > largestWheel {
		return fmt.Errorf("%s has %d bytes: at most %d are allowed; what in the program is new and large?", w.fileName(), len(packed),
			int(largestWheel))
	}
	fmt.Printf("%s\t%d bytes\n", filepath.Join(out, w.fileName()), len(packed))
	return os.WriteFile(filepath.Join(out, w.fileName()), packed, 0o644)
}

// wheel is a package for one platform: what PEP 427 calls name, version and tags, and its files.
type wheel struct {
	name, version string
	platform      []string // tags
	files         []file   // without those of its .dist-info
	info          []file   // of its .dist-info, without WHEEL and RECORD
}

// fileName returns the name of the wheel's file.
func (w *wheel) fileName() string {
	return fmt.Sprintf("%s-%s-py3-none-%s.whl", w.name, w.version, strings.Join(w.platform, "."))
}

// pack returns the file. The same files give the same bytes.
func (w *wheel) pack() ([]byte, error) {
	dir := fmt.Sprintf("%s-%s.dist-info/", w.name, w.version)
	files := append([]file{}, w.files...)
	for _, f := range append(w.info, file{"WHEEL", []byte(w.description()), 0o644}) {
		files = append(files, file{dir + f.name, f.content, f.mode})
	}
	files = append(files, file{dir + "RECORD", record(files, dir+"RECORD"), 0o644})
	var b bytes.Buffer
	err := writeZip(&b, files)
	return b.Bytes(), err
}

// description returns the file WHEEL. The package is not pure: its program belongs to a platform.
func (w *wheel) description() string {
	var b strings.Builder
	b.WriteString("Wheel-Version: 1.0\nGenerator: tskgraph tools/release\nRoot-Is-Purelib: false\n")
	for _, tag := range w.platform {
		fmt.Fprintf(&b, "Tag: py3-none-%s\n", tag)
	}
	return b.String()
}

// record returns the file RECORD: names, hashes and sizes of all files, and its own name.
func record(files []file, self string) []byte {
	var b bytes.Buffer
	for _, f := range files {
		sum := sha256.Sum256(f.content)
		fmt.Fprintf(&b, "%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.content))
	}
	fmt.Fprintf(&b, "%s,,\n", self)
	return b.Bytes()
}

// tags returns the platform tags of wheels with a static program, which needs no C library: any Linux with manylinux_2_17
// or musllinux_1_1 is new enough.
func tags(p platform, program []byte) ([]string, error) {
	arch := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[p.arch]
	switch p.os {
	case "linux":
		return []string{"manylinux_2_17_" + arch, "manylinux2014_" + arch, "musllinux_1_1_" + arch}, nil
	case "darwin":
		major, minor, err := macOS(program)
		return []string{fmt.Sprintf("macosx_%d_%d_%s", major, minor, strings.Replace(arch, "aarch64", "arm64", 1))}, err
	case "windows":
		return []string{"win_" + p.arch}, nil
	}
	return nil, fmt.Errorf("%s/%s: no tags of wheels are known", p.os, p.arch)
}

// buildVersion is the load command LC_BUILD_VERSION.
const buildVersion = 0x32

// macOS returns the oldest macOS that a program runs on, as its linker wrote it.
func macOS(program []byte) (major, minor int, err error) {
	f, err := macho.NewFile(bytes.NewReader(program))
	if err != nil {
		return 0, 0, err
	}
	for _, load := range f.Loads {
		raw := load.Raw()
		if len(raw) >= 16 && f.ByteOrder.Uint32(raw) == buildVersion {
			oldest := f.ByteOrder.Uint32(raw[12:]) // after command, size and platform: 16 bits of major, 8 of minor
			return int(oldest >> 16), int(oldest >> 8 & 0xff), nil
		}
	}
	return 0, 0, errors.New("the program does not say which macOS it needs")
}
