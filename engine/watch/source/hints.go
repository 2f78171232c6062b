package source

import (
	"strings"
	"sync"
)

// Hints is where sources say which paths to look at. It never blocks a source
// and never forgets: the kernel's queue must be emptied quickly, because what
// does not fit into it is lost. A path said twice is held once. Beyond
// MaxHints paths it says less exactly what is meant, their folders or the whole
// vault, instead of growing.
type Hints struct {
	Wake chan struct{} // holds one token when there is something to take

	mu        sync.Mutex // guards the fields below
	paths     map[string]Hint
	whole     bool
	overflows int
	awaited   string // the path of a probe, which is no path to look at
	rung      bool   // it was said
}

const MaxHints = 4096

func NewHints() *Hints {
	return &Hints{Wake: make(chan struct{}, 1), paths: make(map[string]Hint)}
}

// Hint says how much of a path there is to look at; the larger one holds.
type Hint uint8

const (
	// Here is the name, and if it is a folder the names in it.
	Here Hint = iota
	// Subtree is all that is below as well. The name was seen to leave its place:
	// whatever is there now, a watch on it cannot be relied on.
	Subtree
)

// Add says that rel is to be looked at.
func (h *Hints) Add(rel string, what Hint) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if rel == h.awaited && rel != "" {
		h.rung = true
		h.wakeUp()
		return
	}
	if !h.whole || rel == "" {
		h.paths[rel] = max(h.paths[rel], what)
	}
	if len(h.paths) > MaxHints {
		h.collapsePaths()
	}
	h.wakeUp()
}

// AddAll says that the whole vault is to be looked at.
func (h *Hints) AddAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.widenToAll()
	h.wakeUp()
}

// AddOverflow is everything, because the source has lost messages.
func (h *Hints) AddOverflow() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.overflows++
	h.widenToAll()
	h.wakeUp()
}

// Take returns what was said since the last call.
func (h *Hints) Take() (paths map[string]Hint, all bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	paths, all = h.paths, h.whole
	h.paths, h.whole = make(map[string]Hint), false
	return paths, all
}

// Await has one path listened for, the file of a probe; "" ends that.
func (h *Hints) Await(rel string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.awaited, h.rung = rel, false
}

// IsHeard reports whether the awaited path was said.
func (h *Hints) IsHeard() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.rung
}

func (h *Hints) Overflows() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.overflows
}

// collapsePaths replaces paths by their folders. The caller holds mu.
func (h *Hints) collapsePaths() {
	folders := make(map[string]Hint)
	for rel, what := range h.paths {
		dir := parentOf(rel)
		folders[dir] = max(folders[dir], what)
	}
	_, root := folders[""]
	if root || len(folders) > MaxHints/2 {
		h.widenToAll()
		return
	}
	h.paths = folders
}

// widenToAll replaces paths by everything, all but the root: that its folder went is
// told by nothing else. The caller holds mu.
func (h *Hints) widenToAll() {
	root := h.paths[""]
	h.whole = true
	h.paths = make(map[string]Hint)
	if root == Subtree {
		h.paths[""] = Subtree
	}
}

// wakeUp leaves a token for the reader of Wake. The caller holds mu.
func (h *Hints) wakeUp() {
	select {
	case h.Wake <- struct{}{}:
	default:
	}
}

// parentOf returns the folder of a path; that of the root is the root.
func parentOf(rel string) string { return rel[:max(strings.LastIndexByte(rel, '/'), 0)] }
