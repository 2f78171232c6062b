//go:build realvaults

package broadcast

import (
	"flag"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/broadcast/kinds"
)

var (
	vaultFlag = flag.String("vault", sampleVault, "a folder of notes; it is copied")
	askedFlag = flag.String("of", "[[Home]]", "what things are made of, several parted by ;")
	showFlag  = flag.String("show", "", "the kind whose text is logged, or all")
)

// TestRealVault makes every kind of a vault, each within two seconds, and logs what came out.
func TestRealVault(t *testing.T) {
	root := copyVault(t, *vaultFlag)
	c := openVault(t, root)
	for of := range strings.SplitSeq(*askedFlag, ";") {
		for _, k := range kinds.All {
			begun := time.Now()
			answer := ask(t, c, root, "kind: "+k.Name+" of "+of)
			took := time.Since(begun).Round(time.Millisecond)
			t.Logf("%s of %s in %s:\n%s\n", k.Name, of, took, answer)
			if took > 2*time.Second {
				t.Errorf("%s of %s took %s", k.Name, of, took)
			}
			if name, _, ok := strings.Cut(strings.TrimPrefix(answer, "![["), "]]"); ok && strings.HasPrefix(answer, "![[") && (*showFlag == k.Name || *showFlag == "all") {
				t.Logf("\n%s", readFile(t, root, strings.TrimSuffix(name, ".canvas")+".md"))
			}
		}
	}
}
