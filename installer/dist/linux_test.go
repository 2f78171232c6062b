package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// The description names what comes with the package and what it needs, and speaks as a package does: a synopsis of one
// line, and no first person (https://www.debian.org/doc/manuals/developers-reference/best-pkging-practices.html).
func TestDescription(t *testing.T) {
	var says struct {
		Description string
		Overrides   map[string]struct{ Suggests []string }
	}
	if err := yaml.Unmarshal(readBytes(t, filepath.Join("..", "linux", "nfpm.yaml")), &says); err != nil {
		t.Fatal(err)
	}
	synopsis, rest, _ := strings.Cut(says.Description, "\n")
	if len(synopsis) > 80 || regexp.MustCompile(`(?i)\b(?:we|our|us|my|i)\b`).MatchString(says.Description) {
		t.Errorf("it says:\n%s", says.Description)
	}
	for _, words := range []string{"Obsidian", "no account", "wiki-tray", "wiki-hub"} {
		if !strings.Contains(rest, words) {
			t.Errorf("it says nothing of %q", words)
		}
	}
	for line := range strings.Lines(rest) {
		if len(line) > 80 {
			t.Errorf("%d bytes: %s", len(line), line)
		}
	}
	if got, want := says.Overrides["deb"].Suggests, []string{"espeak-ng", "ffmpeg", "gnome-shell-extension-appindicator", "xdg-utils"}; !slices.Equal(slices.Sorted(slices.Values(got)), want) {
		t.Errorf("it suggests %q", got)
	}
}

// The copyright is in the form that machines read (https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/),
// has our terms in full, and says where those of the libraries are.
func TestCopyright(t *testing.T) {
	for _, home := range []string{"", "https://example.org/vd"} {
		r := &release{top: "../..", work: t.TempDir(), addresses: addresses{homepage: home}}
		file, err := r.writeCopyright()
		if err != nil {
			t.Fatal(err)
		}
		text := string(readBytes(t, file))
		var unfolded strings.Builder
		for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
			isEmpty, isFolded := line == "", strings.HasPrefix(line, " ") && strings.TrimSpace(line) != ""
			if name, _, isField := strings.Cut(line, ": "); !isEmpty && !isFolded && (!isField || strings.ContainsAny(name, " \t")) {
				t.Errorf("line %d is neither a field nor a part of one: %q", i+1, line)
			}
			if isFolded {
				unfolded.WriteString(strings.TrimPrefix(strings.TrimPrefix(line, " "), "."))
			}
			unfolded.WriteString("\n")
		}
		for _, want := range []string{
			"Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n", "\n\nFiles: *\nCopyright: 2026 The Vault Dispatcher authors\nLicense: MIT\n ",
			"THIRD-PARTY-LICENSES.txt", "statically",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("it lacks %q:\n%s", want, text)
			}
		}
		if strings.Contains(text, "\nSource: https://example.org/vd\n") != (home != "") {
			t.Errorf("with %q:\n%s", home, text)
		}
		licence, err := os.ReadFile("../../LICENSE")
		if err != nil {
			t.Fatal(err)
		}
		if _, terms, _ := strings.Cut(string(licence), "authors\n\n"); strings.Join(strings.Fields(terms), " ") == "" ||
			!strings.Contains(strings.Join(strings.Fields(unfolded.String()), " "), strings.Join(strings.Fields(terms), " ")) {
			t.Errorf("it lacks our terms:\n%s", text)
		}
	}
}
