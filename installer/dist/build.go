package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// buildProgram builds a program for a platform, once.
func (r *release) buildProgram(program, goos, arch string) (string, error) {
	key := program + "-" + goos + "-" + arch
	if out, ok := r.built[key]; ok {
		return out, nil
	}
	dir, err := r.makeFolder("bin", goos+"-"+arch)
	if err != nil {
		return "", err
	}
	out := filepath.Join(dir, program+programSuffix(goos))
	begun := time.Now()
	cmd := exec.Command("go", "build", "-buildvcs=false", "-ldflags", r.linkerFlags(program, goos, arch), "-o", out, "./cmd/"+program)
	cmd.Dir = r.top
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+arch, "CGO_ENABLED="+cgoSetting(program, goos), "GOWORK=off", "MACOSX_DEPLOYMENT_TARGET="+oldestMac, buildFlags())
	if _, err := runTool(cmd); err != nil {
		return "", fmt.Errorf("build %s for %s/%s: %w", program, goos, arch, err)
	}
	r.tell("built %s for %s/%s in %.0f s", program, goos, arch, time.Since(begun).Seconds())
	if goos == "windows" {
		if err := r.signFile(out); err != nil {
			return "", err
		}
	}
	r.built[key] = out
	return out, nil
}

// buildFlags cuts paths, unless the environment says otherwise: a test that shares the
// build cache with untrimmed builds sets GOFLAGS=-trimpath=false.
func buildFlags() string { return strings.TrimSpace("GOFLAGS=-trimpath " + os.Getenv("GOFLAGS")) }

// oldestMac is the version of macOS that the Info.plist promises, and that Go's own linker writes; Apple's
// writes that of the machine where it runs.
const oldestMac = "12.0"

// linkerFlags returns the flags that put the version in and leave the debugger's tables
// out. Programs with a window have no console on Windows. Those for macOS have a number of their own, which
// is made of the build ID: without one macOS 15 lets them reach nothing in the local network
// (https://github.com/golang/go/issues/68678).
func (r *release) linkerFlags(program, goos, arch string) string {
	id := ""
	if goos == "darwin" {
		id = strings.Join([]string{program, r.version, r.commit, arch}, "-")
	}
	flags := []string{"-s", "-w", "-buildid=" + id}
	for name, value := range map[string]string{"version": r.version, "commit": r.commit, "date": r.time.Format(time.RFC3339)} {
		flags = append(flags, fmt.Sprintf("-X vaultdispatcher/assets.%s=%s", name, value))
	}
	if r.latest != "" {
		flags = append(flags, "-X vaultdispatcher/assets.releases="+r.latest)
	}
	slices.Sort(flags[3:])
	if goos == "windows" && isWindowed(program) {
		flags = append(flags, "-H=windowsgui")
	}
	return strings.Join(flags, " ")
}

// isWindowed reports whether a program lives on the desktop and not in a terminal.
func isWindowed(program string) bool { return program == "wiki-tray" }

// cgoSetting is off, so that every machine builds for every other. The tray applet
// alone needs Apple's own libraries, which only a Mac has.
func cgoSetting(program, goos string) string {
	if isWindowed(program) && goos == "darwin" && runtime.GOOS == "darwin" {
		return "1"
	}
	return "0"
}

// shippedPrograms returns the programs that work on a platform when they were built here.
func (r *release) shippedPrograms(goos string) []string {
	return slices.DeleteFunc(slices.Clone(r.programs), func(program string) bool {
		return isWindowed(program) && goos == "darwin" && runtime.GOOS != "darwin"
	})
}

// buildPrograms builds the programs for a platform and lists them as files of a folder.
func (r *release) buildPrograms(goos, arch, dir string) ([]file, error) {
	var files []file
	for _, program := range r.shippedPrograms(goos) {
		from, err := r.buildProgram(program, goos, arch)
		if err != nil {
			return nil, err
		}
		r.inputs[strings.Join([]string{program, goos, arch}, "_")] = from
		files = append(files, file{dir + program + programSuffix(goos), from, 0o755})
	}
	return files, nil
}

// gatherContents makes what every archive and package of a platform holds: the programs,
// as files of a folder, and the documents.
func (r *release) gatherContents(goos, arch, dir string) (programs, docs []file, err error) {
	programs, err = r.buildPrograms(goos, arch, dir)
	if err == nil {
		docs, err = r.makeDocuments()
	}
	return programs, docs, err
}

func programSuffix(goos string) string {
	if goos == "windows" {
		return ".exe"
	}
	return ""
}

// buildTool builds one of the pinned tools, once. They are a module of their own, so
// that the programs do not depend on what only their packages need.
func (r *release) buildTool(pkg string) (string, error) {
	if out, ok := r.tools[pkg]; ok {
		return out, nil
	}
	dir, err := r.makeFolder("tools")
	if err != nil {
		return "", err
	}
	out := filepath.Join(dir, filepath.Base(pkg)+programSuffix(runtime.GOOS))
	cmd := exec.Command("go", "build", "-o", out, pkg)
	cmd.Dir = filepath.Join(r.top, ".ci", "release")
	cmd.Env = append(os.Environ(), "GOOS=", "GOARCH=", "GOFLAGS=", "GOWORK=off")
	if _, err := runTool(cmd); err != nil {
		return "", fmt.Errorf("build the tool %s: %w", pkg, err)
	}
	r.tools[pkg] = out
	return out, nil
}
