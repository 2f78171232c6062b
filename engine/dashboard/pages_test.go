package dashboard

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/api/testdata/apitest"
)

func TestHomely(t *testing.T) {
	home := apitest.RealDir(t)
	for _, name := range []string{"HOME", "USERPROFILE"} {
		t.Setenv(name, home)
	}
	for path, want := range map[string]string{
		home:                            "~",
		filepath.Join(home, "Notes"):    "~" + string(filepath.Separator) + "Notes",
		home + "2":                      home + "2",
		filepath.Join(home+"2", "home"): filepath.Join(home+"2", "home"),
		"line 3":                        "line 3",
		"there is no " + filepath.Join(home, "a") + ", nor " + home + "2": "there is no ~" + string(filepath.Separator) + "a, nor " + home + "2",
		"": "",
	} {
		if got := shortenHome(path); got != want {
			t.Errorf("%q becomes %q, want %q", path, got, want)
		}
	}
	t.Setenv("HOME", "")
	t.Setenv("USERPROFILE", "")
	if got := shortenHome("/a"); got != "/a" {
		t.Errorf("without a home: %q", got)
	}
}

func TestSpan(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second:                          "0 s",
		59*time.Second + 999*time.Millisecond: "59 s",
		time.Minute:                           "1 min 0 s",
		61*time.Minute + 5*time.Second:        "1 h 1 min",
		49 * time.Hour:                        "2 days",
	} {
		if got := spanText(time.Unix(0, 0), time.Unix(0, 0).Add(d)); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

// A blank around the word that is looked for, which the keyboards of phones add, is none of it.
func TestHistoryWordIsTrimmed(t *testing.T) {
	html := openSite(t).browser(t).get(t, "/history?q=+coffee+").text
	if !strings.Contains(html, `name="q" value="coffee"`) || !strings.Contains(html, `>coffee</a>`) {
		t.Errorf("%s", html)
	}
}
