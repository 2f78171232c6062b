package update

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// listOf is SHA256SUMS of a release, as .ci/release/make leaves it.
func listOf(version string) string {
	var b strings.Builder
	for i, name := range []string{
		"VaultDispatcher.VaultDispatcher.yaml", "vault-dispatcher-" + version + "-1-x86_64.pkg.tar.zst", "vault-dispatcher-" + version + "-1.aarch64.rpm",
		"vault-dispatcher-" + version + "-1.x86_64.rpm", "vault-dispatcher.rb", "vault-dispatcher_" + version + "_amd64.deb", "vault-dispatcher_" + version + "_arm64.deb",
		"vault-dispatcher_" + version + "_darwin_arm64.tar.gz", "vault-dispatcher_" + version + "_linux_amd64.tar.gz", "vault-dispatcher_" + version + "_macos_arm64.zip",
		"vault-dispatcher_" + version + "_setup.exe", "vault-dispatcher_" + version + "_wiki_linux_amd64.cdx.json", "vault-dispatcher_" + version + "_windows_amd64.zip",
		"vault-dispatcher_" + version + "_x64.msi", "vault-dispatcher_" + version + "_x86_64.apk", "vault-dispatcher.json",
	} {
		fmt.Fprintf(&b, "%064x  %s\n", i, name)
	}
	return b.String()
}

// serve is a place on this machine that answers as told, and counts who asks.
func serve(t *testing.T, answer http.HandlerFunc) (Place, *[]string) {
	t.Helper()
	var asked []string
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path+" "+r.UserAgent())
		answer(w, r)
	}))
	t.Cleanup(s.Close)
	return Place{s.URL + "/latest/", s.Client().Transport}, &asked
}

func says(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) }
}

// debian has the program from a package.
var debian = Machine{"linux", "amd64", "/usr/bin/wiki", func(name string) bool { return name == "/var/lib/dpkg/info/vault-dispatcher.list" }}

func TestLook(t *testing.T) {
	place, asked := serve(t, says(listOf("0.10.0")))
	found, err := Look(context.Background(), place, "0.9.1", debian)
	if err != nil {
		t.Fatal(err)
	}
	const file = "vault-dispatcher_0.10.0_amd64.deb"
	if !found.Newer || found.Newest != "0.10.0" || found.File != file || found.Address != place.Address+file || found.Sum != fmt.Sprintf("%064x", 5) || found.Steps[0] != "sudo apt install ./"+file {
		t.Errorf("found %+v", found)
	}
	if !slices.Equal(*asked, []string{"/latest/SHA256SUMS vault-dispatcher"}) {
		t.Errorf("asked %q", *asked)
	}
	for version, want := range map[string]string{
		"0.10.0":     "0.10.0 is the newest release\n",
		"0.11.0-dev": "the newest release is 0.10.0; this is 0.11.0-dev, which is newer\n",
		"0.10.0-dev": "sudo apt install ./" + file,
		"0.1.0":      "  check that its SHA-256 sum is " + fmt.Sprintf("%064x", 5) + "\n",
	} {
		found, err := Look(context.Background(), place, version, debian)
		var said strings.Builder
		if Print(&said, found); err != nil || !strings.Contains(said.String(), want) {
			t.Errorf("%s: %v, %q", version, err, said.String())
		}
	}
}

// TestLookRefuses: what is not what a release makes is never taken for one.
func TestLookRefuses(t *testing.T) {
	if _, err := Look(context.Background(), Place{}, "0.1.0", debian); !errors.Is(err, ErrNoPlace) {
		t.Errorf("without a place: %v", err)
	}
	good := listOf("0.2.0")
	for name, text := range map[string]string{
		"nothing": "", "a page": "<!DOCTYPE html><title>Sign in</title>", "no version": strings.Repeat("0", 64) + "  vault-dispatcher.rb\n",
		"two versions": good + listOf("0.3.0"), "a path": good + strings.Repeat("0", 64) + "  ../x\n", "an empty line": good + "\n",
		"a terminal's code": good + strings.Repeat("0", 64) + "  \x1b[2Jx\n", "a short sum": good + "00  x\n", "a shell's sign": good + strings.Repeat("0", 64) + "  a;b\n",
		"too long": strings.Repeat(good, mostList/len(good)+1),
	} {
		place, _ := serve(t, says(text))
		if found, err := Look(context.Background(), place, "0.1.0", debian); !errors.Is(err, ErrNoList) {
			t.Errorf("%s: %+v, %v", name, found, err)
		}
	}
	place, _ := serve(t, http.NotFound)
	if _, err := Look(context.Background(), place, "0.1.0", debian); err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("not there: %v", err)
	}
}

// TestSecure: nothing is asked but by https, whatever the address or a redirection says.
func TestSecure(t *testing.T) {
	plain := httptest.NewServer(says(listOf("0.2.0")))
	defer plain.Close()
	if _, err := Look(context.Background(), Place{Address: plain.URL}, "0.1.0", debian); err == nil || !strings.Contains(err.Error(), "https alone") {
		t.Errorf("without TLS: %v", err)
	}
	place, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, plain.URL+"/SHA256SUMS", http.StatusFound)
	})
	if _, err := Look(context.Background(), place, "0.1.0", debian); err == nil || !strings.Contains(err.Error(), "https alone") {
		t.Errorf("led away from TLS: %v", err)
	}
	around, asked := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) })
	if _, err := Look(context.Background(), around, "0.1.0", debian); err == nil || len(*asked) != mostHops+1 {
		t.Errorf("led around %d times: %v", len(*asked), err)
	}
	once, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/latest/SHA256SUMS" {
			http.Redirect(w, r, "/v0.2.0/SHA256SUMS", http.StatusFound)
			return
		}
		fmt.Fprint(w, listOf("0.2.0"))
	})
	if found, err := Look(context.Background(), once, "0.1.0", debian); err != nil || found.Newest != "0.2.0" {
		t.Errorf("led on once: %+v, %v", found, err)
	}
}

// roundTrip is a network.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestSilentPlace: a place that does not answer keeps nobody.
func TestSilentPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		silent := roundTrip(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})
		_, err := Look(t.Context(), Place{"https://example.org/latest", silent}, "0.1.0", debian)
		if took := time.Since(begun); !errors.Is(err, context.DeadlineExceeded) || took != lookTime {
			t.Errorf("after %v: %v", took, err)
		}
	})
}

func TestCompareVersions(t *testing.T) {
	ordered := []string{"0.1.0-dev", "0.1.0-rc.1", "0.1.0-rc.2", "0.1.0-rc.10", "0.1.0-rc.10.1", "0.1.0", "0.1.1", "0.2.0", "0.10.0", "1.0.0-alpha", "1.0.0", "1.0.0", "99999999999999999999999.0.0"}
	for i, a := range ordered {
		for j, b := range ordered {
			want := 0
			if a != b {
				want = map[bool]int{true: -1, false: 1}[i < j]
			}
			if got := compareVersions(a, b); got != want {
				t.Errorf("%s and %s: %d, not %d", a, b, got, want)
			}
		}
	}
	if compareVersions("1.0.0-1", "1.0.0-a") >= 0 {
		t.Error("a word is before a number")
	}
}

// TestWays: each way to install the program is told how its next one is.
func TestWays(t *testing.T) {
	sums, _, err := readList(listOf("0.2.0"))
	if err != nil {
		t.Fatal(err)
	}
	place, _ := serve(t, says(listOf("0.2.0")))
	for _, c := range []struct{ system, arch, program, sign, file, step string }{
		{"linux", "amd64", "/usr/bin/wiki", "/var/lib/dpkg/info/vault-dispatcher.list", "_amd64.deb", "sudo apt install ./vault-dispatcher_0.2.0_amd64.deb"},
		{"linux", "arm64", "/usr/bin/wiki", "/var/lib/rpm", ".aarch64.rpm", "sudo rpm -U vault-dispatcher-0.2.0-1.aarch64.rpm"},
		{"linux", "amd64", "/usr/bin/wiki", "/usr/lib/sysimage/rpm", ".x86_64.rpm", "sudo rpm -U vault-dispatcher-0.2.0-1.x86_64.rpm"},
		{"linux", "amd64", "/usr/bin/wiki", "/lib/apk/db/installed", "_x86_64.apk", "sudo apk add --allow-untrusted vault-dispatcher_0.2.0_x86_64.apk"},
		{"linux", "amd64", "/usr/bin/wiki", "/var/lib/pacman/local/vault-dispatcher-[0-9]*", "-x86_64.pkg.tar.zst", "sudo pacman -U vault-dispatcher-0.2.0-1-x86_64.pkg.tar.zst"},
		{"linux", "amd64", "/home/me/bin/wiki", "/var/lib/dpkg/info/vault-dispatcher.list", "_linux_amd64.tar.gz", "tar -xzf vault-dispatcher_0.2.0_linux_amd64.tar.gz"},
		{"linux", "amd64", "/home/linuxbrew/.linuxbrew/Cellar/vault-dispatcher/0.1.0/bin/wiki", "", "vault-dispatcher.rb",
			`cp vault-dispatcher.rb "$(brew --repository local/vault)/Formula/", or over the formula in your tap`},
		{"darwin", "arm64", "/opt/homebrew/Cellar/vault-dispatcher/0.1.0/bin/wiki", "", "vault-dispatcher.rb",
			`cp vault-dispatcher.rb "$(brew --repository local/vault)/Formula/", or over the formula in your tap`},
		{"darwin", "arm64", "/Applications/Vault Dispatcher.app/Contents/MacOS/wiki", "", "_macos_arm64.zip",
			"unpack vault-dispatcher_0.2.0_macos_arm64.zip, and put its application in the place of /Applications/Vault Dispatcher.app"},
		{"darwin", "arm64", "/usr/local/bin/wiki", "", "_darwin_arm64.tar.gz", "tar -xzf vault-dispatcher_0.2.0_darwin_arm64.tar.gz"},
		{"windows", "amd64", `C:\Users\me\scoop\apps\vault-dispatcher\current\wiki.exe`, "", "vault-dispatcher.json",
			`put vault-dispatcher.json in the place of the one that you installed; its path is the url in C:\Users\me\scoop\apps\vault-dispatcher\current\install.json`},
		{"windows", "amd64", `C:\Users\me\AppData\Local\Programs\Vault Dispatcher\wiki.exe`, `C:\Users\me\AppData\Local\Programs\Vault Dispatcher\uninstall.exe`,
			"_setup.exe", "run vault-dispatcher_0.2.0_setup.exe, also where winget has installed it"},
		{"windows", "amd64", `C:\Users\me\AppData\Local\Programs\Vault Dispatcher\wiki.exe`, "", "_x64.msi", "wiki service stop"},
		{"windows", "amd64", `D:\tools\wiki.exe`, "", "_windows_amd64.zip", "unpack vault-dispatcher_0.2.0_windows_amd64.zip"},
		{"plan9", "mips", "/bin/wiki", "", "none", ""},
	} {
		m := Machine{c.system, c.arch, c.program, func(name string) bool { return name == c.sign }}
		found, err := Look(context.Background(), place, "0.1.0", m)
		var step string
		if len(found.Steps) > 0 {
			step = found.Steps[0]
		}
		if err != nil || !strings.HasSuffix(found.File, strings.TrimPrefix(c.file, "none")) || (c.file == "none") != (found.File == "") || step != c.step || found.Sum != sums[found.File] {
			t.Errorf("%s: %+v, %v", c.program, found, err)
		}
	}
}

// The sum comes from the same place as the file; who made the file is told by GitHub's attestation, where there is one.
func TestProof(t *testing.T) {
	for base, want := range map[string]string{
		"https://github.com/someone/notes/releases/latest/download": "gh attestation verify a.deb --repo someone/notes",
		"https://github.com/": "", "https://mirror.example/someone/notes": "", "https://github.com.example/a/b": "",
	} {
		if got := describeProof(base, "a.deb"); got != want {
			t.Errorf("%s: %q", base, got)
		}
	}
	var said strings.Builder
	Print(&said, Found{Version: "0.1.0", Newest: "0.2.0", Newer: true, File: "a.deb", Steps: []string{"install it"}, Proof: "gh attestation verify a.deb --repo someone/notes"})
	if !strings.Contains(said.String(), "same place: gh attestation verify a.deb --repo someone/notes\n  install it") {
		t.Errorf("%s", said.String())
	}
}
