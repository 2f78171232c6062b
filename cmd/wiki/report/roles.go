package report

import (
	"cmp"
	"io"
	"strings"

	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/engine/roles"
	"vaultdispatcher/engine/wording"
)

// PrintRoles prints who answers each role, and what is missing; those that nobody answers are in one sentence.
func PrintRoles(w io.Writer, list []roles.Role) {
	var t table
	var nobodys []string
	for _, r := range list {
		if r.Unanswered {
			nobodys = append(nobodys, r.Role)
			continue
		}
		state := "ready"
		if !r.Usable {
			state = "not ready: " + r.Detail
		}
		t.add(r.Role, cmp.Or(r.Runner, "-"), state)
		for _, more := range []string{aboutRole(r), r.Reach.String(), r.Reserve} {
			if more != "" {
				t.add("", "", more)
			}
		}
	}
	_, _ = io.WriteString(w, strings.Join(t.lines(), ""))
	if len(nobodys) > 0 {
		one := wording.Choose(len(nobodys) == 1, nobodys[0], "ROLE")
		printBehind(w, "", "not ready: nobody answers %s; wiki setup --agent %s=NAME chooses one", strings.Join(nobodys, ", "), one)
	}
	printable.Fprintln(w, "wiki agents test ROLE asks one a test question")
}

// wayOfWriting is what a person has to know of how answers of a role come into a note; nothing of one that is usual.
func wayOfWriting(r roles.Role) string {
	switch {
	case r.Writes == "section" && r.Approve:
		return "edits the note, for you to approve"
	case r.Writes == "section":
		return "edits the note at once"
	case r.Approve:
		return "its answers are for you to approve"
	}
	return ""
}

// aboutRole is all that is known of a role beside its state.
func aboutRole(r roles.Role) string {
	if r.Runner == "" {
		return ""
	}
	var parts []string
	add := func(prefix, text string) {
		if text != "" {
			parts = append(parts, prefix+text)
		}
	}
	add("", strings.TrimSpace(r.Program+" "+r.Version))
	add("model ", r.Model)
	switch {
	case r.ToolsLost:
		add("", "reads no files while wiki.private names notes")
	case r.Tools == "read" && r.Runner != "builtin":
		add("", "reads files")
	}
	add("", wayOfWriting(r))
	if r.Stays && r.Runner != "builtin" {
		add("", "stays on this machine")
	} else if !r.Stays {
		add("", "leaves this machine")
	}
	if r.File != "" {
		add("as in ", r.File)
	} else {
		add("as ", r.Definition)
	}
	return strings.Join(parts, ", ")
}
