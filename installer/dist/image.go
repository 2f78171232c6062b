package main

import (
	"errors"
	"os/exec"
	"path/filepath"
)

// makeImages makes an image for containers for each processor: the engine, the hub and their licences on an empty
// system, run without privileges. Beside them it puts the files with which a person runs one.
func makeImages(r *release, out string) error {
	for _, arch := range r.arches {
		if err := r.makeImage(arch, out); err != nil {
			return err
		}
	}
	var files []file
	for _, name := range []string{"compose.yaml", "Containerfile"} {
		files = append(files, file{name, filepath.Join(r.top, "installer", "container", name), 0o644})
	}
	return layOut(out, files, r.time)
}

func (r *release) makeImage(arch, out string) error {
	tool, problem := r.buildTool("./pack")
	wiki, err := r.buildProgram("wiki", "linux", arch)
	hub, wrong := r.buildProgram("wiki-hub", "linux", arch)
	docs, other := r.makeDocuments()
	root, last := r.makeFolder("image", arch)
	if err := errors.Join(problem, err, wrong, other, last); err != nil {
		return err
	}
	files := []file{{"usr/bin/wiki", wiki, 0o755}, {"usr/bin/wiki-hub", hub, 0o755}}
	for _, d := range docs {
		if d.target == "LICENSE" || d.target == "THIRD-PARTY-LICENSES.txt" {
			files = append(files, file{"usr/share/doc/" + product + "/" + d.target, d.source, 0o644})
		}
	}
	if err := layOut(root, files, r.time); err != nil {
		return err
	}
	image := filepath.Join(out, product+"_"+r.version+"_image_"+arch+".tar")
	_, err = runTool(exec.Command(tool, "-format", "image", "-version", r.version, "-homepage", r.homepage, "-time", r.unixTime(), "-out", image, root))
	return err
}
