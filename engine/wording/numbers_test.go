package wording

import "testing"

func TestNumber(t *testing.T) {
	for n, want := range map[int]string{0: "0", 7: "7", 999: "999", 1000: "1,000", -1000: "-1,000", -999: "-999", 100000: "100,000", 1234567: "1,234,567"} {
		if got := Number(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
	if got := Number(1999.6); got != "2,000" {
		t.Errorf("rounded: %q", got)
	}
	if got := Count(12345, "note"); got != "12,345 notes" {
		t.Errorf("counted: %q", got)
	}
}

func TestDollars(t *testing.T) {
	for v, want := range map[float64]string{0: "$0.00", 0.25: "$0.25", 0.0123: "$0.0123", 0.5 + 1e-12: "$0.50", 1.239: "$1.24", 5: "$5.00", 1234.5: "$1,234.50", 1e6: "$1,000,000.00"} {
		if got := Dollars(v); got != want {
			t.Errorf("%v is %q, want %q", v, got, want)
		}
	}
}
