package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"vaultdispatcher/engine/config/reference"
)

// texts are the files, and pages the folders, that come with the programs: every one that a page links to.
var (
	texts = []string{
		"README.md", "CHANGELOG.md", "LICENSE", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md",
		"engine/api/openapi/openapi.json", "installer/container/compose.yaml", "installer/container/Containerfile",
	}
	pages = []string{"assets/docs", "assets/agents"}
)

// makeDocuments makes the files that come with the programs: licences, changes, manual
// pages and completions. The program itself, built for this machine, prints the last two.
func (r *release) makeDocuments() ([]file, error) {
	if r.docs != nil {
		return r.docs, nil
	}
	dir, err := r.makeFolder("docs")
	if err != nil {
		return nil, err
	}
	wiki, err := r.buildProgram("wiki", runtime.GOOS, runtime.GOARCH)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(r.writeCompletions(wiki, dir), r.writeManual(wiki, dir), r.writeLicences(dir)); err != nil {
		return nil, err
	}
	for _, name := range texts {
		r.docs = append(r.docs, file{name, filepath.Join(r.top, name), 0o644})
	}
	for _, folder := range pages {
		found, err := listFiles(filepath.Join(r.top, folder))
		if err != nil {
			return nil, err
		}
		for _, page := range found {
			r.docs = append(r.docs, file{folder + "/" + page.target, page.source, 0o644})
		}
	}
	made, err := listFiles(dir)
	r.docs = append(r.docs, made...)
	return r.docs, errors.Join(err, r.addressPages())
}

// addressPages has the pages link to the releases, if the release has their address.
func (r *release) addressPages() error {
	dir, err := r.makeFolder("pages")
	for i, d := range r.docs {
		if !strings.HasSuffix(d.target, ".md") {
			continue
		}
		page, problem := os.ReadFile(d.source)
		filled := r.leadToReleases(page)
		if err = errors.Join(err, problem); err == nil && !bytes.Equal(page, filled) {
			r.docs[i].source = filepath.Join(dir, strings.ReplaceAll(d.target, "/", "-"))
			err = os.WriteFile(r.docs[i].source, filled, 0o644)
		}
	}
	return err
}

// writeCompletions writes the script for each shell, under the name it looks for.
func (r *release) writeCompletions(wiki, dir string) error {
	if _, err := r.makeFolder("docs", "completions"); err != nil {
		return err
	}
	for shell, name := range map[string]string{"bash": "wiki.bash", "zsh": "_wiki", "fish": "wiki.fish", "powershell": "wiki.ps1"} {
		text, err := runTool(withoutSettings(exec.Command(wiki, "completion", shell)))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, "completions", name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// writeManual writes the compressed pages of all commands and of the configuration.
func (r *release) writeManual(wiki, dir string) error {
	commands, err := runTool(withoutSettings(exec.Command(wiki, "help", "--json")))
	if err != nil {
		return err
	}
	writer, err := r.buildTool("./man")
	if err != nil {
		return err
	}
	plain, err := r.makeFolder("man")
	if err != nil {
		return err
	}
	cmd := exec.Command(writer, "-dir", plain, "-version", r.version, "-time", fmt.Sprint(r.time.Unix()))
	cmd.Stdin = strings.NewReader(commands)
	if _, err := runTool(cmd); err != nil {
		return err
	}
	tray := filepath.Join(plain, "wiki-tray.1")
	if err := r.fillForm("linux/wiki-tray.1", tray, map[string]string{"Version": r.version, "Date": r.time.Format("Jan 2006")}); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(plain, "wiki-config.5"), []byte(reference.Manual(r.version, r.time)), 0o644); err != nil {
		return err
	}
	if _, err := r.makeFolder("docs", "man"); err != nil {
		return err
	}
	pages, err := listFiles(plain)
	for _, p := range pages {
		err = errors.Join(err, compressFile(p.source, filepath.Join(dir, "man", p.target+".gz")))
	}
	return err
}

// withoutSettings hides the settings of the person who builds from a program.
func withoutSettings(cmd *exec.Cmd) *exec.Cmd {
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "WIKI_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	return cmd
}

// compressFile writes a file again with gzip, without name and time.
func compressFile(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // fails only for a level that does not exist
	if _, err := w.Write(text); err != nil {
		return err
	}
	return errors.Join(w.Close(), os.WriteFile(to, out.Bytes(), 0o644))
}

// listFiles lists the files below a folder.
func listFiles(dir string) ([]file, error) {
	var files []file
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		files = append(files, file{path.Clean(filepath.ToSlash(rel)), name, 0o644})
		return err
	})
	return files, err
}

// layOut copies files into a folder, all of one time, for tools that pack what
// they find. A mask on new files must not get into a package.
func layOut(dir string, files []file, at time.Time) error {
	for _, f := range files {
		to := filepath.Join(dir, filepath.FromSlash(f.target))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		body, err := os.ReadFile(f.source)
		if err != nil {
			return err
		}
		if err := errors.Join(os.WriteFile(to, body, f.mode), os.Chmod(to, f.mode), os.Chtimes(to, at, at)); err != nil {
			return err
		}
	}
	return filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		return errors.Join(os.Chmod(name, 0o755), os.Chtimes(name, at, at))
	})
}
