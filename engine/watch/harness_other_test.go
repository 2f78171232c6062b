//go:build !linux

package watch

// mirrorsDisk has no kernel to ask here, so it compares the books.
func (v *vault) mirrorsDisk() {
	v.Helper()
	v.until("one watch for each folder", func() bool {
		s := v.w.Stats()
		if s.Source == "poll" {
			return s.Dirs == liveFolders(v.T, v.root)
		}
		return s.Watches == s.Dirs
	})
}
