package main

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestManualPage: wiki-tray(1) has every flag that the program tells of, and every exit status.
func TestManualPage(t *testing.T) {
	text, err := os.ReadFile("../../installer/linux/wiki-tray.1")
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	var said bytes.Buffer
	if code := runTray([]string{"-help"}, &said, &said); code != exitOK {
		t.Errorf("-help ends with %d", code)
	}
	flags := regexp.MustCompile(`(?m)^  -(\w+)`).FindAllStringSubmatch(said.String(), -1)
	for _, f := range append(flags, []string{"", "help"}) {
		if !strings.Contains(page, `.TP
\fB\-`+f[1]+`\fR`) {
			t.Errorf("-%s is not in the page", f[1])
		}
	}
	for status := exitOK; status <= exitNoDesktop; status++ {
		if !strings.Contains(page, fmt.Sprintf(".TP\n%d\n", status)) {
			t.Errorf("status %d is not in the page", status)
		}
	}
	if len(flags) == 0 {
		t.Errorf("no flag was found in %q", said.String())
	}
}
