//go:build !windows

package notepath

import (
	"path/filepath"
	"testing"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/testdata/apitest"

	"golang.org/x/text/unicode/norm"
)

// TestTrueNames takes the way of file systems that know one name by several
// spellings: the name is read from the folder.
func TestTrueNames(t *testing.T) {
	vault := apitest.RealDir(t)
	root := api.Root{Path: vault}
	composed := norm.NFC.String("sub/Ä.md")
	apitest.WriteNote(t, filepath.Join(vault, composed))
	for rel, want := range map[string]string{composed: composed, norm.NFD.String(composed): composed, "sub/absent.md": ""} {
		r := &resolver{roots: []api.Root{root}, oneSpelling: false}
		found, err := r.findNotes(Place{Root: root, Rel: rel})
		switch {
		case want == "" && err == nil, want != "" && (err != nil || len(found) != 1 || found[0].Rel != want):
			t.Errorf("%q: %v, %v", rel, found, err)
		}
	}
}
