package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// makeArchives makes one archive for each platform, for users who want no installer.
func makeArchives(r *release, out string) error {
	for _, goos := range r.systems {
		for _, arch := range r.arches {
			if err := r.makeArchive(out, goos, arch); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *release) makeArchive(out, goos, arch string) error {
	name := strings.Join([]string{product, r.version, goos, arch}, "_")
	files, docs, err := r.gatherContents(goos, arch, name+"/")
	if err != nil {
		return err
	}
	for _, d := range docs {
		if goos != "windows" || !strings.HasPrefix(d.target, "man/") {
			files = append(files, file{name + "/" + d.target, d.source, d.mode})
		}
	}
	if goos == "windows" {
		return r.packFiles(filepath.Join(out, name+".zip"), writeZip, files)
	}
	return r.packFiles(filepath.Join(out, name+".tar.gz"), writeTar, files)
}

// packFiles writes an archive in the order of its names.
func (r *release) packFiles(out string, write func(io.Writer, []file, time.Time) error, files []file) (err error) {
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.target, b.target) })
	w, err := os.Create(out)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	if err := write(w, files, r.time); err != nil {
		return fmt.Errorf("pack %s: %w", filepath.Base(out), err)
	}
	return nil
}

// writeTar writes a compressed tar. The owners and times of the
// source files stay out of it, so the same source always gives the same bytes.
func writeTar(w io.Writer, files []file, at time.Time) error {
	gz, _ := gzip.NewWriterLevel(w, gzip.BestCompression) // fails only for a level that does not exist
	out := tar.NewWriter(gz)
	for _, f := range files {
		body, err := os.ReadFile(f.source)
		if err != nil {
			return err
		}
		head := &tar.Header{Name: f.target, Mode: int64(f.mode.Perm()), Size: int64(len(body)), ModTime: at, Format: tar.FormatPAX}
		if err := out.WriteHeader(head); err != nil {
			return err
		}
		if _, err := out.Write(body); err != nil {
			return err
		}
	}
	return errors.Join(out.Close(), gz.Close())
}

// writeZip writes a zip in the same way.
func writeZip(w io.Writer, files []file, at time.Time) error {
	out := zip.NewWriter(w)
	for _, f := range files {
		body, err := os.ReadFile(f.source)
		if err != nil {
			return err
		}
		head := &zip.FileHeader{Name: f.target, Method: zip.Deflate, Modified: at}
		head.SetMode(f.mode)
		entry, err := out.CreateHeader(head)
		if err != nil {
			return err
		}
		if _, err := entry.Write(body); err != nil {
			return err
		}
	}
	return out.Close()
}
