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

// binary builds a program for a platform, once.
func (r *release) binary(program, goos, arch string) (string, error) {
	key := program + "-" + goos + "-" + arch
	if out, ok := r.built[key]; ok {
		return out, nil
	}
	dir, err := r.folder("bin", goos+"-"+arch)
	if err != nil {
		return "", err
	}
	out := filepath.Join(dir, program+suffix(goos))
	begun := time.Now()
	cmd := exec.Command("go", "build", "-buildvcs=false", "-ldflags", r.linker(program, goos), "-o", out, "./cmd/"+program)
	cmd.Dir = r.top
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+arch, "CGO_ENABLED="+cgo(program, goos), "GOWORK=off", goflags())
	if _, err := run(cmd); err != nil {
		return "", fmt.Errorf("build %s for %s/%s: %w", program, goos, arch, err)
	}
	r.tell("built %s for %s/%s in %.0f s", program, goos, arch, time.Since(begun).Seconds())
	if goos == "windows" {
		if err := r.sign(out); err != nil {
			return "", err
		}
	}
	r.built[key] = out
	return out, nil
}

// goflags cuts paths, before what the environment says: a trial that wants to share
// what was compiled without that sets GOFLAGS=-trimpath=false.
func goflags() string { return strings.TrimSpace("GOFLAGS=-trimpath " + os.Getenv("GOFLAGS")) }

// linker are the flags that put the version in and leave the debugger's tables
// out. Programs with a window have no console on Windows.
func (r *release) linker(program, goos string) string {
	flags := []string{"-s", "-w", "-buildid="}
	for name, value := range map[string]string{"version": r.version, "commit": r.commit, "date": r.time.Format(time.RFC3339)} {
		flags = append(flags, fmt.Sprintf("-X vaultdispatcher/assets.%s=%s", name, value))
	}
	slices.Sort(flags[3:])
	if goos == "windows" && windowed(program) {
		flags = append(flags, "-H=windowsgui")
	}
	return strings.Join(flags, " ")
}

// windowed reports whether a program lives on the desktop and not in a terminal.
func windowed(program string) bool { return program == "wiki-tray" }

// cgo is off, so that every machine builds for every other. The tray applet
// alone needs Apple's own libraries, which only a Mac has.
func cgo(program, goos string) string {
	if windowed(program) && goos == "darwin" && runtime.GOOS == "darwin" {
		return "1"
	}
	return "0"
}

// shipped are the programs that work on a platform when they were built here.
func (r *release) shipped(goos string) []string {
	return slices.DeleteFunc(slices.Clone(r.programs), func(program string) bool {
		return windowed(program) && goos == "darwin" && runtime.GOOS != "darwin"
	})
}

// binaries are the programs for a platform as files of a folder.
func (r *release) binaries(goos, arch, dir string) ([]file, error) {
	var files []file
	for _, program := range r.shipped(goos) {
		from, err := r.binary(program, goos, arch)
		if err != nil {
			return nil, err
		}
		r.given[strings.Join([]string{program, goos, arch}, "_")] = from
		files = append(files, file{dir + program + suffix(goos), from, 0o755})
	}
	return files, nil
}

func suffix(goos string) string {
	if goos == "windows" {
		return ".exe"
	}
	return ""
}

// tool builds one of the pinned tools, once. They are a module of their own, so
// that the programs do not depend on what only their packages need.
func (r *release) tool(pkg string) (string, error) {
	if out, ok := r.tools[pkg]; ok {
		return out, nil
	}
	dir, err := r.folder("tools")
	if err != nil {
		return "", err
	}
	out := filepath.Join(dir, filepath.Base(pkg)+suffix(runtime.GOOS))
	cmd := exec.Command("go", "build", "-o", out, pkg)
	cmd.Dir = filepath.Join(r.top, ".ci", "release")
	cmd.Env = append(os.Environ(), "GOOS=", "GOARCH=", "GOFLAGS=", "GOWORK=off")
	if _, err := run(cmd); err != nil {
		return "", fmt.Errorf("build the tool %s: %w", pkg, err)
	}
	r.tools[pkg] = out
	return out, nil
}
