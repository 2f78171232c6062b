package wording

import "strings"

// Reason is a sentence without capital and full stop. Words in braces are examples: a room says what it has
// found in their place.
type Reason string

// Say returns the reason with values in the place of its braces.
func (r Reason) Say(values ...string) string {
	text, said := string(r), ""
	for _, value := range values {
		before, rest, _ := strings.Cut(text, "{")
		_, after, _ := strings.Cut(rest, "}")
		said, text = said+before+value, after
	}
	return said + text
}

// Why a question is not asked, and what to do, where another room than the one with the rules says it. The page of rules
// prints these.
const (
	NoAgent   Reason = "no agent answers the role {Minr}; wiki setup --agent {Minr}=NAME chooses one"
	Meant     Reason = "; is {Miner} meant?"
	IsPrivate Reason = "the note is private (wiki.private: {Journal}) and what answers the role {Writer} leaves this machine; ask a role that stays on it"
	ReadOnly  Reason = "the note is read-only; make it writable and it is answered"
	IsLink    Reason = "the note is a link; write into the note it leads to, where the question is answered"
	Paused    Reason = "the vault {Notes} is paused, so its saves are not seen until wiki watcher start"

	NoName     Reason = "only .md and .markdown files count, and no editors' temporary files or anything in a folder that begins with a dot; give it another name or place"
	Excluded   Reason = "the note is excluded by wiki.exclude: {Journal}; move it, or change wiki.exclude"
	InBin      Reason = "the folder {#recycle} is {the bin of a Synology share}, and nothing in it is a note; move the note out of it"
	OfApp      Reason = "the file is an item that {Joplin} keeps in step itself, and a change by another program may spoil it; ask in another note"
	Version    Reason = "the name is one that {Syncthing} gives to a second version of a note, so nothing is asked in it; take what is new over into the note, give the file a name of its own, or have it asked with wiki scan"
	OwnVersion Reason = "the name is one that {the dispatcher} gives to a second version of a note, so nothing is asked in it; take what is new over into the note, or give the file a name of its own"
)
