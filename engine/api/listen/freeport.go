package listen

import "slices"

// FindFree returns the first free port of the hundred from a number on. It tries the numbers in their order, and
// returns the last number if it finds no free port.
func FindFree(from ...int) int {
	for _, first := range from {
		for port := first; port < first+100 && port <= 65535; port++ {
			if !IsBlocked(port) && IsFree(port) {
				return port
			}
		}
	}
	return from[len(from)-1]
}

// IsBlocked reports whether browsers block a port, so that they could not show the
// dashboard there: the bad ports of the Fetch standard
// (https://fetch.spec.whatwg.org/#bad-port), and 80, which they leave out of the Host
// header, while the engine wants its own name in whole.
func IsBlocked(port int) bool { return slices.Contains(blocked, port) }

var blocked = []int{
	1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 80, 87, 95,
	101, 102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179,
	389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601,
	636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566,
	6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
}
