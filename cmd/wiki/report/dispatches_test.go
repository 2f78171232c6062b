package report

import (
	"strings"
	"testing"
	"time"

	"charm.land/lipgloss/v2"

	"vaultdispatcher/engine/api"
)

// One dispatch says how far it is, as its row in the list does.
func TestDetailTellsProgress(t *testing.T) {
	var b strings.Builder
	d := api.Detail{Dispatch: api.Dispatch{ID: "d1", Status: "done", Progress: "not read aloud: no voice"}}
	PrintDetail(&b, d, false)
	if !strings.Contains(b.String(), "\nnot read aloud: no voice\n") {
		t.Errorf("printed is\n%s", b.String())
	}
}

// What the agent was sent is long, and is printed where it is asked for.
func TestDetailTellsTheTask(t *testing.T) {
	d := api.Detail{Dispatch: api.Dispatch{ID: "d1", Status: "done"}, Task: "Answer this.\nAnd that.\n"}
	for withTask, want := range map[bool]string{false: "\nsent to the agent: 2 lines; --task shows them, and what was written\n", true: "\ntask:\nAnswer this.\nAnd that.\n"} {
		var b strings.Builder
		if PrintDetail(&b, d, withTask); !strings.Contains(b.String(), want) || !withTask && strings.Contains(b.String(), "Answer") {
			t.Errorf("with its task %v, printed is\n%s", withTask, b.String())
		}
	}
}

// Each question has a row that begins with its words; the columns are aligned, also where a line below a row says why it is
// not done. A search shows those of a group that have its words.
func TestListHasARowForEachQuestion(t *testing.T) {
	begun := time.Now().Add(-time.Hour)
	ended := begun.Add(75 * time.Second)
	list := []api.Dispatch{
		{ID: "d1", Status: "failed", File: "A.md", Key: "agent-Miner", Instruction: "who came?", Error: "it broke"},
		{ID: "d2", Status: "done", Result: "none", File: "A longer name.md", Role: "Miner", Key: "agent-Miner:T1", Markers: 2, Instruction: "how was the trip?",
			Instructions: []string{"how was the trip?", "when is the launch?"}, StartedAt: &begun, FinishedAt: &ended},
	}
	var b strings.Builder
	PrintDispatches(&b, list, api.Filter{})
	lines := strings.Split(b.String(), "\n")
	if len(lines) != 5 || !strings.HasPrefix(lines[0], "who came?  ") || lines[1] != "  it broke" || !strings.HasPrefix(lines[2], "how was the trip?  ") ||
		strings.Index(lines[0], "Miner") != strings.Index(lines[3], "Miner:T1") || !strings.Contains(lines[3], "  no result   1m ") || !strings.HasSuffix(lines[3], " d2") {
		t.Errorf("printed is\n%s", b.String())
	}
	b.Reset()
	if PrintDispatches(&b, list[1:], api.Filter{Query: "LAUNCH miner"}); strings.Contains(b.String(), "trip") || !strings.Contains(b.String(), "launch") {
		t.Errorf("of a search printed is\n%s", b.String())
	}
}

// The columns are aligned where a question has characters of two cells, or of none.
func TestColumnsOfWideCharacters(t *testing.T) {
	questions := []string{"who came?", "备份在哪里？", "☕️ と 👩‍🚀 はどこ?", "cafe\u0301 où ?", "ｶﾀｶﾅ 한국어"}
	cells := []int{9, 12, 16, 9, 11}
	var list []api.Dispatch
	for _, text := range questions {
		list = append(list, api.Dispatch{ID: "d", Status: "done", File: "N.md", Key: "agent-Miner", Instruction: text})
	}
	var b strings.Builder
	PrintDispatches(&b, list, api.Filter{})
	for i, line := range strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n") {
		before, _, _ := strings.Cut(line, "Miner  ")
		if spaces := strings.TrimPrefix(before, questions[i]); len(spaces) != 18-cells[i] || strings.Trim(spaces, " ") != "" {
			t.Errorf("%q and %d spaces, want %d, in\n%s", questions[i], len(spaces), 18-cells[i], b.String())
		}
	}
}

// screen is a terminal of so many cells a line, with or without colours.
type screen struct {
	strings.Builder
	columns int
	colours bool
}

func (s *screen) Columns() int    { return s.columns }
func (s *screen) HasColour() bool { return s.colours }

// On a terminal no row is longer than its lines: the question and the middle of the note's path give way. A pipe has all.
func TestRowsFitTheTerminal(t *testing.T) {
	list := []api.Dispatch{
		{ID: "d1k3m9x2", Status: "failed", File: "Projects/Household 2026/Move of the server.md", Key: "agent-Miner", CreatedAt: time.Now(),
			Instruction: "what did we decide about the backups of the old server?", Error: "the program that answers has ended with a word on standard error that is long enough to be broken"},
		{ID: "d2", Status: "held", File: "Über/备份在哪里备份在哪里备份在哪里.md", Key: "agent-Broadcaster", CreatedAt: time.Now(), Instruction: "备份在哪里？备份在哪里？备份在哪里？备份在哪里？"},
	}
	for _, columns := range []int{80, 110, 200} {
		s := &screen{columns: columns}
		PrintDispatches(s, list, api.Filter{})
		for line := range strings.Lines(s.String()) {
			if lipgloss.Width(strings.TrimSuffix(line, "\n")) > columns {
				t.Errorf("at %d cells: %d in %q", columns, lipgloss.Width(line), line)
			}
		}
		for _, want := range []string{"Miner", "  m9x2\n", "  d2\n", ".md", "unanswered", "what did", "broken\n"} {
			if !strings.Contains(s.String(), want) {
				t.Errorf("at %d cells no %q in\n%s", columns, want, s)
			}
		}
		if all := strings.Contains(s.String(), "Projects/Household 2026/Move of the server.md"); all != (columns == 200) {
			t.Errorf("at %d cells\n%s", columns, s)
		}
		if own := strings.HasPrefix(s.String(), list[0].Instruction+"\n  Miner  "); own != (columns == 80) {
			t.Errorf("at %d cells the question has a line of its own: %v, in\n%s", columns, own, s)
		}
	}
	var pipe strings.Builder
	if PrintDispatches(&pipe, list, api.Filter{}); !strings.Contains(pipe.String(), list[0].Instruction+"  ") || !strings.Contains(pipe.String(), "  "+list[0].File+"  ") {
		t.Errorf("a pipe has\n%s", pipe.String())
	}
}

// On a terminal a row has as much of the end of its ID as tells it from the others, for the beginning is the time; a pipe has all of it.
func TestRowsHaveShortIDs(t *testing.T) {
	list := []api.Dispatch{{ID: "1jsjnhg85hvnw0"}, {ID: "1jsjnhg6zvnw0"}, {ID: "0p4y7k2m9x3td"}}
	s, pipe := &screen{columns: 80}, strings.Builder{}
	PrintDispatches(s, list, api.Filter{})
	PrintDispatches(&pipe, list, api.Filter{})
	PrintDispatches(s, list[2:], api.Filter{})
	for _, want := range []string{"  hvnw0\n", "  zvnw0\n", "  9x3td\n", "  x3td\n"} {
		if !strings.Contains(s.String(), want) || strings.Contains(pipe.String(), want) {
			t.Errorf("%q: a terminal has\n%s\na pipe\n%s", want, s, pipe.String())
		}
	}
}

// Under a group a terminal says once what became of it, and before a person acts that an act is for all of it.
func TestGroupIsSaidOnce(t *testing.T) {
	list := []api.Dispatch{{ID: "d1k3m9x2", Status: "cancelled", Markers: 2, Instructions: []string{"who came?", "and when?"}, Error: "undone by hand"}, {ID: "d2", Status: "done", Markers: 1}}
	for columns, want := range map[int]int{80: 1, 110: 1, 0: 0} {
		s := &screen{columns: columns}
		PrintDispatches(s, list, api.Filter{})
		if strings.Count(s.String(), "  asked together: undo, retry and cancel act on all 2\n") != want || strings.Count(s.String(), "  undone by hand\n") != 1 {
			t.Errorf("at %d cells\n%s", columns, s)
		}
	}
}

// The word for each status has the colour that it has on the dashboard, where the terminal shows colours.
func TestStatusHasItsColour(t *testing.T) {
	for status, want := range map[string]string{"done": "\x1b[32mdone\x1b[0m", "failed": "\x1b[31munanswered\x1b[0m", "held": "\x1b[33mwaiting for you\x1b[0m",
		"processing": "\x1b[33mat work\x1b[0m", "cancelled": "  cancelled  "} {
		for _, colours := range []bool{true, false} {
			s := &screen{colours: colours}
			PrintDispatches(s, []api.Dispatch{{ID: "d", Status: status, Key: "agent-Miner", Instruction: "why?"}}, api.Filter{})
			if has := strings.Contains(s.String(), want); has != (colours || status == "cancelled") || !colours && strings.Contains(s.String(), "\x1b") {
				t.Errorf("%s, with colours %v: %q", status, colours, s)
			}
		}
	}
}

// The status says times and ways as a person does, breaks its lines between words, and tells of a refusal that is news.
func TestStatusInWords(t *testing.T) {
	now := time.Now()
	change := now.Add(-3*time.Minute - time.Second)
	st := api.Status{Version: "1.0.0", Uptime: "682s", PID: 1, Port: 2, LastRefused: &api.Refused{At: now, Code: "unauthorized", Text: "Sign in."}, Vaults: []api.Vault{
		{Name: "Notes", Path: "/home/someone/Documents/Notes", State: "watching", Watch: "fsnotify", Reason: "/ is ext4", Notes: 12, LastEvent: &change},
		{Name: "Share", Path: "/mnt/nas", State: "watching", Watch: "poll", Reason: "/mnt/nas is nfs", Notes: 1}}}
	s := &screen{columns: 60}
	PrintStatus(s, st, nil)
	for _, want := range []string{"engine  1.0.0, up 11 min 22 s, pid 1, port 2\n",
		"vault   Notes (/home/someone/Documents/Notes): watching, 12\n        notes, the system tells of each change, last change\n        3 min ago\n",
		"because /mnt/nas"} {
		if !strings.Contains(s.String(), want) {
			t.Errorf("no %q in\n%s", want, s)
		}
	}
	if strings.Contains(s.String(), "refused") || strings.Contains(s.String(), "ext4") {
		t.Errorf("printed is\n%s", s)
	}
	st.LastRefused.Code = "origin_not_allowed"
	if PrintStatus(s, st, nil); !strings.Contains(s.String(), "refused just now: Sign in.\n") {
		t.Errorf("printed is\n%s", s)
	}
}
