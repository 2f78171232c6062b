package assets

import "runtime/debug"

// version is the only place of the version. A release build sets commit, date and releases with the linker, and
// version too when it is asked for another one.
var (
	version = "0.1.0-dev"
	commit  = ""
	date    = ""
	// releases is the address of the folder that has the files of the newest release.
	releases = ""
)

// Build says what a program was made from. Unknown fields are empty.
type Build struct {
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
	Date    string `json:"date,omitempty"` // of the commit
	Go      string `json:"go"`

	Releases string `json:"releases,omitempty"` // where wiki update looks; empty where the build names no place
}

// ThisBuild describes the running program. What the release build did not set is
// taken from what the Go command stamped in.
func ThisBuild() Build {
	b := Build{Version: version, Commit: commit, Date: date, Releases: releases}
	if info, ok := debug.ReadBuildInfo(); ok {
		b.Go = info.GoVersion
		b.readSettings(info.Settings)
	}
	return b
}

func (b *Build) readSettings(settings []debug.BuildSetting) {
	for _, s := range settings {
		switch {
		case s.Key == "vcs.revision" && b.Commit == "":
			b.Commit = s.Value[:min(len(s.Value), 12)]
		case s.Key == "vcs.time" && b.Date == "":
			b.Date = s.Value
		}
	}
}
