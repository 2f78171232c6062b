package opener

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows"
)

// Open has Windows open a link. The link of a file is not handed on: what is escaped
// in it Windows takes for bytes of its old code pages, so that only names in plain
// English are found.
func Open(ctx context.Context, link string) error {
	do := func() error { return startTool(ctx, "rundll32", "url.dll,FileProtocolHandler", link) }
	if u, err := url.Parse(link); err == nil && u.Scheme == "file" {
		path := u.Path
		if !strings.HasPrefix(path, "//") { // of a server
			path = strings.TrimPrefix(path, "/")
		}
		do = func() error { return failsSoon(ctx, func() error { return shellOpen(filepath.FromSlash(path)) }) }
	}
	if err := do(); err != nil {
		return fmt.Errorf("the desktop opens no such link: %w", err)
	}
	return nil
}

// shellOpen opens a file as the desktop would.
func shellOpen(file string) error {
	name, err := windows.UTF16PtrFromString(file)
	if err != nil {
		return err
	}
	if err := windows.ShellExecute(0, nil, name, nil, nil, windows.SW_SHOWNORMAL); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}
