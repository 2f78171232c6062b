package dashboard

import (
	"path/filepath"
	"strings"
	"testing"

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

// A blank around the word that is looked for, which the keyboards of phones add, is none of it.
func TestHistoryWordIsTrimmed(t *testing.T) {
	html := openSite(t).browser(t).get(t, "/history?q=+coffee+").text
	if !strings.Contains(html, `name="q" value="coffee"`) || !strings.Contains(html, `><mark>coffee</mark></a>`) {
		t.Errorf("%s", html)
	}
}
