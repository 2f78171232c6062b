package wording

import (
	"fmt"
	"strings"
)

// Number is a whole number for people, with a comma between its thousands.
func Number[T ~int | ~int64 | ~float64](n T) string {
	return group(fmt.Sprintf("%.0f", float64(n)))
}

// Dollars is an amount of money for people: in cents, or as exactly as it needs to be where it is less than a dollar.
func Dollars(v float64) string {
	if exact := fmt.Sprintf("$%.4f", v); v > -1 && v < 1 && !strings.HasSuffix(exact, "00") {
		return exact
	}
	return "$" + group(fmt.Sprintf("%.2f", v))
}

// group puts a comma between the thousands of a number in digits.
func group(digits string) string {
	end := strings.IndexByte(digits+".", '.')
	for at := end - 3; at > 0 && digits[at-1] != '-'; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}
