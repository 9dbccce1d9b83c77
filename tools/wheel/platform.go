package main

import (
	"bytes"
	"debug/macho"
	"errors"
	"fmt"
	"strings"

	"github.com/tskgraph/tskgraph/tools/crossbuild"
)

// tags returns the platform tags of wheels with a static program, which needs no C library: any Linux with manylinux_2_17
// or musllinux_1_1 is new enough.
func tags(p crossbuild.Platform, program []byte) ([]string, error) {
	arch := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[p.Arch]
	switch p.OS {
	case "linux":
		return []string{"manylinux_2_17_" + arch, "manylinux2014_" + arch, "musllinux_1_1_" + arch}, nil
	case "darwin":
		major, minor, err := macOS(program)
		return []string{fmt.Sprintf("macosx_%d_%d_%s", major, minor, strings.Replace(arch, "aarch64", "arm64", 1))}, err
	case "windows":
		return []string{"win_" + p.Arch}, nil
	}
	return nil, fmt.Errorf("%s/%s: no tags of wheels are known", p.OS, p.Arch)
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
