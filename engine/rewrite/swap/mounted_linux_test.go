package swap

import "testing"

func TestIsMounted(t *testing.T) {
	const table = `24 1 0:22 / / rw,relatime - ext4 /dev/root rw
36 24 98:0 /mnt1 /mnt/notes rw,noatime master:1 - ext3 /dev/root rw,errors=continue
37 36 98:0 /a.md /mnt/notes/a.md rw - ext3 /dev/root rw
38 36 98:0 /x /mnt/notes/two\040words\011and\134more.md rw - ext3 /dev/root rw
39 36 98:0 /x /mnt/notes/größer.md rw - ext3 /dev/root rw
40 36 0:5 /mnt/notes/source.md /elsewhere/b.md rw - tmpfs /mnt/notes/device.md rw
41 36 98:0 /gone.md /mnt/notes/gone.md//deleted rw - ext3 /dev/root rw
short line
`
	for file, want := range map[string]bool{
		"/mnt/notes/a.md": true, "/mnt/notes/two words\tand\\more.md": true, "/mnt/notes/größer.md": true, "/elsewhere/b.md": true,
		"/mnt/notes/b.md": false, "/mnt/notes/A.md": false, "/mnt/notes/a.md.md": false, "notes/a.md": false, "/a.md": false,
		"/mnt/notes/source.md": false, "/mnt/notes/device.md": false, "/mnt/notes/gone.md": false, "/mnt/notes/two": false,
		"/mnt/notes/two\\040words": false, "/mnt/notes/sub/a.md": false, "": false, "line": false,
		"/mnt/notes": true, // a folder that is one; a note in it is none
	} {
		if got := isMounted(table, file); got != want {
			t.Errorf("%q: %v, want %v", file, got, want)
		}
	}
	if isMounted("", "/mnt/notes/a.md") {
		t.Error("mounted in an empty table")
	}
}
