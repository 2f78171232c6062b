package places

import (
	"strings"
	"testing"
)

func TestLines(t *testing.T) {
	env := func(string) string { return "" }
	for _, test := range []struct {
		m       Machine
		program string
		want    string
	}{
		{Machine{System: "linux", Getenv: env}, "/usr/bin/wiki", "/usr/bin/wiki notify {{event_file_path:absolute}}"},
		{Machine{System: "darwin", Getenv: env}, "/My Apps/it's/wiki", `'/My Apps/it'\''s/wiki' notify {{event_file_path:absolute}}`},
		{Machine{System: "windows", Getenv: env}, `C:\My Apps\it's\wiki.exe`, `& 'C:\My Apps\it''s\wiki.exe' notify {{event_file_path:absolute}}`},
		{Machine{System: "linux", Drives: "/mnt", Getenv: env}, "/usr/bin/wiki", "wsl.exe -e /usr/bin/wiki notify {{event_file_path:absolute}}"},
	} {
		lines := Lines(test.m, test.program)
		if lines[0].Text != test.want {
			t.Errorf("got  %s\nwant %s", lines[0].Text, test.want)
		}
		for _, line := range lines {
			if line.Shell == "" || strings.Count(line.Text, eventFile) != 1 || strings.Contains(line.Text, "\n") {
				t.Errorf("%+v", line)
			}
		}
	}
}
