package note

import "bytes"

// findConflict is the line, from 1, where a conflict begins as git writes one into a file that it cannot
// merge (https://git-scm.com/docs/git-merge#_how_conflicts_are_presented), or Jujutsu, whose sides begin otherwise
// (https://docs.jj-vcs.dev/latest/conflicts/), outside code; 0 = there is none. Of what follows it one side may open code.
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
