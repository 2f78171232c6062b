package main

import (
	"os"
	"strconv"
)

// alive reports whether a process exists.
func alive(pid string) bool {
	n, err := strconv.Atoi(pid)
	if err != nil {
		return false
	}
	p, err := os.FindProcess(n)
	if err == nil {
		p.Release()
	}
	return err == nil
}
