package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// product is the name of packages and archives; the programs have their own.
const product = "vault-dispatcher"

// platforms are the systems there are programs for.
var platforms = []string{"linux", "darwin", "windows"}

// release is what is being made, and from what.
type release struct {
	top      string    // of the source
	work     string    // everything that is made on the way; removed in the end
	version  string    // semantic, without a v
	commit   string    // empty outside a git checkout
	time     time.Time // of the commit; the only time in everything that is made
	programs []string  // commands of the product, by their folders in cmd
	systems  []string  // those of the platforms that something is made for
	arches   []string
	joined   bool   // it is put together from parts, so that nothing may be missing
	signer   string // program that signs what is for Windows; empty without one
	tell     func(format string, args ...any)
	addresses

	built  map[string]string // programs that were built, by what they are for
	inputs map[string]string // those of them that something was made with
	tools  map[string]string // tools that were built
	docs   []file            // the files that accompany the programs, made once
}

// file is one file of an archive or package: its path there and its source.
type file struct {
	target, source string
	mode           os.FileMode
}

// kind is one sort of thing that people install.
type kind struct {
	name, description string
	make              func(r *release, out string) error
	systems           string // that it is for, with spaces between
}

var semantic = regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`)

// unixTime returns the time as tools for packages read it.
func (r *release) unixTime() string { return strconv.FormatInt(r.time.Unix(), 10) }

// plainVersion returns the version without its pre-release part; Windows accepts
// nothing else.
func (r *release) plainVersion() string {
	number, _, _ := strings.Cut(r.version, "-")
	return number
}

// identify finds out what the source is: its version, commit and time.
func (r *release) identify() error {
	if !semantic.MatchString(r.version) {
		return fmt.Errorf("%q is not a semantic version such as 1.2.3 or 1.2.3-rc.1", r.version)
	}
	stamp, problem := r.askGit("log", "-1", "--format=%h %ct", "--abbrev=12")
	r.commit, stamp, _ = strings.Cut(stamp, " ")
	if changes, err := r.askGit("status", "--porcelain"); err == nil && changes != "" {
		r.commit += "-changed"
		r.tell("the source differs from its commit; the version says so: %s", r.commit)
	}
	if epoch := os.Getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		stamp, problem = epoch, nil
	}
	if problem != nil {
		return fmt.Errorf("the time of the source is unknown: set SOURCE_DATE_EPOCH, or build from a git checkout: %w", problem)
	}
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil {
		return fmt.Errorf("the time of the source: %w", err)
	}
	r.time = time.Unix(seconds, 0).UTC()
	return r.findPrograms()
}

// findPrograms lists the commands there are: the engine with its command line, the hub,
// and the tray applet where the source has it.
func (r *release) findPrograms() error {
	mains, err := filepath.Glob(filepath.Join(r.top, "cmd", "*", "main.go"))
	for _, m := range mains {
		r.programs = append(r.programs, filepath.Base(filepath.Dir(m)))
	}
	if err == nil && len(r.programs) == 0 {
		err = fmt.Errorf("%s is not the source: it has no programs in cmd", r.top)
	}
	return err
}

// reverseAddress is the project's address from behind, as software centres and macOS name an application, or what is
// given where no address is known. A project on GitHub has github.io
// (https://docs.flathub.org/docs/for-app-authors/requirements#application-id).
func (r *release) reverseAddress(unknown string) string {
	host, path, _ := strings.Cut(strings.TrimPrefix(r.homepage, "https://"), "/")
	if host, _, _ = strings.Cut(host, ":"); host == "" {
		return unknown
	}
	parts := strings.Split(strings.Replace(host, "github.com", "github.io", 1), ".")
	slices.Reverse(parts)
	parts = append(parts, strings.FieldsFunc(path, func(c rune) bool { return c == '/' })...)
	return regexp.MustCompile(`[^a-z0-9.-]+`).ReplaceAllString(strings.ToLower(strings.Join(parts, ".")), "-")
}

// makeFolder makes a folder for things on the way.
func (r *release) makeFolder(elem ...string) (string, error) {
	dir := filepath.Join(append([]string{r.work}, elem...)...)
	return dir, os.MkdirAll(dir, 0o755)
}

func (r *release) askGit(args ...string) (string, error) {
	out, err := runTool(exec.Command("git", append([]string{"-C", r.top}, args...)...))
	return strings.TrimSpace(out), err
}

// runTool runs a tool and returns its output; when it fails, the error holds the output.
func runTool(cmd *exec.Cmd) (string, error) {
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	if missing := (*exec.Error)(nil); errors.As(err, &missing) {
		return "", err
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s%s", filepath.Base(cmd.Path), err, out.String(), said.String())
	}
	return out.String(), nil
}

// findTool finds a tool of the system, or says what to install.
func findTool(tool, debian string) (string, error) {
	found, err := exec.LookPath(tool)
	if err != nil {
		return "", fmt.Errorf("%s is missing: install it (Debian: apt-get install %s), or leave this kind out with -only", tool, debian)
	}
	return found, nil
}
