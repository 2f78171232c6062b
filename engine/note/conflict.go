package note

import "bytes"

// findConflict returns the line, from 1, where a conflict begins outside code, or 0. git writes a conflict into a
// file that it cannot merge (https://git-scm.com/docs/git-merge#_how_conflicts_are_presented). Jujutsu does too, with
// other sides (https://docs.jj-vcs.dev/latest/conflicts/). A side of the conflict may open code.
func findConflict(t text, solid []region) int {
	if !bytes.Contains(t.src, []byte("<<<<<<<")) {
		return 0
	}
	begun, parted := 0, false
	for i := range t.count() {
		switch line := t.line(i); {
		case isConflictMark(line, '<'):
			if why, ok := findRegion(solid, t.starts[i]); !ok || why != Code {
				begun, parted = i+1, false
			}
		case begun > 0 && (isConflictMark(line, '=') || isConflictMark(line, '+') || isConflictMark(line, '%')):
			parted = true
		case parted && isConflictMark(line, '>'):
			return begun
		}
	}
	return 0
}

// isConflictMark reports whether a line is seven times a character, with a name behind it or without.
func isConflictMark(line []byte, mark byte) bool {
	n := countLeading(line, func(c byte) bool { return c == mark })
	return n == 7 && (len(line) == n || line[n] == ' ')
}
