package watch

import "sync"

// hints is where sources say which paths to look at. It never blocks a source
// and never forgets: the kernel's queue must be emptied quickly, because what
// does not fit into it is lost. A path said twice is held once. Beyond
// hintLimit paths it says less exactly what is meant, their folders or the whole
// vault, instead of growing.
type hints struct {
	wake chan struct{} // holds one token when there is something to take

	mu        sync.Mutex // guards the fields below
	paths     map[string]hint
	all       bool
	overflows int
	awaited   string // the path of a probe, which is no path to look at
	rung      bool   // it was said
}

const hintLimit = 4096

func newHints() *hints {
	return &hints{wake: make(chan struct{}, 1), paths: make(map[string]hint)}
}

// hint says how much of a path there is to look at; the larger one holds.
type hint uint8

const (
	// here is the name, and if it is a folder the names in it.
	here hint = iota
	// subtree is all that is below as well. The name was seen to leave its place:
	// whatever is there now, a watch on it cannot be relied on.
	subtree
)

// add says that rel is to be looked at.
func (h *hints) add(rel string, what hint) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if rel == h.awaited && rel != "" {
		h.rung = true
		h.signal()
		return
	}
	if !h.all || rel == "" {
		h.paths[rel] = max(h.paths[rel], what)
	}
	if len(h.paths) > hintLimit {
		h.collapse()
	}
	h.signal()
}

// everything says that the whole vault is to be looked at.
func (h *hints) everything() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.widen()
	h.signal()
}

// overflow is everything, because the source has lost messages.
func (h *hints) overflow() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.overflows++
	h.widen()
	h.signal()
}

// take returns what was said since the last call.
func (h *hints) take() (paths map[string]hint, all bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	paths, all = h.paths, h.all
	h.paths, h.all = make(map[string]hint), false
	return paths, all
}

// await has one path listened for, the file of a probe; "" ends that.
func (h *hints) await(rel string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.awaited, h.rung = rel, false
}

// heard reports whether the awaited path was said.
func (h *hints) heard() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.rung
}

func (h *hints) lost() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.overflows
}

// collapse replaces paths by their folders. The caller holds mu.
func (h *hints) collapse() {
	folders := make(map[string]hint)
	for rel, what := range h.paths {
		dir := ""
		if rel != "" {
			dir, _ = split(rel)
		}
		folders[dir] = max(folders[dir], what)
	}
	_, root := folders[""]
	if root || len(folders) > hintLimit/2 {
		h.widen()
		return
	}
	h.paths = folders
}

// widen replaces paths by everything, all but the root: that its folder went is
// told by nothing else. The caller holds mu.
func (h *hints) widen() {
	root := h.paths[""]
	h.all = true
	h.paths = make(map[string]hint)
	if root == subtree {
		h.paths[""] = subtree
	}
}

// signal leaves a token for whoever waits. The caller holds mu.
func (h *hints) signal() {
	select {
	case h.wake <- struct{}{}:
	default:
	}
}
