package api

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path"
	"slices"
	"strconv"
	"strings"
)

// HeldKind is a reason to hold dispatches, in words for a person. Each face shows the kinds apart, because the remedy
// for one is wrong for another.
type HeldKind struct {
	Kind  string `json:"kind"`  // old, limit, budget, burst or untrusted
	Title string `json:"title"` // a few words
	Why   string `json:"why"`   // why they wait, one sentence
	Does  string `json:"does"`  // the effect of a release, one sentence
	How   string `json:"how"`   // how they are released, one sentence
}

// HeldKinds are all kinds, in the order they are shown.
var HeldKinds = []HeldKind{
	{"old", "Older than the watching", "They stood in the vault before it was first watched, so perhaps nobody waits for their answers any more.",
		"Releasing asks the agent of each, and its answer takes the place of the question.",
		"Together, or one by one."},
	{"limit", "Over a limit", "The note has more questions than wiki.limits.perNote allows, or more was asked in an hour or a day than the limits allow; what says until when starts by itself.",
		"Releasing asks the agents now, above the limit, at the price they have.",
		"Together, or one by one."},
	{"budget", "Today's budget is used up", "What agents may use in a day (dollarsPerDay, tokensPerDay) is used; they start by themselves after midnight.",
		"Releasing asks the agents now, beyond the budget, at the price they have.",
		"Together, or one by one."},
	{"burst", "Many at once", "So many came within a minute that somebody else may have brought them: a clone, a pull, an archive, a backup.",
		"Releasing asks the agent of each; where there is an answer already, it is written again and nobody is asked.",
		"One by one, or all, those of a note or of a folder, once their list was shown; what comes after that waits."},
	{"untrusted", "Somebody else’s words", "They came with a note from elsewhere, such as a web page: its author may have written them for your agent to obey.",
		"Releasing has the agent do what the text says, with all that the agent can reach.",
		"One by one, once the whole text, what goes with it, the agent and what it can do were shown."},
}

// IsHeldKind reports whether a word names one of them.
func IsHeldKind(word string) bool {
	return slices.ContainsFunc(HeldKinds, func(k HeldKind) bool { return k.Kind == word })
}

// KindOf returns what a dispatch is held for. What is not known is taken for the strictest kind.
func KindOf(d Dispatch) HeldKind {
	i := slices.IndexFunc(HeldKinds, func(k HeldKind) bool { return d.Hold != nil && d.Hold.Kind == k.Kind })
	if i < 0 {
		i = len(HeldKinds) - 1
	}
	return HeldKinds[i]
}

// HeldScope is some of what is held; empty fields do not narrow it.
type HeldScope struct {
	Kind   string `json:"kind,omitempty"`
	Vault  string `json:"vault,omitempty"`
	Note   string `json:"note,omitempty"`   // its path in the vault
	Folder string `json:"folder,omitempty"` // of the vault, and those below it
}

// Check refuses a kind or a vault that there is not, and spells the vault as it is called. The vault
// of what is held may be configured no more.
func (s *HeldScope) Check(held []Dispatch, roots []Root) error {
	if s.Kind != "" && !IsHeldKind(s.Kind) {
		return &Invalid{Reason: "\"kind\" must be old, limit, budget, burst or untrusted.", Field: "kind"}
	}
	if s.Vault == "" || slices.ContainsFunc(held, func(d Dispatch) bool { return d.Vault == s.Vault }) {
		return nil
	}
	root, err := FindRoot(roots, s.Vault)
	s.Vault = root.Name
	return err
}

// Has reports whether a dispatch is held and in the scope.
func (s HeldScope) Has(d Dispatch) bool {
	below := strings.TrimSuffix(path.Clean(s.Folder), "/") + "/"
	return d.Status == "held" && (s.Kind == "" || KindOf(d).Kind == s.Kind) &&
		(s.Vault == "" || d.Vault == s.Vault) &&
		(s.Note == "" || d.File == path.Clean(s.Note)) &&
		(s.Folder == "" || below == "./" || strings.HasPrefix(d.File, below))
}

// HeldList is the answer of GET /vault-mind/held: what is held, the kinds apart.
type HeldList struct {
	Kinds []HeldGroup `json:"kinds"` // those there are
}

// HeldGroup is what is held for one kind, the oldest first.
type HeldGroup struct {
	HeldKind
	Count      int        `json:"count"` // of dispatches, also those that are not listed
	Questions  int        `json:"questions"`
	Seen       string     `json:"seen,omitempty"` // proves that this list was shown; releases no more than it
	Dispatches []Dispatch `json:"dispatches"`
}

// Unlisted is how many dispatches are not in the list.
func (g HeldGroup) Unlisted() int { return g.Count - len(g.Dispatches) }

// ListHeld sorts what is held by kinds, at most so many of each.
func ListHeld(all []Dispatch, most int) (list HeldList) {
	list.Kinds = []HeldGroup{}
	for _, kind := range HeldKinds {
		g := HeldGroup{HeldKind: kind}
		for _, d := range all {
			if d.Status == "held" && KindOf(d) == kind {
				g.Dispatches, g.Questions = append(g.Dispatches, d), g.Questions+d.Markers
			}
		}
		if g.Count = len(g.Dispatches); g.Count == 0 {
			continue
		}
		SortByAge(g.Dispatches)
		g.Dispatches = g.Dispatches[:min(g.Count, most)]
		if kind.Kind == "burst" {
			g.Seen = ProveShown(g.Dispatches)
		}
		list.Kinds = append(list.Kinds, g)
	}
	return list
}

// ReleaseRequest is the body of POST /vault-mind/release. Without a kind it is old and limit.
type ReleaseRequest struct {
	HeldScope
	Seen string `json:"seen,omitempty"` // of the list that was shown; a burst needs it
}

// Released is the answer of POST /vault-mind/release.
type Released struct {
	Released []Dispatch `json:"released"`
	Refused  []Unready  `json:"refused"` // dispatches that could not be released
	Left     []HeldLeft `json:"left"`    // dispatches that are still held, and how to release them
}

// Unready is a held dispatch that could not be released.
type Unready struct {
	Dispatch Dispatch `json:"dispatch"`
	Reason   string   `json:"reason"` // one sentence
}

// HeldLeft is how much is held for one kind.
type HeldLeft struct {
	HeldKind
	Count     int `json:"count"`
	Questions int `json:"questions"`
}

// CountHeld counts what is held, by the notices of a status. A dispatch may hold several questions.
func (s Status) CountHeld() (left []HeldLeft) {
	for _, kind := range HeldKinds {
		l := HeldLeft{HeldKind: kind}
		for _, n := range s.Notices {
			if count, err := strconv.Atoi(n.Args["count"]); n.Code == NoticeHeld && n.Args["kind"] == kind.Kind && err == nil {
				l.Questions += count
			}
		}
		if l.Questions > 0 {
			left = append(left, l)
		}
	}
	return left
}

// Reading is what a person has to know of another person's question before a release, beside its whole text and the
// task with the text around it.
type Reading struct {
	Agent string `json:"agent"` // which program or model is asked
	Model string `json:"model,omitempty"`
	Reach string `json:"reach"` // the reach of that agent
	Later string `json:"later"` // the text that is added at the start, one sentence
	Seen  string `json:"seen"`  // proves that this and the texts were shown
}

// AddedLater names the text that cannot be shown before a question starts.
const AddedLater = "When it starts, matching passages of your other notes and earlier questions with their answers may be added, as wiki.enrich and wiki.history say."

// ReadingOf is what is shown of a held dispatch. A changed agent makes another proof.
func ReadingOf(d Detail, agents []Agent) *Reading {
	r := Reading{Agent: "nobody answers this role", Reach: "nothing", Later: AddedLater}
	for _, name := range []string{"*", d.Role} { // the role's own counts
		for _, a := range agents {
			if strings.EqualFold(a.Role, name) {
				r.Agent, r.Model, r.Reach = a.Runner, a.Model, a.Reach
			}
		}
	}
	texts := []any{d.ID, d.Vault, d.File, d.Role, r.Agent, r.Model, r.Reach}
	for _, a := range d.Answers {
		texts = append(texts, a.Line, a.Instruction)
	}
	r.Seen = hashTexts(texts)
	return &r
}

// ProveShown returns the proof that a list, the oldest first, was shown: its newest id, and a hash of all.
func ProveShown(shown []Dispatch) string {
	newest, texts := "", []any{}
	for _, d := range shown {
		newest = max(newest, d.ID)
		texts = append(texts, d.ID, d.Vault, d.File, d.Role, d.Instruction, d.Markers)
	}
	return newest + "-" + hashTexts(texts)
}

// ChooseShown returns those that the proof says were shown: what came later is not among them. It
// reports whether the proof is that of such a list.
func ChooseShown(all []Dispatch, seen string) ([]Dispatch, bool) {
	newest, _, _ := strings.Cut(seen, "-")
	shown := slices.DeleteFunc(slices.Clone(all), func(d Dispatch) bool { return d.ID > newest })
	SortByAge(shown)
	return shown, len(shown) > 0 && ProveShown(shown) == seen
}

// SortByAge brings the oldest to the front: ids sort by time.
func SortByAge(list []Dispatch) {
	slices.SortFunc(list, func(a, b Dispatch) int { return cmp.Compare(a.ID, b.ID) })
}

func hashTexts(texts []any) string {
	all, _ := json.Marshal(texts) // texts and numbers: it cannot fail
	sum := sha256.Sum256(all)
	return hex.EncodeToString(sum[:8])
}
