package recall

import (
	"context"
	"io/fs"
	"time"

	"vaultdispatcher/engine/note"
)

// A batch of notes is read before the transaction that writes it begins, so that
// nothing but the next batch waits for the disk of the vault.
const (
	loadNotes = 64      // at most
	loadBytes = 4 << 20 // and no more notes after that many bytes
)

// freshTime is how long a note counts as fresh. The clock of the file system may not
// tell such a note from its next save, so its stamp is kept with a sign that
// matches no file.
const freshTime = 2 * time.Second

// loadedNote is a note as it was read.
type loadedNote struct {
	rel       string
	isPresent bool  // it is a note, and not gone
	stamp     stamp // without the row
	source    []byte
	err       error // it exists and cannot be read
}

// isWanted reports whether rel is a note that belongs into the index.
func (ix *Index) isWanted(rel string) bool {
	return note.IsNote(rel) && fs.ValidPath(rel) && !ix.exclude(rel)
}

// loadBatch reads the first of rels, as many as one batch takes.
func (ix *Index) loadBatch(ctx context.Context, rels []string) ([]loadedNote, error) {
	dir, err := ix.disk.openFolder(ctx)
	if err != nil {
		return nil, err
	}
	defer dir.close()
	var list []loadedNote
	for size := 0; len(list) < min(loadNotes, len(rels)) && size < loadBytes; {
		n := loadedNote{rel: rels[len(list)]}
		if ix.isWanted(n.rel) {
			if n, err = dir.loadNote(ctx, n.rel); err != nil {
				return nil, err
			}
		}
		size += len(n.source)
		list = append(list, n)
	}
	return list, nil
}

func stampOf(info fs.FileInfo) stamp {
	return stamp{size: info.Size(), mtime: info.ModTime().UnixNano()}
}
