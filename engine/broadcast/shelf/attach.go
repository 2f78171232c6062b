package shelf

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path"
	"strings"

	"vaultdispatcher/engine/rewrite/swap"
)

// ErrGone says that a work is not on the shelf any more, or is another one.
var ErrGone = errors.New("the work is gone")

// Attach puts files beside a work on the shelf, under its name. They replace earlier files that are unchanged since
// they were put there. Without files, Attach reports whether the work is there. A work that a person changed gets its
// files, and its text is not changed. engine is as for [Work].
func Attach(ctx context.Context, root, folder, name, engine string, list []File) error {
	if path.Clean(name) != name || path.Dir(name) != path.Clean(folder) || path.Ext(name) != ".md" {
		return ErrGone
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return err
	}
	defer dir.Close()
	old, there, err := readOld(dir, name)
	if err != nil || !there {
		return errors.Join(err, ErrGone)
	}
	if len(list) == 0 {
		return nil
	}
	base := strings.TrimSuffix(name, ".md")
	for _, f := range list {
		if err := writeBeside(dir, root, base+f.Ext, f.Text, fileSum(old, path.Base(base)+f.Ext)); err != nil {
			return err
		}
	}
	next, ours := withFiles(old, path.Base(base), list)
	if !ours || bytes.Equal(next, old) {
		return nil
	}
	if err := replace(ctx, nil, swap.Change{Root: root, Path: name, Engine: engine, Base: old, New: next}); !errors.Is(err, errTaken) {
		return err
	}
	return nil // the work is in use, but the files are there
}

// withFiles returns a work with the hashes of more files in its front matter; false means that a person changed it.
func withFiles(text []byte, base string, list []File) (next []byte, ours bool) {
	head, body, ok := strings.Cut(string(text), "\n---\n")
	sum := valueOf(text, hashKey)
	if !ok || sum == "" || sum != hashOf(withoutSchedules(bytes.Replace(text, []byte(hashKey+": "+sum+"\n"), nil, 1))) {
		return text, false
	}
	var kept, sums []string
	isList := false
	for line := range strings.SplitSeq(head, "\n") {
		isEntry := isList && strings.HasPrefix(line, "  - ")
		isList = line == fileKey+":" || isEntry
		switch {
		case isEntry:
			if sum, name, _ := strings.Cut(unquote(line), " "); !isOneOf(list, base, name) {
				sums = append(sums, sum+" "+name)
			}
		case !isList && !strings.HasPrefix(line, hashKey+": "):
			kept = append(kept, line)
		}
	}
	for _, f := range list {
		sums = append(sums, hashOf(f.Text)+" "+base+f.Ext)
	}
	var b strings.Builder
	b.WriteString(strings.Join(kept, "\n") + "\n")
	writeList(&b, fileKey, sums)
	whole := b.String() + "---\n" + body
	line := hashKey + ": " + hashOf(withoutSchedules([]byte(whole))) + "\n"
	return []byte(b.String() + line + whole[b.Len():]), true
}

func isOneOf(list []File, base, name string) bool {
	for _, f := range list {
		if base+f.Ext == name {
			return true
		}
	}
	return false
}
