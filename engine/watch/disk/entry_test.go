package disk

import (
	"maps"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
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

// A note was saved here if it was written just before the watcher was told, and not given its time by whoever brought it.
func TestIsSave(t *testing.T) {
	now := time.Now()
	for name, c := range map[string]struct {
		written, changed time.Duration // before the watcher was told
		want             bool
	}{
		"at once":                          {0, 0, true},
		"by a slow disk":                   {1900 * time.Millisecond, 0, true},
		"FAT, to two seconds":              {1990 * time.Millisecond, 5 * time.Millisecond, true},
		"a drive whose clock is ahead":     {-8 * time.Second, -8 * time.Second, true},
		"a drive whose clock is behind":    {8 * time.Second, 8 * time.Second, true},
		"given its time a moment ago":      {4 * time.Second, 0, false},
		"given a time to come":             {-8 * time.Second, 0, false},
		"changed later":                    {8 * time.Second, 5 * time.Second, false},
		"long ago":                         {time.Minute, time.Minute, false},
		"a clock that is far ahead":        {-time.Minute, -time.Minute, false},
		"no change time":                   {8 * time.Second, 1 << 62, true},
		"no change time, and a time ahead": {-8 * time.Second, 1 << 62, false},
		"no change time, and long ago":     {time.Minute, 1 << 62, false},
	} {
		s := Stamp{MTime: now.Add(-c.written).UnixNano()}
		if c.changed < 1<<62 {
			s.CTime = now.Add(-c.changed).UnixNano()
		}
		if got := s.IsSave(now, 0); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	for age, want := range map[time.Duration]bool{-9 * time.Second: true, -11 * time.Second: false, 39 * time.Second: true, 41 * time.Second: false} {
		at := now.Add(-age).UnixNano()
		if got := (Stamp{MTime: at, CTime: at}).IsSave(now, 30*time.Second); got != want {
			t.Errorf("%v old, where a look comes each half minute: %v", age, got)
		}
	}
	if (Stamp{}).IsSave(now, 0) {
		t.Error("what has no times is one")
	}
}
