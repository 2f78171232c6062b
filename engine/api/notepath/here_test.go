package notepath

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/testdata/apitest"
	"vaultdispatcher/engine/api/winpath"
)

// wsl is a Linux inside Windows with its drives where they are usually and elsewhere, and vaults on
// a drive, on a folder of one, and on the disk of Linux.
var (
	wsl = winpath.Host{Distro: "Ubuntu", Drives: []winpath.Drive{
		{Folder: "C:", Point: "/mnt/c"}, {Folder: "D:", Point: "/win/d"}, {Folder: "E:/Share", Point: "/data"},
	}}
	wslVaults = []api.Root{
		{Name: "c", Path: "/mnt/c/Users/Me/Notes"},
		{Name: "d", Path: "/win/d/n"},
		{Name: "e", Path: "/data/v"},
		{Name: "h", Path: "/home/me/Vault", Aliases: []string{"/home/me/link"}},
		{Name: "i", Path: "/home/me/Vault/inner"},
	}
)

func TestLocateFromWindows(t *testing.T) {
	for _, test := range []location{
		{`C:\Users\Me\Notes\a.md`, "c:a.md"},
		{`c:\users\ME\notes\Sub\a.md`, "c:Sub/a.md"},
		{`C:/Users/Me/Notes/Sub/a.md`, "c:Sub/a.md"},
		{`C:\Users/Me\Notes\\x\..\a.md`, "c:a.md"},
		{`D:\N\a.md`, "d:a.md"},
		{`e:\share\V\a.md`, "e:a.md"},
		{`\\wsl.localhost\Ubuntu\home\me\Vault\a.md`, "h:a.md"},
		{`\\WSL.LOCALHOST\ubuntu\home\me\Vault\a.md`, "h:a.md"},
		{`//wsl$/Ubuntu/home/me/link/a.md`, "h:a.md"},
		{`\\wsl$\Ubuntu\home\me\Vault\inner\a.md`, "i:a.md"},
		{`\\wsl$\Ubuntu\mnt\c\Users\Me\Notes\a.md`, "c:a.md"},
		{`C:\Users\Me\Notes`, "c:"},
		{`C:\Users\Me\Notes\`, "not_a_note"},
		{`C:\Users\Me\Notes\a.md\`, "not_a_note"},
		{`C:\Users\Me\Notes\a.md:stream`, "not_a_note"},
		{`C:\Users\Me\Notes\nul.md`, "outside_vaults"},
		{`\\wsl$\Ubuntu\home\me\vault\a.md`, "outside_vaults"}, // Linux tells cases apart
		{`\\wsl$\Debian\home\me\Vault\a.md`, "outside_vaults"},
		{`E:\v\a.md`, "outside_vaults"},
		{"C:\\Users\\Me\\Notes\\a\x00.md", "bad_request"},
		{"C:\\Users\\Me\\Notes\\\xff.md", "bad_request"},
	} {
		places, err := locateFromWindows(test.file, wslVaults, wsl)
		got := ""
		if err != nil {
			got = refusal(t, err).Code
		} else if len(places) == 1 {
			got = places[0].Root.Name + ":" + places[0].Rel
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.file, got, test.want)
		}
	}
}

// TestHostileWindowsPaths: every way out of a vault that Windows has a spelling for ends before a disk
// is asked.
func TestHostileWindowsPaths(t *testing.T) {
	var all []string
	for _, start := range []string{`C:\Users\Me\Notes`, `c:/users/me/notes`, `\\wsl.localhost\Ubuntu\home\me\Vault`, `//wsl$/ubuntu/home/me/Vault`} {
		for _, rest := range []string{`\..\a.md`, `\..\..\..\..\..\a.md`, `/../a.md`, `\sub\..\..\a.md`, `-evil\a.md`, `2/a.md`, `\..\Notes2\a.md`, `/./../a.md`, `\.\..\..\home\me\Vault\..\a.md`, `\..`,
			`\..\..`, `/..\../a.md`, `\x\y\..\..\..\a.md`, ` \a.md`, `.\a.md`, `..\a.md`, `\nul`, `\NUL.md`, `\con.md`, `\COM1.md`, `\lpt¹.md`, `\a.md::$DATA`, `\a.md:x`, `\a.md.`, `\a.md `,
			`\a?.md`, `\a*.md`, `\a|.md`, `\"a.md`, `\<a>.md`, "\\a\n.md", "\\a\x00.md", "\\\xff.md", `\x.\a.md`, `\x \a.md`, `\CONIN$`} {
			all = append(all, start+rest)
		}
	}
	inside := `\Users\Me\Notes\a.md`
	for _, prefix := range []string{`\\?\C:`, `\\.\C:`, `\??\C:`, `\\?\UNC\wsl$\Ubuntu\mnt\c`, `\\localhost\c$`, `\\127.0.0.1\c$`, `\\srv\share`, `//srv/share`, `\/srv\share`, `\\wsl.localhost.evil.example\Ubuntu\mnt\c`,
		`\\wsl.localhost@80\Ubuntu\mnt\c`, `\\wsl.localhost\Debian\mnt\c`, `\\wsl$\Ubuntu-20.04\mnt\c`, `\\wsl$\\mnt\c`, `\\wsl\Ubuntu\mnt\c`, `\\wsl$`, `\\wsl$\..\Ubuntu\mnt\c`, `\\wsl$\Ubuntu\..\mnt\c`, `\\wsl$\Ubuntu\..\..\mnt\c`,
		`\\\wsl$\Ubuntu\mnt\c`, `C:\..`, `C:\..\..\mnt\c`, `C:..`, `C:.`, `X:`, `1:`, `CC:`, `::`, `ſ:`, `file:///C:`, `file://wsl$/Ubuntu/mnt/c`, `\\wsl$\Ubuntu\mnt\C`, `\\wsl$\Ubuntu\proc\self\root\mnt\c`, `D:`, `E:`, `E:\Share\..`,
		`\\wsl$ \Ubuntu\mnt\c`, `\\wsl$\Ubuntu \mnt\c`, `\\wsl$\Ubuntu.\mnt\c`, `\\wsl$.\Ubuntu\mnt\c`, `\\GLOBALROOT\Device\Harddisk0`, `\\?\GLOBALROOT\Device\HarddiskVolume1`, `\\.\pipe`, `\\.\UNC\wsl$\Ubuntu\mnt\c`, `\Device\Mup\wsl$\Ubuntu\mnt\c`,
		`C:\PROGRA~1\..\..`, `%SystemDrive%`, `$env:HOMEDRIVE`, `~`, `C：`, `\\wsl．localhost\Ubuntu\mnt\c`, `C:\mnt\c`, `c:\\..\\..`} {
		all = append(all, prefix+inside, strings.ReplaceAll(prefix+inside, `\`, "/"))
	}
	for _, file := range all {
		places, err := locateFromWindows(file, wslVaults, wsl)
		if err == nil {
			t.Errorf("%q is located at %+v", file, places)
		}
	}
	if len(all) < 200 {
		t.Errorf("only %d hostile paths", len(all))
	}
	t.Logf("count: %d hostile paths of Windows", len(all))
}

// TestWindowsHasNoDrivesHere: outside of WSL such a path names nothing.
func TestWindowsHasNoDrivesHere(t *testing.T) {
	for _, file := range []string{`C:\mnt\a.md`, `\\wsl$\Ubuntu\v\a.md`} {
		if places, err := locateFromWindows(file, []api.Root{{Path: "/"}}, winpath.Host{}); err == nil {
			t.Errorf("%s: %v", file, places)
		}
	}
}

// TestAnyCaseOfNames: what a program of Windows calls a note in another case is the one note that is so
// called, and no second one.
func TestAnyCaseOfNames(t *testing.T) {
	root := api.Root{Path: apitest.RealDir(t)}
	for _, name := range []string{"Sub/Note.md", "twice/A.md", "twice/a.md"} {
		apitest.WriteNote(t, filepath.Join(root.Path, name))
	}
	for sent, want := range map[string]string{"Sub/Note.md": "Sub/Note.md", "sub/NOTE.md": "Sub/Note.md", "TWICE/A.md": "twice/A.md", "Sub/absent.md": ""} {
		found, err := Resolve(Place{Root: root, Rel: sent, anyCase: true}, []api.Root{root})
		switch {
		case want == "" && err == nil, want != "" && (err != nil || len(found) != 1 || found[0].Rel != want):
			t.Errorf("%s: %v, %v", sent, found, err)
		}
	}
}

// FuzzLocateFromWindows: whatever is located lies in its vault, however it is read.
func FuzzLocateFromWindows(f *testing.F) {
	for _, seed := range []string{`C:\Users\Me\Notes\a.md`, `c:/users/me/notes/../Notes/a.md`, `\\wsl$\Ubuntu\home\me\Vault\a.md`, `//WSL.LOCALHOST/ubuntu/home/me/link/b/../a.md`, `E:\share\v\..\v\x.md`, `\\?\C:\a`,
		`D:\n\..\..\win\d\n\a.md`, `\\wsl$\Ubuntu\..\home`, `C:\Users\Me\Notes\a.md\.`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, file string) {
		places, err := locateFromWindows(file, wslVaults, wsl)
		if err != nil {
			if s := refusal(t, err).Status; s < 400 || s >= 500 {
				t.Fatalf("%q: status %d", file, s)
			}
			return
		}
		for _, p := range places {
			if p.Root.Path == "" || strings.ContainsAny(p.Rel, "\\:\x00") || strings.HasPrefix(p.Rel, "/") || fmt.Sprint(strings.Split(p.Rel, "/")) != fmt.Sprint(splitPath(p.Rel)) && p.Rel != "" || climbsOut(p.Rel) {
				t.Fatalf("%q is located at %q", file, p.Rel)
			}
		}
	})
}
