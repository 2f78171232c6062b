//go:build !linux

package service

// These two are needed on Linux alone.
func fakeSystemctl([]string) int { return 1 }
func fakeLoginctl([]string) int  { return 1 }
