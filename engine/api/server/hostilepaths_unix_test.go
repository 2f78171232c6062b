//go:build !windows

package server

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"vaultdispatcher/engine/api/testdata/apitest"
)

// furnish puts into a vault what is no note, or leads away.
func furnish(t testing.TB, vault string) {
	t.Helper()
	outside := apitest.RealDir(t)
	apitest.WriteNote(t, filepath.Join(outside, "passwd.md"))
	apitest.WriteNote(t, filepath.Join(vault, "note.txt"))
	apitest.WriteNote(t, filepath.Join(vault, ".obsidian/x.md"))
	big, err := os.Create(filepath.Join(vault, "big.md"))
	if err != nil {
		t.Fatal(err)
	}
	defer big.Close()
	for _, err := range []error{
		big.Truncate(10<<20 + 1),
		os.Mkdir(filepath.Join(vault, "dir.md"), 0o755),
		syscall.Mkfifo(filepath.Join(vault, "pipe.md"), 0o644),
		os.Symlink("loop.md", filepath.Join(vault, "loop.md")),
		os.Symlink(filepath.Join(outside, "passwd.md"), filepath.Join(vault, "leaves.md")),
		os.Symlink(outside, filepath.Join(vault, "leaves")),
		os.Symlink("../../../../../../etc/hosts.md", filepath.Join(vault, "climbs.md")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// badPaths are files no scan may reach, in every way to say them.
func badPaths(vault string) []hostile {
	sibling := vault + "-evil/note.md"
	paths := []struct {
		file   string
		status int
		code   string
	}{
		{"/etc/passwd", 403, "outside_vaults"}, {"/etc/passwd.md", 403, "outside_vaults"}, {"/", 403, "outside_vaults"}, {"/dev/zero", 403, "outside_vaults"}, {"/proc/self/environ", 403, "outside_vaults"},
		{vault + "/../x.md", 403, "outside_vaults"}, {vault + "/sub/../../x.md", 403, "outside_vaults"}, {"../x.md", 403, "outside_vaults"}, {"sub/../../x.md", 403, "outside_vaults"}, {"..", 403, "outside_vaults"},
		{sibling, 403, "outside_vaults"}, {filepath.Dir(vault), 403, "outside_vaults"}, {"//attacker/share/x.md", 403, "outside_vaults"}, {`\\attacker\share\x.md`, 403, "outside_vaults"}, {`\\?\C:\x.md`, 403, "outside_vaults"},
		{`\\.\pipe\x.md`, 403, "outside_vaults"}, {`\??\C:\x.md`, 403, "outside_vaults"}, {`/\attacker\x.md`, 403, "outside_vaults"}, {`C:\Windows\win.md`, 403, "outside_vaults"}, {"C:/x.md", 403, "outside_vaults"}, {"c:x.md", 403, "outside_vaults"},
		{`..\x.md`, 403, "outside_vaults"}, {`sub\..\..\x.md`, 403, "outside_vaults"}, {"/" + vault, 403, "outside_vaults"},
		{vault, 422, "not_a_note"}, {vault + "/", 422, "not_a_note"}, {".", 422, "not_a_note"}, {"sub", 422, "not_a_note"}, {vault + "/sub", 422, "not_a_note"}, {".obsidian/x.md", 422, "not_a_note"}, {"sub/.git/x.md", 422, "not_a_note"},
		{".note.md", 422, "not_a_note"}, {"note.txt", 422, "not_a_note"}, {"note.md/", 422, "not_a_note"}, {"dir.md", 422, "not_a_note"}, {"big.md", 422, "not_a_note"}, {"pipe.md", 422, "not_a_note"},
		{"absent.md", 404, "not_found"}, {vault + "/absent.md", 404, "not_found"}, {"note.md/x.md", 404, "not_found"}, {"sub/absent/x.md", 404, "not_found"}, {"loop.md", 404, "not_found"}, {"~/x.md", 404, "not_found"}, {"%2e%2e/x.md", 404, "not_found"},
		{"leaves.md", 403, "outside_vaults"}, {"leaves/passwd.md", 403, "outside_vaults"}, {"climbs.md", 403, "outside_vaults"},
		{strings.Repeat("a", 5000) + ".md", 400, "bad_request"}, {strings.Repeat("a/", 2040) + "x.md", 404, "not_found"}, {strings.Repeat("n", 300) + ".md", 404, "not_found"},
		{"note.md\x7f", 400, "bad_request"}, {"no\x1bte.md", 400, "bad_request"}, {"note.md\u0085x", 400, "bad_request"},
	}
	var all []hostile
	for _, p := range paths {
		body := `{"file":` + quoteJSON(p.file) + `}`
		all = append(all, hostile{"path as JSON " + p.file, apitest.Request("POST", "/vault-mind/scan", apitest.AsJSON, body), p.status, p.code},
			hostile{"path as form " + p.file, apitest.Request("POST", "/vault-mind/scan", apitest.AsForm, "file="+quoteForm(p.file)), p.status, p.code})
	}
	return all
}

// TestHostilePaths asks for every file that is no note of the vault.
func TestHostilePaths(t *testing.T) {
	r := start(t)
	vault := r.backend.Vaults[0].Path
	furnish(t, vault)
	all := badPaths(vault)
	r.expect(t, all)
	for _, p := range r.backend.Scans {
		if p.Rel != "note.md" {
			t.Errorf("the engine was asked to scan %q", p.Rel)
		}
	}
	t.Logf("count: %d hostile paths", len(all))
}
