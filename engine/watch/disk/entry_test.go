package disk

import (
	"maps"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// ListFolder and Inspect must agree: what one records, the other compares.
func TestListAgreesWithInspect(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.md"), "text")
	write(t, filepath.Join(dir, "sub/b.md"), "text")
	must(t, os.Symlink("a.md", filepath.Join(dir, "link.md")))
	must(t, os.Symlink("sub", filepath.Join(dir, "folder.md")))
	must(t, os.Symlink("nothing", filepath.Join(dir, "dangling.md")))
	write(t, filepath.Join(dir, "not wanted"), "text")
	l, err := ListFolder(dir, func(name string, _ bool) Want {
		if name == "not wanted" {
			return SkipName
		}
		return StatName
	})
	must(t, err)
	self, err := Inspect(dir)
	must(t, err)
	if l.ID != self.ID {
		t.Errorf("the folder is %v in its listing, %v by its name", l.ID, self.ID)
	}
	got := make(map[string]Type)
	for _, e := range l.Entries {
		got[e.Name] = e.Type
		if want, err := Inspect(filepath.Join(dir, e.Name)); err != nil || e != want {
			t.Errorf("listed %+v, inspected %+v, %v", e, want, err)
		}
	}
	want := map[string]Type{"a.md": File, "link.md": File, "sub": Folder}
	if !maps.Equal(got, want) {
		t.Errorf("listed %v, want %v", got, want)
	}
}

func TestListOfWhatIsNoFolder(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "file"), "text")
	must(t, os.Symlink(dir, filepath.Join(dir, "link")))
	all := func(string, bool) Want { return StatName }
	for _, name := range []string{"file", "nothing", "file/below"} {
		if _, err := ListFolder(filepath.Join(dir, name), all); !IsAbsent(err) {
			t.Errorf("listing %s: %v", name, err)
		}
	}
	for _, err := range []error{syscall.EIO, syscall.EACCES, syscall.ESTALE, nil} {
		if IsAbsent(err) {
			t.Errorf("%v counts as absent", err)
		}
	}
}
