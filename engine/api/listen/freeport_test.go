package listen

import (
	"net"
	"testing"
)

func TestIsBlocked(t *testing.T) {
	for _, port := range []int{1, 22, 80, 6000, 6667, 10080} {
		if !IsBlocked(port) {
			t.Errorf("a browser would be sent to port %d", port)
		}
	}
	for _, port := range []int{81, 443, 8080, 6001, 11435, 65535} {
		if IsBlocked(port) {
			t.Errorf("port %d is refused", port)
		}
	}
}

// A port that a program has, and one that browsers block, are passed over.
func TestFindFree(t *testing.T) {
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	taken := ln.Addr().(*net.TCPAddr).Port
	if port := FindFree(taken, 20_000); port == taken || !IsFree(port) {
		t.Errorf("port %d, and %d is taken", port, taken)
	}
	if port := FindFree(6665); port < 6670 || IsBlocked(port) {
		t.Errorf("port %d", port)
	}
	if port := FindFree(65536, 70_000); port != 70_000 {
		t.Errorf("port %d, where there is none", port)
	}
}
