package disk

import "strings"

// findShare returns the share of a Windows path that is on the network, or in a
// Linux system of WSL, which is a network to Windows: \\server\share. It is
// empty for a path on a drive; whether that drive is a share the system knows.
func findShare(path string) string {
	p := strings.ReplaceAll(path, "/", `\`)
	switch {
	case hasPrefixFold(p, `\\?\UNC\`), hasPrefixFold(p, `\\.\UNC\`):
		p = p[len(`\\?\UNC\`):]
	case strings.HasPrefix(p, `\\?\`), strings.HasPrefix(p, `\\.\`), !strings.HasPrefix(p, `\\`):
		return ""
	default:
		p = p[len(`\\`):]
	}
	parts := strings.SplitN(p, `\`, 3)
	return `\\` + strings.Join(parts[:min(len(parts), 2)], `\`)
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}
