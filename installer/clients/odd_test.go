package clients

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vaultdispatcher/engine/testdata/testseed"
)

// thereAndBack installs and uninstalls, and wants every byte as it was.
func thereAndBack(t *testing.T, client, text string) {
	t.Helper()
	home(t)
	file, key, err := fileOf(client)
	if err != nil {
		t.Fatal(err)
	}
	putFile(t, file, text)
	if _, err := Install(client, "/usr/bin/wiki", args); err != nil {
		t.Errorf("%s %q: %v", client, text, err)
		return
	}
	with, _ := os.ReadFile(file)
	if entry, _ := entryOf(with, key); !isOurs(entry) {
		t.Errorf("%s %q: there is no entry in %q", client, text, with)
	}
	if _, err := Uninstall(client); err != nil {
		t.Errorf("%s %q: %v", client, text, err)
	}
	if got, _ := os.ReadFile(file); string(got) != text {
		t.Errorf("%s: %q came back as %q, by way of %q", client, text, got, with)
	}
}

// Files that editors leave: a byte order mark, line ends of Windows, tabs, no line end at the end, places
// that are there and empty.
func TestOddFilesComeBack(t *testing.T) {
	for _, text := range []string{
		"\uFEFF{\"a\":1}", "\uFEFF{\r\n\t\"mcpServers\": {\r\n\t\t\"o\": {}\r\n\t}\r\n}", "{\r\n}\r\n", "{ }", "{\t}\n\n\n", "{\n}",
		`{"mcpServers":{}}`, `{"mcpServers":{ },"b":[]}`, "{\n\t\"mcpServers\": {\n\t}\n}", "{\"a\":\"\u2028\",\"mcpServers\":{\"x\":{}}}",
	} {
		thereAndBack(t, "claude", text)
		thereAndBack(t, "vscode", strings.ReplaceAll(text, "mcpServers", "servers"))
	}
	for _, text := range []string{
		"a = 1", "a = 1\n", "a = 1\n\n\n", "a = 1\r\n", "a = 1\r\n[b]\r\nc = 2", "\uFEFFa = 1\n", "\n", "# only words", "a = 1\n\t\n",
		"[mcp_servers.other]\ncommand = \"x\"\n# the end\n",
	} {
		thereAndBack(t, "codex", text)
	}
}

// TestRandomFilesComeBack makes files of pieces, in random layouts.
func TestRandomFilesComeBack(t *testing.T) {
	r := rand.New(rand.NewPCG(testseed.Take(t), 0))
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	gap := func() string { return pick("", " ", "\n", "\r\n\t", "\n  ", "\t") }
	for range 15 {
		var members []string
		for i := range r.IntN(4) {
			members = append(members, gap()+fmt.Sprintf("\"k%d\"", i)+gap()+":"+gap()+pick("1", "\"{\"", "[{}, 2]", "{\"mcpServers\":{}}", "null")+gap())
		}
		if r.IntN(2) == 0 {
			members = append(members, gap()+`"mcpServers": {`+gap()+pick("", `"o":{"args":["mcp"]}`+gap())+"}"+gap())
		}
		r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
		inside := strings.Join(members, ",")
		if len(members) == 0 {
			inside = gap()
		}
		thereAndBack(t, "claude", pick("", "\uFEFF")+"{"+inside+"}"+pick("", "\n", "\r\n"))
		end := pick("\n", "\r\n")
		var lines []string
		for i := range r.IntN(6) {
			lines = append(lines, pick("", "# words", fmt.Sprintf("k%d = 1", i), fmt.Sprintf("[t%d]", i), fmt.Sprintf("[mcp_servers.o%d]", i)))
		}
		thereAndBack(t, "codex", strings.Join(lines, end)+pick("", end))
	}
}

// What a person puts behind our table is theirs, with the words above it.
func TestWordsBehindOurTableStay(t *testing.T) {
	home(t)
	file, _, _ := fileOf("codex")
	putFile(t, file, "a = 1\n")
	if _, err := Install("codex", "/wiki", args); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(file)
	behind := "\n# why this is here\n[mcp_servers.other]\ncommand = \"x\"\n"
	putFile(t, file, string(text)+behind)
	if _, err := Uninstall("codex"); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(file); string(got) != "a = 1\n"+behind {
		t.Errorf("left is %q", got)
	}
}

// An entry of our name that a person has made is neither replaced nor taken out.
func TestOwnEntryStays(t *testing.T) {
	for client, texts := range map[string][]string{
		"claude": {`{"mcpServers":{"vault-dispatcher":{"type":"http","url":"http://127.0.0.1:11435/mcp"}}}`, `{"mcpServers":{"vault-dispatcher":{"command":"npx","args":["thing"]}}}`,
			`{"mcpServers":{"vault-dispatcher":null}}`, `{"mcpServers":{"vault-dispatcher":{"command":"x","args":["mcp"],"url":"y"}}}`},
		"codex": {"[mcp_servers.vault-dispatcher]\nurl = \"http://127.0.0.1:11435/mcp\"\n", "[mcp_servers.vault-dispatcher]\ncommand = \"docker\"\nargs = [\"run\"]\n"},
	} {
		for _, text := range texts {
			home(t)
			file, _, _ := fileOf(client)
			putFile(t, file, text)
			_, put := Install(client, "/wiki", args)
			_, dropped := Uninstall(client)
			if !errors.Is(put, errOwn) || !errors.Is(dropped, errOwn) || len(Installed()) > 0 {
				t.Errorf("%s %q: %v, %v, installed %q", client, text, put, dropped, Installed())
			}
			entries, _ := os.ReadDir(filepath.Dir(file))
			if got, _ := os.ReadFile(file); string(got) != text || len(entries) != 1 {
				t.Errorf("%q became %q, %d files", text, got, len(entries))
			}
		}
	}
}

// A file that was given comments since is told of by who uninstalls, not passed over.
func TestCommentsHideNoEntry(t *testing.T) {
	home(t)
	file, _, _ := fileOf("vscode")
	if _, err := Install("vscode", "/wiki", args); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(file)
	putFile(t, file, "// mine\n"+string(text))
	if got := Installed(); len(got) != 1 || got[0] != "vscode" {
		t.Errorf("installed %q", got)
	}
	if _, err := Uninstall("vscode"); !errors.As(err, new(*Manual)) {
		t.Errorf("uninstalled: %v", err)
	}
	if got, _ := os.ReadFile(file); string(got) != "// mine\n"+string(text) {
		t.Errorf("it became %q", got)
	}
}
