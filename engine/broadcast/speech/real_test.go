//go:build realspeech

package speech

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

const passage = `The backups of the server run every night at two with restic, and Marek reads their log on Mondays. A disk that is
full stops them without a word, so the alarm rings at ninety percent. Once a month one folder is restored to another machine, because a
backup that nobody has restored is only a hope. Last spring the key was missing: since then a copy lies in the safe of the bank. `

// espeak-ng reads a dialogue: the length is kept, no voice is louder, nothing is silent, and ffmpeg makes a file of it
// that is as long.
func TestEspeak(t *testing.T) {
	s, err := Open(Settings{Engine: "auto"}, t.TempDir(), t.TempDir())
	if err != nil || s.Name() != "espeak-ng" {
		t.Fatalf("%v, %v", s, err)
	}
	for _, lang := range []string{"", "en", "de"} {
		script := Script{Lang: lang}
		words := 0
		for i := range 8 {
			script.Turns = append(script.Turns, Turn{i % 2, passage})
			words += len(strings.Fields(passage))
		}
		for _, seconds := range []float64{float64(words) * 60 / WordsPerMinute, 160, 260} {
			script.Seconds = seconds
			begun := time.Now()
			sound, err := s.Read(t.Context(), script, nil)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%q: %.1f s for %.1f s, loudness %.3f, made in %s", lang, sound.Seconds(), seconds, sound.measureLoudness(), time.Since(begun).Round(time.Millisecond))
			if off := sound.Seconds()/seconds - 1; math.Abs(off) > 0.15 {
				t.Errorf("%q: %.1f s are not %.1f s", lang, sound.Seconds(), seconds)
			}
			turn := sound.Seconds() / 8
			first, second := sound.part(1, turn-1), sound.part(turn+1, 2*turn-1)
			if apart := 20 * math.Log10(first.measureLoudness()/second.measureLoudness()); math.Abs(apart) > 3 || first.measureLoudness() < loud/2 {
				t.Errorf("%q: one voice is %.1f dB louder, the first has %.3f", lang, apart, first.measureLoudness())
			}
		}
	}
	sound, err := s.Read(t.Context(), Script{Turns: []Turn{{0, passage}, {1, passage}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	small, ok := compressSound(t.Context(), sound.WAV(), t.TempDir())
	if !ok || small.Ext != ".mp3" || len(small.Data)*3 > len(sound.WAV()) {
		t.Fatalf("ffmpeg makes %s of %d bytes", small.Ext, len(small.Data))
	}
	for ext, data := range map[string][]byte{".wav": sound.WAV(), small.Ext: small.Data} {
		file := filepath.Join(t.TempDir(), "x"+ext)
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", file).Output()
		seconds, _ := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
		if err != nil || math.Abs(seconds-sound.Seconds()) > 0.2 {
			t.Errorf("%s has %.2f s by ffprobe, %.2f s by us: %v", ext, seconds, sound.Seconds(), err)
		}
	}
}
