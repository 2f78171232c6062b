//go:build !linux

package agent

// playDaemon is played where children that leave the group can be found.
func playDaemon() int { return 8 }
