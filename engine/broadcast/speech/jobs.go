package speech

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vaultdispatcher/engine/files"
)

// This file keeps what is to be read aloud, and says how far it is.

// Job is a sound to be made for a note.
type Job struct {
	Root string // of the vault
	Note string // its path there
	ID   string // of the dispatch that asked for it; "" = none
	Script
	Sources []string // notes that the text was taken from, its own among them
	Tries   int      // that have failed
	Problem string   // of the last one
}

// isGivenUp reports whether a job is no longer tried.
func (j Job) isGivenUp() bool { return j.Tries >= mostTries }

// describeProgress says in a few words how far a job is.
func (j Job) describeProgress(spoken float64) string {
	switch {
	case spoken > 0:
		return fmt.Sprintf("reading aloud: %.0f seconds of sound", spoken)
	case j.isGivenUp():
		return "not read aloud: " + j.Problem
	case j.Problem != "":
		return "read aloud later: " + j.Problem
	}
	return "waits to be read aloud"
}

func (j Job) jobKey() string {
	sum := sha256.Sum256([]byte(j.Root + "\x00" + j.Note))
	return hex.EncodeToString(sum[:12])
}

// listJobs returns the jobs in the folder, the oldest first, without unreadable ones.
func (d *Desk) listJobs() (list []Job) {
	entries, _ := os.ReadDir(filepath.Join(d.opts.Folder, "jobs"))
	type aged struct {
		Job
		time time.Time
	}
	var all []aged
	for _, e := range entries {
		key, ok := strings.CutSuffix(e.Name(), ".json")
		info, err := e.Info()
		if !ok || err != nil {
			continue
		}
		var job Job
		data, err := os.ReadFile(d.jobFile(key))
		if err == nil && json.Unmarshal(data, &job) == nil && job.jobKey() == key {
			all = append(all, aged{job, info.ModTime()})
		}
	}
	slices.SortStableFunc(all, func(a, b aged) int { return a.time.Compare(b.time) })
	for _, a := range all {
		list = append(list, a.Job)
	}
	return list
}

// keepJob keeps a job that was tried so often.
func (d *Desk) keepJob(job Job, tries int) {
	job.Tries = tries
	if err := d.writeJob(job); err != nil {
		d.opts.Log.Warn("how often a sound was tried is not kept", "error", err)
	}
}

func (d *Desk) writeJob(job Job) error {
	data, err := json.Marshal(job)
	if err != nil {
		return err
	}
	return files.Write(d.jobFile(job.jobKey()), data, 0o600)
}

// Of returns the progress of the sound that a dispatch asked for; "" means that it has no sound to make.
func (d *Desk) Of(id string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.progress[id]
}

// GivenUp lists the jobs that are no longer tried.
func (d *Desk) GivenUp() []Job {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.givenUp)
}

// tellAll takes notice of how far every job is, and says so. Its caller holds the lock.
func (d *Desk) tellAll() {
	d.countJobs()
	d.sayChanged()
}

// tellSpoken takes notice of how far the job at work is. No other is looked at.
func (d *Desk) tellSpoken(job Job, seconds float64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.seconds = seconds
	if _, known := d.progress[job.ID]; known { // another job may have replaced it
		d.progress[job.ID] = job.describeProgress(seconds)
	}
	d.sayChanged()
}

func (d *Desk) sayChanged() {
	if d.opts.Changed != nil {
		d.opts.Changed()
	}
}

func (d *Desk) countJobs() {
	d.progress, d.givenUp = make(map[string]string), nil
	for _, job := range d.listJobs() {
		spoken := 0.0
		if job.jobKey() == d.current {
			spoken = d.seconds
		}
		if job.isGivenUp() {
			d.givenUp = append(d.givenUp, job)
		}
		if job.ID != "" {
			d.progress[job.ID] = job.describeProgress(spoken)
		}
	}
}
