package source

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"
)

// Numbers of the actions in FILE_NOTIFY_INFORMATION. Only names that leave are told apart; added, modified and
// everything newer means "look here".
const (
	actionRemoved    = 2
	actionRenamedOld = 4
)

// parseNotices passes on what one buffer of ReadDirectoryChangesW says: a chain of
// records, each with 4 bytes offset of the next one (0 ends the chain), 4 bytes
// action, 4 bytes length of the name, and the name in UTF-16. It is built on every
// system, so that it can be tried everywhere. The layout is that of
// https://learn.microsoft.com/en-us/windows/desktop/api/Winnt/ns-winnt-file_notify_information,
// which also says that a name may be the short one.
//
// A buffer that is empty has overflowed: more has happened than it could hold. One
// that is not as it should be is treated alike, since what else it said is unknown.
func parseNotices(buf []byte, h *Hints) {
	const header = 12
	if len(buf) == 0 {
		h.AddOverflow()
		return
	}
	for {
		if len(buf) < header {
			h.AddOverflow()
			return
		}
		next := binary.LittleEndian.Uint32(buf)
		action := binary.LittleEndian.Uint32(buf[4:])
		size := binary.LittleEndian.Uint32(buf[8:])
		if uint64(size) > uint64(len(buf)-header) || size%2 != 0 {
			h.AddOverflow()
			return
		}
		parseNotice(action, buf[header:header+size], h)
		if next == 0 {
			return
		}
		if next < header+size || uint64(next) > uint64(len(buf)) {
			h.AddOverflow()
			return
		}
		buf = buf[next:]
	}
}

// parseNotice passes on one record. A name that leaves is a subtree, whatever comes there later. A name that may
// differ from the one on disk, because it is short or no proper text, becomes a hint for its folder and all below.
func parseNotice(action uint32, name []byte, h *Hints) {
	rel, ok := decodeName(name)
	if !ok {
		h.AddAll()
		return
	}
	what := Here
	if action == actionRemoved || action == actionRenamedOld {
		what = Subtree
	}
	h.Add(rel, what)
	if at := findDoubtfulPart(rel); at >= 0 {
		dir := parentOf(rel[:at])
		if dir == "" { // as a subtree it would say that the root itself went
			h.AddAll()
			return
		}
		h.Add(dir, Subtree)
	}
}

// decodeName makes a path in the vault of UTF-16 with backslashes. What is no such path
// is refused: nothing must lead out of the vault.
func decodeName(p []byte) (string, bool) {
	units := make([]uint16, len(p)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(p[2*i:])
	}
	rel := strings.ReplaceAll(string(utf16.Decode(units)), `\`, "/")
	for part := range strings.SplitSeq(rel, "/") {
		if part == "" || part == "." || part == ".." || strings.ContainsAny(part, ":\x00") {
			return "", false
		}
	}
	return rel, true
}

// findDoubtfulPart returns the end of the first component of rel that may be spelled
// differently on disk, or -1: one that looks like a short name of the days of DOS
// (PROGRA~1.MD), or holds what was no character.
func findDoubtfulPart(rel string) int {
	end := 0
	for part := range strings.SplitSeq(rel, "/") {
		end += len(part)
		if isShortName(part) || strings.ContainsRune(part, '\uFFFD') {
			return end
		}
		end++
	}
	return -1
}

// isShortName reports whether name has the form of 8.3: at most eight bytes that end
// in a tilde and a number, then an extension of at most three.
func isShortName(name string) bool {
	base, ext, _ := strings.Cut(name, ".")
	tilde := strings.LastIndexByte(base, '~')
	if tilde < 1 || len(base) > 8 || len(ext) > 3 || strings.ContainsAny(ext, ".~") {
		return false
	}
	number := base[tilde+1:]
	return number != "" && strings.Trim(number, "0123456789") == ""
}
