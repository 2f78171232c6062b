// Package watch says which notes of a vault have changed. It misses none that the file
// system shows; a poll misses a save of equal size and time.
//
// Most callers need two calls: [New] for the folder of a vault and
// [Watcher.Run] for as long as it is watched. A [Debounce] between Run and
// the reader of the notes turns the several writes of one save into one event:
//
//	quiet := watch.NewDebounce(time.Second, 5*time.Second)
//	go quiet.Run(ctx, read)
//	err := w.Run(ctx, quiet.Add)
//
// # How a change is found
//
// Sources only say "look here": this file, this folder, everything. A single goroutine per vault, the reconciler,
// stats the files there and compares them with its snapshot of the vault; it reports the difference. A source that
// says the same thing five times costs a few microseconds, and one that loses a message costs time, never a save:
// when the kernel says that it dropped events, and every five minutes without being asked, the whole vault is
// compared. A folder is always watched first and listed second, so that a note written into a folder which was made a
// moment ago is found by one or the other.
//
// The source is the notification service of the operating system: fsnotify with a watch for each folder, on Windows
// one handle that hears of the whole vault and lets programs rename its folders (ReadDirectoryChangesW). Whether it
// can be relied on is a matter of the file system: the other side of a network drive, or of a disk that a virtual
// machine shares, modifies notes without this machine being notified. Vaults on such a file system, vaults for which
// the system has no watch left, and on Windows those on a drive that can be taken out (Windows will not eject a drive
// with an open folder handle) are polled instead, as a whole: notes that changed lately about every second, the times
// of folders every second (every two on a network drive), and everything in slices that take a fiftieth of one core
// at most; after ten quiet minutes less often.
// [Stats] always says which source there is and why.
//
// A file system's name is only a first guess. A probe finds a source that is dead, and each
// routine comparison counts the changes that the source should have reported: a source that
// misses some in two of three is not relied on any more. After the machine has slept the vault
// is compared and the source probed.
//
// # What is reported
//
// The first pass reports every note once, with Via set to [ViaStart]; the
// channel of [Watcher.Ready] is closed when it is done. These notes have
// not changed for all the watcher knows: they are the caller's list of what
// there is, to be read at leisure. From then on only differences are reported.
// They are reported early and may be reported twice, because a note that is
// saved twice within the resolution of its time stamp looks the same after the
// second save: a hint about a note that was last read within two seconds of its
// time stamp counts as a change. Equal bytes are for the caller to notice.
//
// A Watcher may be run again after Run has returned. It still has its
// snapshot, and reports what was different meanwhile instead of every note.
//
// # Promises
//
//   - Paths are relative to the vault, with slashes, spelled as on disk.
//   - Events reach the sink one at a time, in the order in which the changes
//     were found; the last one for a path is true of the disk at that time.
//   - The notes of a folder that is removed are reported as removed, each by itself.
//     A renamed folder counts as one removed and one made.
//   - When the vault itself disappears (a disk unplugged, a share asleep, the folder moved)
//     nothing is reported as removed. The state is [Offline] and the snapshot is kept. When
//     the vault returns, its difference is reported, with all events of the last half minute
//     before it disappeared: their reader may have found no file.
//   - A folder that cannot be read keeps its notes in the snapshot. A note whose text
//     went to the cloud is not removed, and not read before it is back.
//   - Nothing is written but the file of the probe, and no note is opened, except
//     those that change often on a network drive: there nothing else tells.
//   - When the disk hangs, Run returns [ErrUnanswered] one second after its context
//     ends.
//
// The folder of the vault may be a symbolic link; every ten seconds the watcher looks where that
// leads, what is mounted in the vault, and whether what was out of reach is there again. Links
// to folders inside the vault are not followed. A link to a file is a note like any other, but
// only a change of the link itself is seen at once; a change of its target is found by the next
// comparison, and so is one that was made through another hard link to the same file.
package watch

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path"
	"path/filepath"
	"strings"
	"time"

	"vaultdispatcher/engine/watch/disk"
)

// Kind says what happened to a note.
type Kind uint8

const (
	// Changed notes are new, or have new contents, or might have.
	Changed Kind = iota
	// Removed notes are no longer at their path.
	Removed
)

// String returns "changed" or "removed".
func (k Kind) String() string {
	if k == Removed {
		return "removed"
	}
	return "changed"
}

// The ways by which a change is found, for [Event.Via].
const (
	ViaStart  = "start"  // the first pass: the note exists
	ViaNative = "native" // the operating system said so
	ViaPoll   = "poll"   // a look at the vault where nothing tells of changes
	ViaRescan = "rescan" // a comparison with the disk that no message asked for
)

// Event is one note to be looked at.
type Event struct {
	Path string    // in the vault, slash separated, spelled as on disk
	Kind Kind      // Changed or Removed, as last seen
	Time time.Time // when the difference was found
	Via  string    // ViaStart, ViaNative, ViaPoll or ViaRescan
	New  bool      // the note was not there before; of notes of the first pass nothing is said

	Crowded bool // it came with many others, says who takes it, and is behind those that did not

	Stamp disk.Stamp // as it was seen, of a change
	Saved bool       // nothing but saves on this machine, as far as their times tell ([disk.Stamp.IsSave], [Stats.Pause])
}

// Options describe one vault.
type Options struct {
	// Root is the folder of the vault. It need not exist yet; until it does,
	// the vault is offline.
	Root string

	// Target is the folder to which the links in Root have to lead. While they lead
	// elsewhere the vault is offline, for a caller that cannot follow them. Empty
	// follows them anywhere.
	Target string

	// Ignore says which files are not notes and which folders hold none. It is
	// called with the path in the vault, for folders before they are entered;
	// an ignored folder is not even watched. It must give the same answer each
	// time and be quick; Run calls it from one goroutine. Nil ignores names that
	// begin with a dot and files whose extension is neither .md nor .markdown.
	Ignore func(rel string, dir bool) bool

	// Mode is ModeAuto, ModeFsnotify or ModePoll; empty is ModeAuto.
	Mode string

	// PollInterval is how often a polled vault is looked at; zero leaves it to
	// the watcher.
	PollInterval time.Duration

	// Probe is a folder of the vault, by its path in it, where a hidden file may
	// be made and removed at once, now and then, to see whether the system tells
	// of it. Ignore must refuse the folder. Empty means no such test.
	Probe string

	// Log receives what an operator may want to know; nil means silence.
	Log *slog.Logger

	// Changed, if there is one, is called when Stats has changed, the counts and times
	// of comparisons and the counts of hints and misses apart. It must not wait for anything, nor ask for Stats itself.
	Changed func()

	// Rescan is how often the whole vault is compared without any reason to;
	// zero means five minutes.
	Rescan time.Duration
}

// State is what a vault's watcher is doing.
type State string

const (
	Stopped  State = "stopped"  // Run is not running
	Starting State = "starting" // the first pass is under way
	Watching State = "watching" // changes are reported as they happen
	Offline  State = "offline"  // the folder of the vault is gone for now
)

// Stats is what a watcher knows about itself.
type Stats struct {
	State  State
	Source string        // "fsnotify", "rdcw" or "poll"
	Reason string        // why this source, in words; of a vault that is offline, why it is
	Pause  time.Duration // the longest between two looks at what is likely to change; 0 = the system tells
	Within time.Duration // so long after its save a note of any kind is looked at, by the latest pass; 0 = not known, or the system tells

	Notes   int // in the snapshot
	Dirs    int // in the snapshot, the root included
	Watches int // folders that are watched

	Overflows int           // how often the kernel dropped events
	Rescans   int           // comparisons of the whole vault, the first pass not counted
	LastScan  time.Time     // end of the latest first pass or comparison
	ScanTook  time.Duration // its duration
	LastEvent time.Time     // latest change reported, first pass not counted
	Hints     int           // places that the system named as possibly changed
	Misses    int           // changes found by a comparison although the system tells of changes
	FirstPass time.Time     // end of the first pass; zero before
}

// Watcher reports the changes of one vault. Its methods may be called from any
// goroutine.
type Watcher interface {
	// Run watches until ctx ends and then returns nil, after everything it
	// started has ended. It calls sink from one goroutine; while sink is busy,
	// changes wait in memory, one entry for each path. Run may be called again
	// when it has returned, but not before.
	//
	// A system call that waits for a share whose server is gone cannot be taken
	// back. When one has not returned a second after the end of ctx, Run returns
	// ErrUnanswered. Sink is not called any more, and the next Run begins when
	// the disk has answered.
	Run(ctx context.Context, sink func(Event)) error

	// Rescan asks for a comparison of the whole vault and returns at once.
	// Requests that come together, or before Run, make one comparison.
	Rescan()

	// Look asks for a look at one note, by its path in the vault, and returns at
	// once. In a polled vault the note is then among those looked at most often.
	Look(rel string)

	// Ready returns a channel that is closed at the end of the first pass.
	Ready() <-chan struct{}

	// Stats returns the present state from memory: it never waits for the disk.
	Stats() Stats
}

// New returns a watcher for the vault at opts.Root. It touches no disk: a folder
// that does not exist is for Run to wait for.
func New(opts Options) (Watcher, error) {
	if opts.Root == "" {
		return nil, errors.New("watching a vault: no folder given")
	}
	root, err := filepath.Abs(opts.Root)
	if err != nil {
		return nil, fmt.Errorf("watching %s: %w", opts.Root, err)
	}
	opts.Root = root
	if opts.Ignore == nil {
		opts.Ignore = isIgnored
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if opts.Changed == nil {
		opts.Changed = func() {}
	}
	if opts.Rescan <= 0 {
		opts.Rescan = 5 * time.Minute
	}
	return newReconciler(opts), nil
}

func isIgnored(rel string, dir bool) bool {
	if strings.HasPrefix(path.Base(rel), ".") {
		return true
	}
	extension := strings.ToLower(path.Ext(rel))
	return !dir && extension != ".md" && extension != ".markdown"
}
