//go:build realvaults

package broadcast

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/broadcast/kinds"
)

var filesFlag = flag.String("files", "", "an empty folder; what is made is left there")

// madeFile is one answer of those that are left, as .ci/presentations reads them.
type madeFile struct{ Kind, Of, Answer string }

// TestLeaveFiles makes every kind of the sample vault, of the hostile notes and of a vault named, quoted and written, and leaves
// it there with its answers for the programs it is for.
func TestLeaveFiles(t *testing.T) {
	if *filesFlag == "" {
		t.Fatal("name a folder with -files")
	}
	hostileOf := []string{"[[Markers]]", "[[HTML]]", "[[Diagram]]", "[[Items]]", "[[Front]] and [[Same]]", "[[Query]]", "Names/"}
	vaults := map[string][]string{
		sampleVault:     {"[[Dial in espresso]]", "Projects/ and Meetings/", "Coffees/", "How-to/", "[[Home]]"},
		hostileVault(t): hostileOf,
	}
	names := map[string]string{sampleVault: "sample"}
	if *vaultFlag != sampleVault {
		vaults[*vaultFlag], names[*vaultFlag] = strings.Split(*askedFlag, ";"), filepath.Base(*vaultFlag)
	}
	for from, asked := range vaults {
		name := names[from]
		if name == "" {
			name = "hostile"
		}
		for _, by := range []string{"quoted", "written"} {
			root := filepath.Join(*filesFlag, name+"-"+by)
			if err := os.CopyFS(root, os.DirFS(from)); err != nil {
				t.Fatal(err)
			}
			leaveFiles(t, root, asked, by == "written")
		}
	}
}

// leaveFiles makes every kind of what is asked in the vault at root. The longest time is logged.
func leaveFiles(t *testing.T, root string, asked []string, isWritten bool) {
	t.Helper()
	c := openVault(t, root)
	var made []madeFile
	var longest time.Duration
	slowest := ""
	for _, of := range asked {
		for _, k := range kinds.All {
			question, begun := "kind: "+k.Name+" of "+of, time.Now()
			answer := ""
			if isWritten {
				reply, err := askWith(t, c, &scripted{}, root, question)
				if err != nil {
					t.Fatal(err)
				}
				answer = reply.Text
			} else {
				answer = ask(t, c, root, question)
			}
			if took := time.Since(begun); took > longest {
				longest, slowest = took, question
			}
			made = append(made, madeFile{k.Name, of, answer})
		}
	}
	t.Logf("%s: %d asked, the longest %s: %s", filepath.Base(root), len(made), longest.Round(time.Millisecond), slowest)
	text, err := json.MarshalIndent(made, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "made.json"), text, 0o600); err != nil {
		t.Fatal(err)
	}
}
