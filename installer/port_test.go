package installer

import (
	"testing"
)

func TestShunned(t *testing.T) {
	for _, port := range []int{1, 22, 80, 6000, 6667, 10080} {
		if !Shunned(port) {
			t.Errorf("a browser would be sent to port %d", port)
		}
	}
	for _, port := range []int{81, 443, 8080, 6001, 11435, 65535} {
		if Shunned(port) {
			t.Errorf("port %d is refused", port)
		}
	}
}
