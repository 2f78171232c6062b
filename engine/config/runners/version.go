package runners

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// aging is the last version of a program that is known not to do, and the first of Node for which npm has newer ones.
type aging struct{ old, node string }

// agings by the runner, which is called as its program is. A program that a role's own command names is asked for nothing that old
// ones do not know.
var agings = map[string]aging{
	"claude": {"2.1.197", "22"}, // https://github.com/jbcoe/cc-protocol/pull/416
	"pi":     {"0.73.1", "22"},
}

// WhyTooOld is one sentence where this version of a runner's program is known to be too old, "" where it is not.
func WhyTooOld(runner, version string) string {
	a, known := agings[runner]
	if !known || version == "" || compareVersions(version, a.old) > 0 {
		return ""
	}
	return runner + " " + version + " is too old; " + howToUpdate(runner)
}

// WhyOutdated is the sentence about a runner's program that has refused an option.
func WhyOutdated(runner string) string {
	return runner + " does not know an option that is needed; " + howToUpdate(runner)
}

// howToUpdate says what is needed. npm does not install the newer ones beside an old Node.
func howToUpdate(runner string) string {
	how := "update " + runner
	if a, known := agings[runner]; known {
		how += ": newer than " + a.old + ", which needs Node " + a.node
	}
	return how
}

// VersionOf returns the version of the program at a path as the description of its package says, if npm has installed it;
// otherwise nothing. Nothing is started.
func VersionOf(path string) string {
	if inBatch := findInBatch(path); inBatch != "" {
		path = inBatch
	} else if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		above := filepath.Dir(dir)
		if strings.HasPrefix(filepath.Base(above), "@") {
			above = filepath.Dir(above)
		}
		if filepath.Base(above) != "node_modules" {
			continue
		}
		var about struct{ Version string }
		text, err := os.ReadFile(filepath.Join(dir, "package.json"))
		if err != nil || json.Unmarshal(text, &about) != nil {
			return ""
		}
		return about.Version
	}
	return ""
}

// inBatch is what a batch file of npm starts (https://github.com/npm/cmd-shim).
var inBatch = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"%(?:~dp0|dp0%)\\?(node_modules\\[^"%]+)"`) })

// findInBatch returns the file that a batch file of npm starts; "" for any other file.
func findInBatch(path string) string {
	info, err := os.Stat(path)
	if err != nil || !strings.EqualFold(filepath.Ext(path), ".cmd") || info.Size() > 1<<16 {
		return ""
	}
	text, _ := os.ReadFile(path) // an unreadable file starts nothing
	if found := inBatch().FindSubmatch(text); found != nil {
		return filepath.Join(filepath.Dir(path), filepath.FromSlash(strings.ReplaceAll(string(found[1]), `\`, "/")))
	}
	return ""
}

// compareVersions compares the numbers of two versions, as far as both have them.
func compareVersions(a, b string) int {
	others := strings.Split(b, ".")
	for i, part := range strings.Split(a, ".") {
		if i == len(others) {
			break
		}
		n, errN := strconv.Atoi(part)
		m, errM := strconv.Atoi(others[i])
		if errN != nil || errM != nil {
			break
		}
		if n != m {
			return n - m
		}
	}
	return 0
}
