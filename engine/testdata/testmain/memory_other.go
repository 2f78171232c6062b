//go:build !linux

package testmain

const shared = ""

func hasRoom(string) bool { return false }
