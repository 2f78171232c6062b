//go:build !linux

package service

// fakeSystemctl is needed on Linux alone.
func fakeSystemctl([]string) int { return 1 }
