package filename

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Sync programs, backups, file managers and merge tools put second versions of a note beside it, and keep
// old ones in folders of their own. Each repeats every marker of the note, and none must be answered
// twice. This file has their names, each with its source.

// need says what a name needs to be that of a second version.
type need int

const (
	nothing  need = iota // it has a date or an id of its program in it, so no person gives it
	original             // the note beside it: without that one it is a note
	likeness             // the note beside it, and its text: people give such names too
	numbered             // the same, of a name with a number at its end
)

// version is a form of names.
type version struct {
	program string         // the program that gives them
	needs   need           //
	holds   []string       // parts in lower case: a name without any of them is spared the expression
	form    *regexp.Regexp // of a name without its extension; where it needs the original, group 1 is its name
}

// conflictedCopy is what Dropbox calls one in the languages that were found.
const conflictedCopy = `in konflikt stehende kopie|konfliktkopie|copie en conflit|copia en conflicto|copia conflictiva|copia in conflitto` +
	`|c(?:o|ó|o\x{301})pia em conflito|конфликтующая копия|競合コピー|問題のあるコピー|冲突副本|衝突複本`

var dropboxWords = []string{"konflikt", "conflit", "conflict", "конфликт", "コピー", "副本", "複本"}

// Ours is who gives its name to a version of a note that could not be merged. It is kept as it was found.
const Ours = "the dispatcher"

const day = `[0-9]{4}-[0-9]{2}-[0-9]{2}`

// versions are compiled when a name is first asked about: each command of the program is a process.
var versions = sync.OnceValue(func() []version {
	return []version{
		{Ours, nothing, []string{".conflict-"}, regexp.MustCompile(`(?i)\.conflict-[0-9]`)}, // engine/rewrite/swap
		// https://docs.syncthing.net/users/syncing.html#conflicting-changes
		{"Syncthing", nothing, []string{".sync-conflict-"}, regexp.MustCompile(`(?i)\.sync-conflict-[0-9]{8}`)},
		// https://github.com/obsidianmd/obsidian-help/issues/1056,
		// https://help.dropbox.com/syncing-uploads/conflicted-copy, https://github.com/owncloud/client/pull/6417;
		// Nextcloud's client is a fork of that one
		{"Obsidian Sync, Dropbox or Nextcloud", nothing, []string{"conflicted copy"}, regexp.MustCompile(`(?i)\([^()]*conflicted copy [^()]*[0-9]{4}-?[0-9]{2}-?[0-9]{2}[^()]*\)`)},
		{"Obsidian Sync, Dropbox or Nextcloud", original, []string{"conflicted copy"}, regexp.MustCompile(`(?i)^(.+?) ?\([^()]*conflicted copy[^()]*\)$`)},
		// https://github.com/owncloud/client/pull/6364
		{"ownCloud", nothing, []string{"_conflict-"}, regexp.MustCompile(`(?i)_conflict-(?:.*-)?[0-9]{8}-[0-9]{6}(?:\.|$)`)},
		// Of two notes whose names differ in capitals alone it keeps one so: https://github.com/nextcloud/desktop/pull/5232
		{"Nextcloud", nothing, []string{"(case clash from "}, regexp.MustCompile(`(?i)\(case clash from ` + day + ` [0-9]{6}\)`)},
		// https://gist.github.com/jtheisen/3164129445517ca36f7312bd68b911fb, https://github.com/BloomBooks/BloomDesktop/pull/4309
		{"Dropbox", nothing, dropboxWords, regexp.MustCompile(`(?i)\([^()]*(?:` + conflictedCopy + `)[^()]*` + day + `[^()]*\)`)},
		{"Dropbox", original, dropboxWords, regexp.MustCompile(`(?i)^(.+?) ?\((?:[^()]* )?(?:` + conflictedCopy + `)[^()]*\)`)},
		// https://github.com/jrnl-org/jrnl/issues/144; Maestral numbers them: https://github.com/samschott/maestral
		{"Dropbox", original, []string{" conflict"}, regexp.MustCompile(`(?i)^(.+?) ?\((?:case|selective sync|unicode encoding|white space) conflict(?: [0-9]+| \([0-9]+\))?\)$`)},
		// https://github.com/samschott/maestral/pull/862, and what it was before
		{"Maestral", nothing, []string{"conflicting copy"}, regexp.MustCompile(`(?i)\([^()]*conflicting copy ` + day + `[^()]*\)`)},
		{"Maestral", original, []string{"conflicting copy"}, regexp.MustCompile(`(?i)^(.+?) ?\((?:[^()]* )?conflicting copy(?: [0-9]+)?\)$`)},
		// https://github.com/haiwen/seafile-client/issues/909
		{"Seafile", nothing, []string{"(sfconflict"}, regexp.MustCompile(`(?i)\(SFConflict [^()]*[0-9]{4}-[^()]*\)`)},
		// https://github.com/silverbulletmd/silverbullet/issues/479
		{"SilverBullet", nothing, []string{".conflicted."}, regexp.MustCompile(`(?i)\.conflicted\.[0-9]{10,}$`)},
		// https://github.com/abraunegg/onedrive/pull/2966
		{"onedrive for Linux", nothing, []string{"-safebackup-"}, regexp.MustCompile(`(?i)-safeBackup-[0-9]{4}(?:-|$)`)},
		// https://github.com/ProtonDriveApps/windows-drive
		{"Proton Drive", nothing, []string{"(# "}, regexp.MustCompile(`(?i)\(# (?:name clash|(?:edit|delete) conflict|temporary renamed) [^()]*#\)`)},
		// https://kb.synology.com/en-eu/DSM/tutorial/Synology_Drive_file_conflict_resolution
		{"Synology Drive", nothing, []string{"conflict"}, regexp.MustCompile(`_[A-Z][a-z]{2}-[0-9]{2}-[0-9]{4}-[0-9]{4}_[A-Za-z]*Conflict(?:_[0-9]+)?$`)},
		// https://www.getfilecloud.com/supportdocs/display/2SD/20.1+Managing+Sync+Conflicts
		{"FileCloud", nothing, []string{"(conflict_"}, regexp.MustCompile(`\(Conflict_.*_` + day + `-[0-9]{2}-[0-9]{2}-[0-9]{2}\)`)},
		// https://help.cozy.io/i-have-conflicting-files-what-should-i-do/
		{"Cozy", nothing, []string{"conflict-"}, regexp.MustCompile(`(?i)-(?:cozy)?conflict-` + day + `T[0-9]`)},
		// https://pastebin.com/q6mTkkAQ
		{"a sync program", nothing, []string{"(conflict "}, regexp.MustCompile(`(?i)\(conflict ` + day + `[^()]*\)`)},
		// https://docs.syncthing.net/users/versioning.html: a folder of the user's may have the versions
		{"Syncthing", nothing, []string{"~"}, regexp.MustCompile(`~[0-9]{8}-[0-9]{6}$`)},
		// https://freefilesync.org/manual.php?topic=versioning
		{"FreeFileSync", nothing, []string{".md ", ".markdown "}, regexp.MustCompile(`(?i)\.(?:md|markdown) ` + day + ` [0-9]{6}$`)},
		// https://cemle.com/post/which-files-are-backed-up-with-file-history
		{"File History of Windows", nothing, []string{" utc)"}, regexp.MustCompile(`\([0-9]{4}_[0-9]{2}_[0-9]{2} [0-9]{2}_[0-9]{2}_[0-9]{2} UTC\)$`)},
		// https://www.syncovery.com/versioning/
		{"Syncovery", nothing, []string{".d"}, regexp.MustCompile(`\.d[0-9]{8}-[tu][0-9]{6}$`)},

		// https://help.resilio.com/hc/en-us/articles/204753629-Conflict-files-in-Sync, https://rclone.org/bisync/
		{"Resilio Sync or rclone", original, []string{".conflict"}, regexp.MustCompile(`(?i)^(.+?)(?:\.conflict ?[0-9]*)+$`)},
		// https://help.pcloud.com/article/files-not-recommended-for-sync-backup-or-uploads
		{"pCloud", original, []string{"conflicted"}, regexp.MustCompile(`(?i)^(.+?)(?:\.conflicted| ?\[conflicted(?: [0-9]+)?\])$`)},
		// https://github.com/remotely-save/remotely-save/issues/1074, https://github.com/remotely-save/remotely-save/issues/722
		{"Remotely Save", original, []string{".dup"}, regexp.MustCompile(`(?i)^(.+?)(?:\.dup)+$`)},
		// https://git-scm.com/docs/git-mergetool#_temporary_files, https://github.com/ccztux/glsysbackup/issues/62
		{"git mergetool", original, []string{"_"}, regexp.MustCompile(`^(.+)_(?:BACKUP|BASE|LOCAL|REMOTE)_[0-9]+$`)},
		// The names that Windows gives to computers; https://github.com/skilion/onedrive/issues/338
		{"OneDrive on Windows", original, []string{"-"}, regexp.MustCompile(`^(.+?)(?:-(?:(?:DESKTOP|LAPTOP)-[0-9A-Z]{5,}|WIN-[0-9A-Z]{8,})(?:-[0-9]+)?)+$`)},

		{"iCloud or Obsidian", numbered, []string{" "}, regexp.MustCompile(`^(.+) [0-9]{1,3}$`)},                                                                                                          // a 2.md
		{"a browser", numbered, []string{" ("}, regexp.MustCompile(`^(.+) \([0-9]{1,3}\)$`)},                                                                                                              // a (1).md
		{"GNOME", likeness, []string{"copy"}, regexp.MustCompile(`^(.+) \((?i:(?:another |[0-9]+(?:st|nd|rd|th) )?copy|copy [0-9]+)\)$`)},                                                                 // a (3rd copy).md
		{"macOS", likeness, []string{" cop", " kopie", " cóp"}, regexp.MustCompile(`^(.+) (?i:copy|kopie|copie|copia|cópia)(?: [0-9]{1,3})?$`)},                                                           // a copy 2.md
		{"Windows", likeness, []string{" - "}, regexp.MustCompile(`^(.+) - (?i:copy|kopie|copie|copia|cópia|kopia|kopi)(?: \([0-9]{1,3}\))?$`)},                                                           // a - Copy (2).md
		{"Google Drive", likeness, []string{"copy of ", "kopie von ", "copie de ", "copia d", "cópia de "}, regexp.MustCompile(`^(?i:copy of |kopie von |copie de |copia de |copia di |cópia de )(.+)$`)}, // Copy of a.md
	}
})

// mayBe reports whether a name, in lower case and without its extension, may be of the form.
func (v version) mayBe(lower string) bool {
	if v.needs == numbered && !isNumbered(lower) {
		return false
	}
	return slices.ContainsFunc(v.holds, func(part string) bool { return strings.Contains(lower, part) })
}

// isNumbered reports whether a name ends in a number of three digits at most, which may be in brackets.
func isNumbered(stem string) bool {
	stem = strings.TrimSuffix(stem, ")")
	digits := len(stem) - len(strings.TrimRight(stem, "0123456789"))
	return 0 < digits && digits <= 3
}

// WhyVersion says who gives a name to second versions of notes, and to nothing else, or nothing.
func WhyVersion(name string) string {
	stem := TrimExtension(name)
	if !strings.ContainsAny(stem, ".~(_-") { // all others need nothing
		return ""
	}
	lower := strings.ToLower(stem)
	for _, v := range versions() {
		if v.needs == nothing && v.mayBe(lower) && v.form.MatchString(stem) {
			return v.program
		}
	}
	return ""
}

// Original is a note that another one may be a second version of.
type Original struct {
	Rel     string // its path
	Program string // the program that gives such names
	Sure    bool   // the name is proof enough if the original is there; else the text has to prove it
}

// Originals returns the notes that a note may be a second version of, by its path; none for most.
// The longest name comes first.
func Originals(rel string) (all []Original) {
	dir, base := path.Split(rel)
	extension := path.Ext(base)
	stem := strings.TrimSuffix(base, extension)
	lower := strings.ToLower(stem)
	add := func(name, by string, sure bool) {
		all = append(all, Original{dir + name + extension, by, sure})
		if lower := strings.ToLower(extension); lower != extension {
			all = append(all, Original{dir + name + lower, by, sure})
		}
	}
	for _, v := range versions() {
		if v.needs == nothing || !v.mayBe(lower) {
			continue
		}
		if m := v.form.FindStringSubmatch(stem); m != nil {
			add(m[1], v.program, v.needs == original)
		}
	}
	for _, name := range cutHosts(stem) {
		add(name, Host, false)
	}
	return all
}

// Host is who adds the name of a computer to that of a note. Most names with a hyphen have none.
const Host = "OneDrive"

// mostHosts is how many parts of a name are tried as one of a computer.
const mostHosts = 3

// cutHosts returns a name without what OneDrive may have added: a hyphen and the name of a computer, which
// may have hyphens itself: https://github.com/JeffSteinbok/obsidian-onedrive/issues/128
func cutHosts(stem string) (names []string) {
	for end := len(stem); len(names) < mostHosts; {
		if end = strings.LastIndexByte(stem[:end], '-'); end <= 0 {
			return names
		}
		if isWordEnd(stem[end-1]) && isWordStart(stem[end+1:]) {
			names = append(names, stem[:end])
		}
	}
	return names
}

func isWordEnd(b byte) bool { return b != ' ' && b != '-' }

// isWordStart reports whether a text begins with anything but a space, a hyphen or a digit, as no date does.
func isWordStart(text string) bool {
	return text != "" && !strings.ContainsRune(" -0123456789", rune(text[0]))
}
