package complete

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spf13/cobra"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
)

// program has the commands of the tables, with their flags.
func program(s Source) *cobra.Command {
	root := &cobra.Command{Use: "wiki", RunE: func(*cobra.Command, []string) error { return nil }}
	paths := []string{"wiki token"}
	for p := range arguments {
		paths = append(paths, p)
	}
	for p := range flags {
		paths = append(paths, p)
	}
	for _, p := range paths {
		at := root
		for _, name := range strings.Fields(p)[1:] {
			next, _, err := at.Find([]string{name})
			if err != nil || next == at {
				next = &cobra.Command{Use: name, Args: cobra.ArbitraryArgs, Run: func(*cobra.Command, []string) {}}
				at.AddCommand(next)
			}
			at = next
		}
		for name := range flags[p] {
			if at.Flags().Lookup(name) == nil {
				at.Flags().String(name, "", "")
			}
		}
	}
	Add(root, s)
	return root
}

// offered is what a shell is told, without what is said of each word.
func offered(t *testing.T, s Source, line ...string) (list []string, directive string) {
	t.Helper()
	root := program(s)
	var out bytes.Buffer
	root.SetOut(&out)
	root.SetErr(new(bytes.Buffer))
	root.SetArgs(append([]string{cobra.ShellCompRequestCmd}, line...))
	if err := root.ExecuteContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		word, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		list = append(list, word)
	}
	return list[:len(list)-1], list[len(list)-1]
}

// some is an engine with one dispatch of each status, and a configuration.
var some = Source{
	Config: func() (config.Config, error) {
		c := config.Default()
		c.Vaults = []config.Vault{{Name: "Notes", Path: "/n"}, {Name: "Shop", Path: "/s"}, {Name: "$(id)", Path: "/x"}}
		return c, nil
	},
	Dispatches: func(_ context.Context, status string) ([]api.Dispatch, error) {
		if status == "held" {
			return []api.Dispatch{{ID: "h1", Status: status, File: "In/a.md", Instruction: "what\n\x1b[2J"}, {ID: "h2", Status: status, File: "b.md"}, {ID: "h3", Status: status, File: "In/$(id).md"}}, nil
		}
		return []api.Dispatch{{ID: "id-" + status, Status: status}}, nil
	},
}

func TestOffered(t *testing.T) {
	for line, want := range map[string]string{
		"undo ":                          "id-done",
		"cancel ":                        "id-queued id-processing id-failed h1 h2 h3 id-proposed id-scheduled id-parked",
		"retry ":                         "id-failed h1 h2 h3 id-queued id-cancelled",
		"release h":                      "h1 h2 h3",
		"release x":                      "",
		"release h1 ":                    "",
		"dispatches show ":               "id-",
		"dispatches --status k":          "kept",
		"dispatches --status a":          "at work",
		"dispatches --status n":          "no result",
		"held --kind ":                   "old limit budget burst untrusted",
		"held --note ":                   "In/a.md b.md",
		"release --folder ":              "In",
		"watcher stop --vault ":          "Notes Shop",
		"agents test Mi":                 "Miner",
		"agents add E":                   "Editor",
		"ask --role ":                    "Broadcaster Miner",
		"config get wiki.dispatch.m":     "wiki.dispatch.mode",
		"config set wiki.dispatch.mode ": "tasks chain",
		"mcp install c":                  "claude codex cursor",
		"setup --provider o":             "ollama openai",
		"help dispatches ":               "show",
		"token ":                         "",
	} {
		words := strings.Split(line, " ")
		list, directive := offered(t, some, words...)
		if strings.Join(list, " ") != want || directive != ":4" {
			t.Errorf("wiki %s: %q %s, want %s", line, list, directive, want)
		}
	}
	for line, want := range map[string]string{"scan ": ":8 md markdown", "ask --note ": ":8 md markdown", "run --vault ": ":16", "--config ": ":8 yaml yml"} {
		list, directive := offered(t, some, strings.Split(line, " ")...)
		if got := strings.TrimSpace(directive + " " + strings.Join(list, " ")); got != want {
			t.Errorf("wiki %s: %s, want %s", line, got, want)
		}
	}
}

// TestBounded: what does not answer keeps nobody who types, and what fails offers nothing.
func TestBounded(t *testing.T) {
	for _, line := range [][]string{{"undo", ""}, {"agents", "test", ""}, {"held", "--note", ""}} {
		synctest.Test(t, func(t *testing.T) {
			over := make(chan struct{})
			defer close(over)
			silent := Source{
				Config:     func() (config.Config, error) { <-over; return config.Config{}, nil },
				Dispatches: func(context.Context, string) ([]api.Dispatch, error) { <-over; return nil, nil },
			}
			begun := time.Now()
			if list, _ := offered(t, silent, line...); len(list) > 0 || time.Since(begun) != patience {
				t.Errorf("wiki %q: %q after %v", line, list, time.Since(begun))
			}
		})
	}
	broken := errors.New("not running")
	failing := Source{
		Config:     func() (config.Config, error) { return config.Config{}, broken },
		Dispatches: func(context.Context, string) ([]api.Dispatch, error) { return nil, broken },
	}
	for _, line := range [][]string{{"undo", ""}, {"agents", "test", ""}, {"held", "--note", ""}} {
		if list, _ := offered(t, failing, line...); len(list) > 0 {
			t.Errorf("wiki %q: %q", line, list)
		}
	}
}

// TestSaid: what is said of an ID is one line that no terminal obeys.
func TestSaid(t *testing.T) {
	found := findDispatches("held")(t.Context(), some, nil)
	want := "h1\twaiting for you, In/a.md: what [2J"
	if !slices.Contains(found, want) {
		t.Errorf("%q is not in %q", want, found)
	}
}
