package engine

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/database"
	"vaultdispatcher/engine/testdata/testmain"
	"vaultdispatcher/engine/watch"
	"vaultdispatcher/engine/watch/disk"
)

// opens hears of each time that a file in a folder is opened.
type opens struct {
	t  *testing.T
	fd int
}

func hearOpens(t *testing.T, folder string) opens {
	t.Helper()
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close(fd) })
	if _, err := unix.InotifyAddWatch(fd, folder, unix.IN_OPEN); err != nil {
		t.Fatal(err)
	}
	return opens{t, fd}
}

// take returns the notes that were opened until now.
func (o opens) take() []string {
	o.t.Helper()
	names := make(map[string]bool)
	buf := make([]byte, 64<<10)
	for {
		n, err := unix.Read(o.fd, buf)
		if err == unix.EAGAIN {
			return slices.Sorted(maps.Keys(names))
		}
		if err != nil && err != unix.EINTR {
			o.t.Fatal(err)
		}
		// struct inotify_event: https://man7.org/linux/man-pages/man7/inotify.7.html
		for b := buf[:max(n, 0)]; len(b) >= unix.SizeofInotifyEvent; {
			mask, size := binary.NativeEndian.Uint32(b[4:]), int(binary.NativeEndian.Uint32(b[12:]))
			name := string(bytes.TrimRight(b[unix.SizeofInotifyEvent:unix.SizeofInotifyEvent+size], "\x00"))
			if filepath.Ext(name) == ".md" && mask&unix.IN_ISDIR == 0 {
				names[name] = true
			}
			if mask&unix.IN_Q_OVERFLOW != 0 {
				o.t.Fatal("more notes were opened than can be counted")
			}
			b = b[unix.SizeofInotifyEvent+size:]
		}
	}
}

// TestAnAnswerTakenOutLately: whether a note still has its answer is looked for anew by each engine
// while that matters, though it holds nothing else. Its neighbours are not opened for that.
func TestAnAnswerTakenOutLately(t *testing.T) {
	t.Parallel()
	testmain.Long(t, "it waits for pauses of the engine")
	r := plant(t, []string{"v"})["v"]
	first := r.read()
	r.write("vault/n.md", askingNote, nil)
	first.until("n.md", "answer to what is asked while it is off")
	first.stop()
	r.write("vault/n.md", "all of it was deleted\n", nil)
	r.write("vault/beside.md", "just as young\n", nil)
	awaitAge(t)
	r.read().stop() // this one would remember it
	heard := hearOpens(t, r.path("vault"))
	r.read().stop()
	if got := heard.take(); !slices.Contains(got, "n.md") || slices.Contains(got, "beside.md") {
		t.Errorf("opened %q, want n.md and not beside.md", got)
	}
}

// keepLines changes what the journal remembers of the lines of a note; nil forgets it.
func (r *restart) keepLines(rel string, lines []byte) {
	r.t.Helper()
	j, err := journal.On(database.Open(r.t.Context(), r.path("state/journal.db")))
	r.check(err)
	root, err := filepath.EvalSymlinks(r.path("vault"))
	r.check(err)
	for range 2 { // it is forgotten when it was found to be gone before
		if lines == nil {
			r.check(j.ForgetPasts(r.t.Context(), root, time.Now(), -time.Hour, func(file string) bool { return file == rel }))
		} else {
			r.check(j.KeepPasts(r.t.Context(), root, []journal.NotePast{{File: rel, Lines: lines}}))
		}
	}
	r.check(j.Close())
}

// TestRestartOpensNothing counts the notes that a second engine opens: none of an unchanged vault,
// but those that hold something; and all of them where it cannot know.
func TestRestartOpensNothing(t *testing.T) {
	t.Parallel()
	const held = "> @agent-Nobody who answers?\n"
	all := []string{"asks.md", "mail.md", "n.md", "stays.md", "urgent.md"}
	some := []string{"asks.md", "mail.md", "urgent.md"}
	cases := map[string]struct {
		change func(r *restart)
		tune   func(*config.Config)
		want   []string
	}{
		"nothing changed": {want: some},
		"the journal lost": {want: []string{"asks.md", "mail.md", "n.md", "stays.md", "urgent.md"}, change: func(r *restart) {
			r.check(os.RemoveAll(r.path("state")))
		}},
		"a note from elsewhere":  {want: all, tune: func(c *config.Config) { c.Untrusted = []string{"*"} }},
		"polled":                 {want: all, tune: func(c *config.Config) { c.Vaults[0].Watch = watch.ModePoll }},
		"a role that is new":     {want: some, tune: func(c *config.Config) { c.Agents["Nobody"] = c.Agents["Miner"] }},
		"what is private":        {want: some, tune: func(c *config.Config) { c.Private = []string{"*"} }},
		"what is remembered cut": {want: all, change: func(r *restart) { r.check(os.Truncate(r.path("cache/rested"), 40)) }},
		"lines the journal has lost": {want: append(slices.Clone(some), "n.md"), change: func(r *restart) {
			r.keepLines("n.md", nil)
		}},
		"lines of a journal from a backup": {want: append(slices.Clone(some), "n.md"), change: func(r *restart) {
			r.keepLines("n.md", []byte("as they were now"))
		}},
		"what is remembered of another vault": {want: all, change: func(r *restart) {
			other := &restart{t: r.t, dir: r.t.TempDir()}
			r.check(os.Rename(r.path("vault"), other.path("vault")))
			r.check(os.Rename(r.path("cache"), other.path("cache")))
			r.check(os.Rename(r.path("state"), other.path("state")))
			r.dir = other.dir
		}},
		"one note changed": {want: append(slices.Clone(some), "stays.md"), change: func(r *restart) {
			r.write("vault/stays.md", quietNote, r.info("vault/stays.md"))
		}},
		"one note renamed": {want: append(slices.Clone(some), "renamed.md"), change: func(r *restart) {
			r.check(os.Rename(r.path("vault/n.md"), r.path("vault/renamed.md")))
		}},
	}
	vaults := plant(t, slices.Collect(maps.Keys(cases)))
	for name, tt := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := vaults[name]
			r.t = t
			r.write("vault/asks.md", held, nil)
			r.write("vault/mail.md", "me@example.org\n", nil)
			r.write("vault/urgent.md", "something urgent\n", nil)
			r.read().stop()
			if tt.change != nil {
				tt.change(r)
			}
			var tune []func(*config.Config)
			if tt.tune != nil {
				tune = append(tune, tt.tune)
			}
			heard := hearOpens(t, r.path("vault"))
			e := r.read(tune...)
			got := heard.take()
			e.stop()
			slices.Sort(tt.want)
			m, err := disk.FindMount(r.path("vault"))
			if err != nil || !m.KeepsStamps() {
				tt.want = got // whatever: the notes of this test are on a disk that is not trusted
				t.Logf("%s is not trusted, %v", m.Describe(), err)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("opened %q, want %q", got, tt.want)
			}
		})
	}
}

// TestBurstAfterAStopBeforeTheIndex: notes that an engine has read, which ended before its index had
// them, are new to the next one, and what comes into them at once waits for a person.
func TestBurstAfterAStopBeforeTheIndex(t *testing.T) {
	t.Parallel()
	testmain.Long(t, "it waits for pauses of the engine")
	r := plant(t, []string{"v"})["v"]
	few := func(c *config.Config) { c.Limits.Burst, c.Settle = 6, 2*time.Second }
	r.read(few).stop()
	index := make(map[string][]byte)
	files, err := filepath.Glob(r.path("cache/index.db*"))
	r.check(err)
	for _, file := range files {
		index[file], err = os.ReadFile(file)
		r.check(err)
	}
	for i := range 7 {
		r.write(fmt.Sprintf("vault/empty%d.md", i), "", nil)
	}
	awaitAge(t)
	r.read(few).stop()
	later, err := filepath.Glob(r.path("cache/index.db*"))
	r.check(err)
	for _, file := range later {
		r.check(os.Remove(file))
	}
	for file, text := range index {
		r.check(os.WriteFile(file, text, 0o600))
	}
	e := r.read(few)
	for i := range 7 {
		r.write(fmt.Sprintf("vault/empty%d.md", i), askingNote, nil)
	}
	for e.count(journal.Held)+e.count(journal.Processing)+e.count(journal.Done) < 7 {
		e.pause()
	}
	if held := e.count(journal.Held); held < 4 { // on a busy machine the first may have begun
		t.Errorf("%d are held, %d work, %d are done", held, e.count(journal.Processing), e.count(journal.Done))
	}
}
