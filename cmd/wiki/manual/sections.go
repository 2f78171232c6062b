package manual

// Section is a part of the manual of the whole program.
type Section struct {
	Title   string  `json:"title"`
	Entries []Entry `json:"entries"`
}

// Entry is a name and what it is.
type Entry struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// listSections returns what wiki(1) says besides the commands, for Linux and macOS, which have such pages.
func listSections() []Section {
	return []Section{
		{"EXIT STATUS", []Entry{
			{"0", "Done."},
			{"1", "Failed."},
			{"2", "The command line is wrong."},
			{"3", "The engine is not running."},
			{"4", "The port belongs to another program."},
			{"5", "The configuration cannot be used."},
			{"6", "Another engine uses the same state folder."},
		}},
		{"ENVIRONMENT", []Entry{
			{"WIKI_...", "Each single value of the configuration has a variable, which wins over the file: WIKI_HTTPPORT for wiki.httpPort, WIKI_DISPATCH_CONCURRENCY for wiki.dispatch.concurrency. wiki config list shows which are set."},
			{"WIKI_VAULTS", "The folders of notes, separated as PATH is."},
			{"XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME", "Absolute paths that replace the places below, without vault-dispatcher."},
			{"VISUAL, EDITOR", "The editor of wiki config edit."},
			{"NO_COLOR", "Set to anything, it turns colours off. There are none either where the output is no terminal, or TERM is dumb."},
			{"PATH", "Where agent programs are found."},
		}},
		{"FILES", []Entry{
			{"~/.config/vault-dispatcher/config.yaml", "The settings, of which wiki-config(5) names every key. On macOS ~/Library/Application Support/vault-dispatcher/config.yaml."},
			{"~/.local/state/vault-dispatcher", "The journal of questions and answers, the token and the log. It must not be lost. On macOS ~/Library/Application Support/vault-dispatcher."},
			{"~/.cache/vault-dispatcher", "The index of the notes. It may be deleted; the engine makes it anew. On macOS ~/Library/Caches/vault-dispatcher."},
			{"VAULT/.vault-mind", "Temporary files of the engine for this vault, its port, and which other machines answer here. Nothing in it is a note."},
		}},
	}
}
