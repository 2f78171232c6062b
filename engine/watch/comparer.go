package watch

import (
	"fmt"
	"vaultdispatcher/engine/watch/disk"
	"vaultdispatcher/engine/watch/source"
)

// comparer brings the snapshot up to date with the disk and reports what differs. It
// belongs to the goroutine of Run, for as long as the vault is there without a break.
type comparer struct {
	*reconciler
	root    *disk.Root
	id      disk.Ident // of the root
	sink    func(Event)
	folding bool // the file system takes names in other letter case for the same

	folders source.FolderSource // the source, when it has a watch per folder
	poller  *poller             // nil when there is a source
	crossed func(rel string)    // called for a folder on another device than the one it is in

	revisits   *revisits
	unreadable map[string]bool // folders, by path in the vault
	unreached  map[string]bool // names that could not be asked for
	misses     int             // changes that the comparison under way should have been told of
}

// checkRoot returns errGone when the folder of the vault is not where and what it
// was. Nothing is reported as removed without asking this first.
func (c *comparer) checkRoot() error {
	e, err := disk.Inspect(c.root.Path)
	if err != nil {
		return fmt.Errorf("%w: %w", errGone, err)
	}
	if e.Type != disk.Folder || e.ID != c.id {
		return errGone
	}
	return nil
}
