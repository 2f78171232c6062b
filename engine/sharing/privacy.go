// Package sharing decides which parts of a vault an agent is told beside its question, and which are kept from all
// agents that leave this machine.
//
// [NewRules] reads the configuration; [Choose] picks a history out of earlier exchanges.
// Nothing here touches a disk.
//
// # Promises
//
// A program leaves the machine unless it is known not to: the built-in Miner, a model behind a loopback address, or
// an agent that the user declares local. A note is private unless it is known to be public: in doubt the rules say
// no.
package sharing

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/config/glob"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/wording"
)

// Stays reports whether the prompts of an agent remain on this machine.
func Stays(a config.Agent) bool {
	switch {
	case a.Runner == "worker": // another machine, whatever is said of it
		return false
	case a.Local || a.Runner == "builtin" || a.Runner == "broadcast":
		return true
	case a.Runner != "openai" || isCloudModel(a.Model):
		return false
	}
	return config.IsLoopback(a.URL)
}

// EmbedderStays is [Stays] for what makes vectors of notes.
func EmbedderStays(e config.Embedding) bool {
	return e.NeedsNoServer() || !isCloudModel(e.Model) && (e.URL == "" && e.Provider == "ollama" || config.IsLoopback(e.URL))
}

// isCloudModel reports whether Ollama hands what a model is asked to its service on the
// net, which the tag of the model says (https://docs.ollama.com/cloud).
func isCloudModel(model string) bool {
	model = strings.ToLower(model)
	return strings.HasSuffix(model, ":cloud") || strings.HasSuffix(model, "-cloud")
}

// Rules are what the configuration says about private notes and roles.
type Rules struct {
	patterns []string
	config   config.Config
	stays    func(role string) bool

	// Find finds the agent of the configuration that answers a role, where definitions of roles count as well; in doubt
	// one that is private. Nil: by the name of the role alone.
	Find func(role string) config.Agent
}

// NewRules returns the rules of a configuration. stays reports whether a role's agent runs on this machine.
func NewRules(cfg config.Config, stays func(role string) bool) *Rules {
	r := &Rules{config: cfg, stays: stays}
	for _, p := range cfg.Private {
		r.patterns = append(r.patterns, norm.NFC.String(p))
	}
	return r
}

// HideAny reports whether anything may be private, notes or what roles were asked.
func (r *Rules) HideAny() bool {
	return r.HideNotes() || slices.ContainsFunc(slices.Collect(maps.Values(r.config.Agents)), func(a config.Agent) bool { return a.Private })
}

// HideNotes reports whether some notes may be private.
func (r *Rules) HideNotes() bool { return len(r.patterns) > 0 }

// Private is [Rules.IsPrivate], or nil where no note may be.
func (r *Rules) Private() func(rel string) bool {
	if !r.HideNotes() {
		return nil
	}
	return r.IsPrivate
}

// IsPrivate reports whether a note is private, by its path in the vault. Some systems
// take accents apart in the names of files; that makes no difference here.
func (r *Rules) IsPrivate(rel string) bool { return r.privateBy(rel) != "" }

func (r *Rules) privateBy(rel string) string {
	rel = norm.NFC.String(rel)
	for _, p := range r.patterns {
		if glob.Match([]string{p}, rel) {
			return p
		}
	}
	return ""
}

// IsNotEmbedded reports whether the text of a note must not be sent to the embedder: it is private, and the embedder
// is on another machine.
func (r *Rules) IsNotEmbedded(rel string) bool {
	return r.HideNotes() && !EmbedderStays(r.config.Embedding) && r.IsPrivate(rel)
}

// Stays reports whether a role's agent runs on this machine.
func (r *Rules) Stays(role string) bool { return r.stays(role) }

// WhyNotAsked returns in one sentence why a role is not asked the questions of a note, or "".
func (r *Rules) WhyNotAsked(role, rel string) string {
	p := r.privateBy(rel)
	if p == "" || r.stays(role) {
		return ""
	}
	return wording.IsPrivate.Say(p, role)
}

// WhyNotTold says in one sentence why what answers a role tells nothing to a client that sees nothing private,
// or nothing: what it is asked is private, or it may read private notes by itself.
func (r *Rules) WhyNotTold(role string) string {
	a := r.find(role)
	switch {
	case a.Private:
		return "what the role " + role + " is asked and answers is private"
	case r.HideNotes() && r.stays(role) && a.Runner != "builtin" && a.Runner != "openai":
		return "what answers the role " + role + " may read notes of wiki.private, and who asks may not"
	}
	return ""
}

func (r *Rules) find(role string) config.Agent {
	if r.Find != nil {
		return r.Find(role)
	}
	a, _ := r.config.Agent(role)
	return a
}

// MayLeave reports whether an exchange may be told to an agent that leaves this machine. It may not if a model on
// this machine has answered it, if a private role was asked, or if it has text of private notes. The Miner is no
// model, it quotes.
func (r *Rules) MayLeave(x journal.Exchange) bool {
	if x.Recipe.Local && x.Runner != "builtin" && x.Runner != "broadcast" || r.IsPrivate(x.File) {
		return false
	}
	if r.find(x.Role).Private {
		return false
	}
	for _, source := range x.Recipe.Sources {
		if r.IsPrivate(source) {
			return false
		}
	}
	return true
}

// HoldsBlock reports whether a note still holds a response block, by its longest line: a
// person may have changed the others.
func HoldsBlock(src, block []byte) bool {
	var longest []byte
	for line := range bytes.Lines(block) {
		if line = bytes.TrimSpace(line); len(line) > len(longest) && !bytes.Contains(line, []byte("agent-response")) {
			longest = line
		}
	}
	return len(longest) > 0 && bytes.Contains(src, longest)
}
