// Command wheel writes the Python package as wheels, one for each platform of a release, with the static program in it. The
// same sources and version of Go give the same bytes; -check rebuilds the program of this machine with an empty build cache
// and compares.
package main

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/buildinfo"
	"github.com/tskgraph/tskgraph/tools/crossbuild"
)

const (
	// withoutTags leave out what Python has other means for: databases and figures.
	withoutTags = "nodatabases,nofigures"

	largest = 15e6 // bytes of a wheel
)

func main() {
	out := flag.String("out", "python/dist", "`directory` for the wheels; created if missing")
	here := flag.Bool("here", false, "only the wheel for this machine")
	check := flag.Bool("check", false, "rebuild the program of this machine and compare")
	flag.Parse()
	if err := write(".", *out, *here, *check); err != nil {
		fmt.Fprintln(os.Stderr, "wheel:", err)
		os.Exit(1)
	}
}

// write writes the wheels of a checkout, and prints their names.
func write(root, out string, here, check bool) error {
	p, err := readPackage(root)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for _, platform := range crossbuild.Platforms {
		if here && platform != crossbuild.Here() {
			continue
		}
		program, err := platform.Build(root, withoutTags)
		if err != nil {
			return err
		}
		if check && platform == crossbuild.Here() {
			if err := platform.Check(root, withoutTags, program); err != nil {
				return err
			}
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
func (p *pythonPackage) save(out string, platform crossbuild.Platform, program []byte) error {
	tags, err := tags(platform, program)
	if err != nil {
		return err
	}
	w := &wheel{name: p.project.Name, version: p.version, platform: tags, info: p.info,
		files: append(slices.Clone(p.files), file{path.Join(p.project.Name, "bin", platform.Program()), program, 0o755})}
	packed, err := w.pack()
	if err != nil {
		return err
	}
	if len(packed) > largest {
		return fmt.Errorf("%s has %d bytes: at most %d are allowed; what in the program is new and large?", w.fileName(), len(packed), int(largest))
	}
	fmt.Printf("%s\t%d bytes\n", filepath.Join(out, w.fileName()), len(packed))
	return os.WriteFile(filepath.Join(out, w.fileName()), packed, 0o644)
}
