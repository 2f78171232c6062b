package tray

import (
	"context"
	"errors"
	"net/url"
	"path/filepath"
	"strings"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/tray/opener"
)

var errNoteAway = errors.New("the note's vault is not configured any more")

// noteLink returns a link that opens the note of a dispatch: in Obsidian if its vault is one of Obsidian's, else as a
// file. It opens only notes, because a desktop may run other files instead of showing them.
func noteLink(vaults []api.Vault, d api.Dispatch) (string, error) {
	for _, v := range vaults {
		if v.Name != d.Vault {
			continue
		}
		rel := filepath.FromSlash(d.File)
		if !filepath.IsLocal(rel) || !api.HasNoteExtension(d.File) {
			return "", errors.New("this is no note of its vault")
		}
		file := filepath.Join(v.Path, rel)
		if link := client.ObsidianLink(v.Path, file); link != "" {
			return link, nil
		}
		return fileLink(file), nil
	}
	return "", errNoteAway
}

// openNote opens a link to a note, and its file where no program takes Obsidian's links.
func openNote(ctx context.Context, link string) error {
	err := opener.Open(ctx, link)
	if err == nil {
		return nil
	}
	u, problem := url.Parse(link)
	if problem != nil || u.Scheme != "obsidian" {
		return err
	}
	return opener.Open(ctx, fileLink(u.Query().Get("path")))
}

// fileLink is the link to a file. On Windows the path begins with a drive.
func fileLink(file string) string {
	path := filepath.ToSlash(file)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
