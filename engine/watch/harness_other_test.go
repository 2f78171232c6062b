//go:build !linux

package watch

// mirrorsDisk has no kernel to ask here, so it compares the books: watches are
// counted where there is one for each folder.
func (v *vault) mirrorsDisk() {
	v.Helper()
	v.until("every folder is known", func() bool {
		s := v.w.Stats()
		if s.Source == "fsnotify" && s.Watches != s.Dirs {
			return false
		}
		return s.Dirs == liveFolders(v.T, v.root)
	})
}
