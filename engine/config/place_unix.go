//go:build !darwin && !windows

package config

func configHome() (string, error) { return inHome(".config") }
func stateHome() (string, error)  { return inHome(".local", "state") }
func cacheHome() (string, error)  { return inHome(".cache") }
