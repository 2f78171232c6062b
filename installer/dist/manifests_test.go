package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

const offeredAt = "https://example.org/downloads"

// offerFiles makes manifests for these files, and returns their folder and what was told.
func offerFiles(t *testing.T, base string, files ...string) (dir, told string) {
	t.Helper()
	dir = t.TempDir()
	for _, name := range files {
		writeText(t, filepath.Join(dir, name), "this is "+name)
	}
	var said strings.Builder
	tell := func(format string, args ...any) { fmt.Fprintf(&said, format+"\n", args...) }
	r := &release{top: "../..", version: "1.2.3-rc.1", time: then, addresses: addresses{base: base}, tell: tell}
	if err := r.writeManifests(dir); err != nil {
		t.Fatal(err)
	}
	return dir, said.String()
}

// listOffered lists the files that a whole release would offer.
func listOffered() []string {
	files := []string{"vault-dispatcher_1.2.3-rc.1_setup.exe"}
	for _, arch := range []string{"amd64", "arm64"} {
		files = append(files, "vault-dispatcher_1.2.3-rc.1_linux_"+arch+".tar.gz", "vault-dispatcher_1.2.3-rc.1_darwin_"+arch+".tar.gz", "vault-dispatcher_1.2.3-rc.1_windows_"+arch+".zip")
	}
	return files
}

// checkSum checks that an address is that of a file here, and the sum the one of its bytes.
func checkSum(t *testing.T, dir, url, sum, want string) {
	t.Helper()
	if url != offeredAt+"/"+want {
		t.Errorf("%s is said to be at %s", want, url)
	}
	if bytes := readBytes(t, filepath.Join(dir, path.Base(url))); sum != fmt.Sprintf("%x", sha256.Sum256(bytes)) {
		t.Errorf("the sum of %s is said to be %s", want, sum)
	}
}

func TestFormula(t *testing.T) {
	dir, told := offerFiles(t, offeredAt, listOffered()...)
	if told != "" {
		t.Errorf("it says %s", told)
	}
	text := string(readBytes(t, filepath.Join(dir, "vault-dispatcher.rb")))
	found := regexp.MustCompile(`on_(\w+) do|url "(.*)"\n +sha256 "(.*)"`).FindAllStringSubmatch(text, -1)
	want := []string{"macos", "intel", "darwin_amd64", "arm", "darwin_arm64", "linux", "intel", "linux_amd64", "arm", "linux_arm64"}
	if len(found) != len(want) {
		t.Fatalf("%d of %d parts:\n%s", len(found), len(want), text)
	}
	for i, f := range found {
		if f[1] == "" {
			checkSum(t, dir, f[2], f[3], "vault-dispatcher_1.2.3-rc.1_"+want[i]+".tar.gz")
		} else if f[1] != want[i] {
			t.Errorf("part %d is for %s, not %s", i, f[1], want[i])
		}
	}
	for _, page := range []string{`man1.install Dir["man/*.1.gz"]`, `man5.install Dir["man/*.5.gz"]`} {
		if !strings.Contains(text, page) {
			t.Errorf("no %s:\n%s", page, text)
		}
	}
	opened := regexp.MustCompile(`(?m)( do$|^ *(class|def) )`).FindAllString(text, -1)
	closed := regexp.MustCompile(`(?m)^ *end$`).FindAllString(text, -1)
	if len(opened) != len(closed) || !strings.Contains(text, `version "1.2.3-rc.1"`) {
		t.Errorf("%d blocks, %d ends:\n%s", len(opened), len(closed), text)
	}
}

func TestScoop(t *testing.T) {
	dir, _ := offerFiles(t, offeredAt, listOffered()...)
	var app struct {
		Version, Description, Homepage, License, Notes, Bin string
		Shortcuts                                           [][]string
		Architecture                                        map[string]struct {
			URL, Hash string
			Folder    string `json:"extract_dir"`
		}
	}
	dec := json.NewDecoder(bytes.NewReader(readBytes(t, filepath.Join(dir, "vault-dispatcher.json"))))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&app); err != nil {
		t.Fatal(err)
	}
	if app.Version != "1.2.3-rc.1" || app.Homepage != offeredAt+"/" || app.License != "MIT" || app.Description == "" || len(app.Architecture) != 2 {
		t.Errorf("it says %+v", app)
	}
	for name, arch := range map[string]string{"64bit": "amd64", "arm64": "arm64"} {
		a, folder := app.Architecture[name], "vault-dispatcher_1.2.3-rc.1_windows_"+arch
		checkSum(t, dir, a.URL, a.Hash, folder+".zip")
		if a.Folder != folder {
			t.Errorf("its programs are looked for in %s", a.Folder)
		}
	}
}

// TestWinget: the three files have what schema 1.6 asks for, and agree.
func TestWinget(t *testing.T) {
	dir, _ := offerFiles(t, offeredAt, listOffered()...)
	for name, must := range map[string][]string{
		"version:":                    {"DefaultLocale"},
		"installer:.installer":        {"Installers"},
		"defaultLocale:.locale.en-US": {"PackageLocale", "Publisher", "PackageName", "License", "ShortDescription"},
	} {
		kind, suffix, _ := strings.Cut(name, ":")
		var m map[string]any
		if err := yaml.Unmarshal(readBytes(t, filepath.Join(dir, "VaultDispatcher.VaultDispatcher"+suffix+".yaml")), &m); err != nil {
			t.Fatal(err)
		}
		if m["PackageIdentifier"] != "VaultDispatcher.VaultDispatcher" || m["PackageVersion"] != "1.2.3-rc.1" || m["ManifestType"] != kind || m["ManifestVersion"] != "1.6.0" {
			t.Errorf("%s says %v", kind, m)
		}
		for _, key := range must {
			if m[key] == nil || m[key] == "" {
				t.Errorf("%s has no %s", kind, key)
			}
		}
	}
	var m struct {
		Date       string `yaml:"ReleaseDate"`
		Type       string `yaml:"InstallerType"`
		Installers []struct {
			Architecture string `yaml:"Architecture"`
			URL          string `yaml:"InstallerUrl"`
			Sum          string `yaml:"InstallerSha256"`
		} `yaml:"Installers"`
	}
	if err := yaml.Unmarshal(readBytes(t, filepath.Join(dir, "VaultDispatcher.VaultDispatcher.installer.yaml")), &m); err != nil {
		t.Fatal(err)
	}
	if m.Date != "2023-11-14" || m.Type != "nullsoft" || len(m.Installers) != 1 || m.Installers[0].Architecture != "x64" {
		t.Fatalf("it installs %+v", m)
	}
	checkSum(t, dir, m.Installers[0].URL, m.Installers[0].Sum, "vault-dispatcher_1.2.3-rc.1_setup.exe")
}

// TestManifestsOfPart: nothing points to what was not made, and it is said.
func TestManifestsOfPart(t *testing.T) {
	for _, test := range []struct {
		base  string
		files []string
		want  []string // beginnings of what is made
		told  []string
	}{
		{"", listOffered(), nil, []string{"-base-url names none"}},
		{offeredAt, nil, nil, []string{"for Homebrew", "for scoop", "for the AUR", "for Nix", "for winget"}},
		{offeredAt, []string{"vault-dispatcher_1.2.3-rc.1_linux_amd64.tar.gz"}, []string{"PKGBUILD", "vault-dispatcher.nix"}, []string{"for Homebrew", "for scoop", "for winget"}},
		{offeredAt, []string{"vault-dispatcher_1.2.3-rc.1_windows_arm64.zip"}, []string{"vault-dispatcher.json"}, []string{"for Homebrew", "for the AUR", "for Nix", "for winget"}},
		{offeredAt, []string{"vault-dispatcher_1.2.3-rc.1_linux_arm64.tar.gz", "vault-dispatcher_1.2.3-rc.1_darwin_arm64.tar.gz"}, []string{"PKGBUILD", "vault-dispatcher.nix", "vault-dispatcher.rb"}, []string{"for scoop", "for winget"}},
	} {
		dir, told := offerFiles(t, test.base, test.files...)
		var made []string
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if !slices.Contains(test.files, e.Name()) {
				made = append(made, e.Name())
			}
		}
		if !slices.Equal(made, test.want) || strings.Count(told, "\n") != len(test.told) {
			t.Errorf("of %v it made %v and said %s", test.files, made, told)
		}
		for _, want := range test.told {
			if !strings.Contains(told, want) {
				t.Errorf("of %v it does not say %q: %s", test.files, want, told)
			}
		}
		for _, name := range made {
			if text := string(readBytes(t, filepath.Join(dir, name))); strings.Contains(text, "no value") || strings.Contains(text, "nil") {
				t.Errorf("%s has a gap:\n%s", name, text)
			}
			if strings.HasSuffix(name, ".json") && !json.Valid(readBytes(t, filepath.Join(dir, name))) {
				t.Errorf("%s is no JSON", name)
			}
		}
	}
}

func TestAddress(t *testing.T) {
	for given, want := range map[string]string{
		"":                              "",
		"https://example.org":           "https://example.org",
		"https://example.org:8443/a/b/": "https://example.org:8443/a/b",
		"https://example.org/v1.2%20x":  "https://example.org/v1.2%20x",
	} {
		if got, err := checkAddress("base-url", given); err != nil || got != want {
			t.Errorf("%q gave %q, %v", given, got, err)
		}
	}
	for _, bad := range []string{"example.org", "http://example.org", "https://", "https:///a", "https://a b", "https://a/?q", "https://a/#{x}", `https://a"b/`, "https://me@a/", "https://a/\nb", "https://a/'"} {
		if got, err := checkAddress("base-url", bad); err == nil || !strings.Contains(err.Error(), "-base-url") {
			t.Errorf("%q gave %q, %v", bad, got, err)
		}
	}
}

// Recipes for Linux name the archive of each platform with its sum.
func TestRecipes(t *testing.T) {
	dir, _ := offerFiles(t, offeredAt, listOffered()...)
	aur := string(readBytes(t, filepath.Join(dir, "PKGBUILD")))
	for arch, name := range map[string]string{"amd64": "x86_64", "arm64": "aarch64"} {
		found := regexp.MustCompile(`source_` + name + `=\("(.*)"\)\nsha256sums_` + name + `=\((.*)\)`).FindStringSubmatch(aur)
		if found == nil {
			t.Fatalf("nothing for %s:\n%s", name, aur)
		}
		checkSum(t, dir, found[1], found[2], "vault-dispatcher_1.2.3-rc.1_linux_"+arch+".tar.gz")
	}
	if !strings.Contains(aur, "\npkgver=1.2.3_rc.1\n") || !strings.Contains(aur, "\narch=(x86_64 aarch64 )\n") {
		t.Errorf("the version or the processors are not those of the release:\n%s", aur)
	}
	nix := string(readBytes(t, filepath.Join(dir, "vault-dispatcher.nix")))
	for name, archive := range map[string]string{"x86_64-linux": "linux_amd64", "aarch64-linux": "linux_arm64", "x86_64-darwin": "darwin_amd64", "aarch64-darwin": "darwin_arm64"} {
		found := regexp.MustCompile(name + ` = \{ url = "(.*)"; sha256 = "(.*)"; \};`).FindStringSubmatch(nix)
		if found == nil {
			t.Fatalf("nothing for %s:\n%s", name, nix)
		}
		checkSum(t, dir, found[1], found[2], "vault-dispatcher_1.2.3-rc.1_"+archive+".tar.gz")
	}
}
