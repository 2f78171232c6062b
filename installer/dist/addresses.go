package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"regexp"
	"strings"
)

// addresses are where the project and its files are to be found. Each is empty if none was named.
type addresses struct {
	repository string // on GitHub or a host with its addresses; the others follow from it
	base       string // of the folder that everything will be had from
	homepage   string // of the project
	latest     string // of the folder that always has the newest release
}

// addFlags adds a flag for each address.
func (a *addresses) addFlags(flags *flag.FlagSet) {
	flags.StringVar(&a.repository, "repository", "", "`address` of the project's repository on GitHub, from which the other addresses follow, where they are not given")
	flags.StringVar(&a.base, "base-url", "", "`address` of the folder that everything will be had from, for manifests for Homebrew, scoop and winget")
	flags.StringVar(&a.latest, "latest-url", "", "`address` of the folder that always has the files of the newest release, where wiki update looks")
	flags.StringVar(&a.homepage, "homepage", "", "`address` of the project, for what the packages say of themselves")
}

// complete checks what was given, and makes of the repository's address what was not
// (https://docs.github.com/en/repositories/releasing-projects-on-github/linking-to-releases).
func (a *addresses) complete(version string) error {
	var err error
	for name, given := range map[string]*string{"repository": &a.repository, "base-url": &a.base, "latest-url": &a.latest, "homepage": &a.homepage} {
		checked, problem := checkAddress(name, *given)
		*given, err = checked, errors.Join(err, problem)
	}
	if err != nil || a.repository == "" {
		return err
	}
	a.homepage = cmp.Or(a.homepage, a.repository)
	a.latest = cmp.Or(a.latest, a.repository+"/releases/latest/download")
	a.base = cmp.Or(a.base, a.repository+"/releases/download/v"+version)
	return nil
}

// toReleases is how a page of the repository links to its releases: beside the files, as GitHub shows these.
var toReleases = regexp.MustCompile(`\]\((?:\.\./)+(releases/latest)\)`)

// leadToReleases returns a page as it comes with the programs, where no page of releases is beside it.
func (a *addresses) leadToReleases(page []byte) []byte {
	if a.repository == "" {
		return page
	}
	return toReleases.ReplaceAll(page, []byte("]("+strings.ReplaceAll(a.repository, "$", "$$")+"/$1)"))
}

// downloads is the address of a folder in characters that end no string in any
// manifest.
var downloads = regexp.MustCompile(`^https://[A-Za-z0-9.-]+(:[0-9]+)?(/[A-Za-z0-9._~%+-]+)*/?$`)

// checkAddress checks the address that a flag names and cuts its last slash.
func checkAddress(flag, given string) (string, error) {
	if given != "" && !downloads.MatchString(given) {
		return "", fmt.Errorf("-%s is to be an address such as https://example.org/downloads, and %q is not", flag, given)
	}
	return strings.TrimSuffix(given, "/"), nil
}
