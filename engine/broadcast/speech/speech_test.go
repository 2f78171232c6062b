package speech

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"vaultdispatcher/engine/files"
)

// The test program is a voice itself: speak VOICE SPEED LOG.
func TestMain(m *testing.M) {
	if len(os.Args) > 4 && os.Args[1] == "speak" {
		actVoice(os.Args[2], os.Args[3], os.Args[4])
		syscall.Exit(0) // after any other end the race detector waits a second
	}
	os.Exit(m.Run())
}

// actVoice speaks a tone, half a second for each word at 120 words a minute. The voice "low" is quiet, "mute" says nothing, and
// "dead" fails.
func actVoice(voice, speed, log string) {
	var text [1 << 16]byte
	n, _ := os.Stdin.Read(text[:])
	f, _ := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	fmt.Fprintln(f, voice, speed, string(text[:n]))
	f.Close()
	if voice == "dead" {
		fmt.Fprintln(os.Stderr, strings.Join(append([]string{"no such voice"}, os.Args[5:]...), " "))
		os.Exit(3)
	}
	perMinute, _ := strconv.Atoi(speed)
	os.Stdout.Write(tone(float64(len(strings.Fields(string(text[:n]))))*60/float64(perMinute), map[string]float64{"low": 0.01, "mute": 0}[voice], voice).WAV())
}

func tone(seconds, amplitude float64, voice string) Sound {
	if amplitude == 0 && voice != "mute" {
		amplitude = 0.4
	}
	s := Sound{rate: 16000, samples: make([]int16, int(seconds*16000))}
	for i := range s.samples {
		s.samples[i] = int16(32767 * amplitude * math.Sin(float64(i)/8))
	}
	return s
}

type world struct {
	Settings
	cache, log string
}

func newWorld(t *testing.T) world {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	return world{Settings{Engine: "command", Command: []string{self, "speak", "{voice}", "{speed}", log}}, filepath.Join(dir, "turns"), log}
}

func (w world) open(t *testing.T) *Speaker {
	t.Helper()
	s, err := Open(w.Settings, w.cache, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// spoken are the lines that the voice was given.
func (w world) spoken() []string {
	text, _ := os.ReadFile(w.log)
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

func words(n int) string { return strings.TrimSpace(strings.Repeat("word ", n)) + "." }

// The voices are equally loud, the length is kept, and what was spoken once is not spoken again.
func TestRead(t *testing.T) {
	w := newWorld(t)
	script := Script{Turns: []Turn{{0, words(60)}, {1, words(40)}, {0, words(50)}}, Voices: []string{"high", "low"}, Seconds: 75}
	var told []float64
	sound, err := w.open(t).Read(t.Context(), script, func(s float64) error { told = append(told, s); return nil })
	if err != nil {
		t.Fatal(err)
	}
	if off := sound.Seconds()/script.Seconds - 1; math.Abs(off) > 0.15 {
		t.Errorf("%.1f s are not %.1f s", sound.Seconds(), script.Seconds)
	}
	if len(told) < 3 || told[len(told)-1] < 60 {
		t.Errorf("told were %v", told)
	}
	again, err := parseWAV(sound.WAV())
	if err != nil || again.Seconds() != sound.Seconds() {
		t.Fatalf("the file has %.2f s, %v", again.Seconds(), err)
	}
	first, second := again.part(2, 10), again.part(28, 40)
	if ratio := 20 * math.Log10(first.measureLoudness()/second.measureLoudness()); math.Abs(ratio) > 3 {
		t.Errorf("one voice is %.1f dB louder", ratio)
	}
	before := len(w.spoken())
	script.Voices[1] = "other"
	if _, err := w.open(t).Read(t.Context(), script, nil); err != nil {
		t.Fatal(err)
	}
	for _, line := range w.spoken()[before:] {
		if strings.HasPrefix(line, "high") {
			t.Errorf("spoken again: %.30s", line)
		}
	}
}

func (s Sound) part(from, to float64) Sound {
	return Sound{rate: s.rate, samples: s.samples[int(from*float64(s.rate)):int(to*float64(s.rate))]}
}

// A length that nobody could follow is not kept at any price.
func TestSpeedIsBounded(t *testing.T) {
	w := newWorld(t)
	sound, err := w.open(t).Read(t.Context(), Script{Turns: []Turn{{0, words(100)}}, Seconds: 5}, nil)
	if err != nil || sound.Seconds() < 100*60/fastest-1 {
		t.Errorf("%.1f s, %v", sound.Seconds(), err)
	}
}

func TestWhatIsNotSpoken(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct{ voice, text, want string }{
		{"mute", "a b c", "only silence"},
		{"dead", "a b c", "ended with 3: no such voice"},
		{"-w/etc/passwd", "a b c", "no name of a voice"},
		{"x\ny", "a b c", "no name of a voice"},
		{"", "[[ ]] <>", "nothing to read"},
	} {
		_, err := w.open(t).Read(t.Context(), Script{Turns: []Turn{{0, c.text}}, Voices: []string{c.voice}}, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q by %q: %v", c.text, c.voice, err)
		}
	}
	keyed := w
	keyed.Command = append(slices.Clone(w.Command), "--api-key", "k3y-0f-mine") // which it shows
	if _, err := keyed.open(t).Read(t.Context(), Script{Turns: []Turn{{0, "a b c"}}, Voices: []string{"dead"}}, nil); err == nil || !strings.HasSuffix(err.Error(), "no such voice --api-key (the key)") {
		t.Errorf("a voice with a key: %v", err)
	}
	if _, err := w.open(t).Read(t.Context(), Script{Turns: []Turn{{0, "one [[slnc 9000]] <break/> two\n-f /etc/passwd {voice}"}}}, nil); err != nil {
		t.Fatal(err)
	}
	if got := w.spoken()[len(w.spoken())-1]; !strings.HasSuffix(got, "one slnc 9000 break/ two -f /etc/passwd voice") {
		t.Errorf("spoken was %q", got)
	}
}

// The captions say when each turn is heard, pauses apart, and nothing of a text is markup.
func TestCaptions(t *testing.T) {
	one, two := tone(1.5, 0.1, ""), tone(0.5, 0.1, "")
	one.text, two.text = "One & <b> --> two.", "Three."
	want := "WEBVTT\n\n00:00:00.000 --> 00:00:01.500\nOne &amp; &lt;b&gt; --&gt; two.\n\n00:00:01.849 --> 00:00:02.349\nThree.\n"
	if got := string(joinSounds([]Sound{one, two}).Captions()); got != want {
		t.Errorf("they are\n%s, want\n%s", got, want)
	}
}

func TestParse(t *testing.T) {
	good := tone(0.1, 0.4, "").WAV()
	for name, data := range map[string][]byte{"nothing": nil, "text": []byte("RIFF of a guitar, WAVE of the sea"), "half": good[:20], "no format": append(append([]byte{}, good[:12]...), good[36:]...)} {
		if _, err := parseWAV(data); err == nil {
			t.Errorf("%s is a sound", name)
		}
	}
	streamed := append([]byte{}, good...)
	copy(streamed[40:], []byte{0xff, 0xff, 0xff, 0xff})
	if s, err := parseWAV(streamed); err != nil || len(s.samples) != 1600 {
		t.Errorf("a streamed one has %d samples, %v", len(s.samples), err)
	}
	if s := (Sound{rate: 8000, samples: []int16{0, 100}}).resampleTo(16000); len(s.samples) != 4 || s.samples[1] != 50 {
		t.Errorf("in between are %v", s.samples)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(tone(0.01, 0.4, "").WAV())
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := parseWAV(data)
		if err == nil && (s.rate == 0 || len(s.samples) > len(data)) {
			t.Errorf("%d samples of %d bytes", len(s.samples), len(data))
		}
	})
}

func TestServer(t *testing.T) {
	var asked struct {
		Model, Input, Voice string
		Format              string  `json:"response_format"`
		Speed               float64 `json:"speed"`
	}
	srv := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/audio/speech" || r.Header.Get("Authorization") != "Bearer k" || json.NewDecoder(r.Body).Decode(&asked) != nil {
			rw.WriteHeader(http.StatusBadRequest)
			return
		}
		rw.Write(tone(1, 0.4, "").WAV())
	}))
	defer srv.Close()
	w := newWorld(t)
	w.Settings = Settings{Engine: "server", URL: srv.URL + "/v1/", Model: "kokoro", Key: "k"}
	if _, err := w.open(t).Read(t.Context(), Script{Turns: []Turn{{1, "Good morning."}}, Private: true}, nil); err != nil {
		t.Fatal(err)
	}
	if asked.Model != "kokoro" || asked.Input != "Good morning." || asked.Voice != "nova" || asked.Format != "wav" || asked.Speed != 1 {
		t.Errorf("asked was %+v", asked)
	}
	w.Settings.URL = "https://speech.example/v1"
	if _, err := w.open(t).Read(t.Context(), Script{Turns: []Turn{{0, "x y"}}, Private: true}, nil); !errors.Is(err, ErrPrivate) {
		t.Errorf("a private text goes to another machine: %v", err)
	}
	for _, bad := range []string{"", "ftp://x", "http://u:p@x/v1", "http://x/?k=1", "http://x/#k"} {
		if _, err := Open(Settings{Engine: "server", URL: bad}, "", ""); err == nil {
			t.Errorf("%q is an address", bad)
		}
	}
}

// A server that repeats the key brings it into no message, and a key that no server would take is not sent.
func TestKeyIsInNoMessage(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		rw.WriteHeader(http.StatusUnauthorized)
		_, _ = rw.Write([]byte(`{"error":{"message":"bad key sp\u0065ech-key-0123456789"}}`))
	}))
	defer srv.Close()
	w := newWorld(t)
	w.Settings = Settings{Engine: "server", URL: srv.URL, Key: "speech-key-0123456789"}
	_, err := w.open(t).Read(t.Context(), Script{Turns: []Turn{{0, "x y"}}}, nil)
	if err == nil || !strings.HasSuffix(err.Error(), "401 bad key (the key)") {
		t.Errorf("%v", err)
	}
	_, err = Open(Settings{Engine: "server", URL: srv.URL, Key: "Bearer speech-key", KeyFrom: "SPEECH_KEY"}, "", "")
	if err == nil || !strings.Contains(err.Error(), "the variable SPEECH_KEY does not hold a key alone") || strings.Contains(err.Error(), "speech-key") {
		t.Errorf("%v", err)
	}
}

func TestMissing(t *testing.T) {
	for _, s := range []Settings{{Engine: "none"}, {Engine: "command"}} {
		_, err := Open(s, "", "")
		if _, ok := errors.AsType[*Missing](err); !ok {
			t.Errorf("%s: %v", s.Engine, err)
		}
	}
	for system, want := range map[string]string{"linux": "apt install espeak-ng", "darwin": "brew install", "windows": "winget install"} {
		if got := howToInstall(system); !strings.Contains(got, want) {
			t.Errorf("%s: %s", system, got)
		}
	}
}

// desk returns a desk whose sounds end in a list.
func (w world) desk(t *testing.T, placed *[]string) *Desk {
	return NewDesk(Options{Settings: w.Settings, Folder: filepath.Dir(w.cache), Log: slog.New(slog.DiscardHandler), Place: func(_ context.Context, job Job, list []File) error {
		if strings.HasPrefix(job.Note, "gone") {
			return ErrGone
		}
		for _, f := range list {
			if f.Ext == ".wav" {
				*placed = append(*placed, job.Note+f.Ext)
			}
		}
		return nil
	}})
}

// Jobs outlive their desk; a second one for a note takes the place of the first, and one that fails is tried some
// times and given up.
func TestDesk(t *testing.T) {
	w := newWorld(t)
	var placed []string
	d := w.desk(t, &placed)
	for _, job := range []Job{
		{Root: "/v", Note: "a.md", Script: Script{Turns: []Turn{{0, "old"}}}},
		{Root: "/v", Note: "a.md", ID: "1", Script: Script{Turns: []Turn{{0, "new"}}}},
		{Root: "/v", Note: "gone.md", Script: Script{Turns: []Turn{{0, "gone"}}}},
		{Root: "/v", Note: "dead.md", ID: "3", Script: Script{Turns: []Turn{{0, "dead"}}, Voices: []string{"dead"}}},
	} {
		if err := d.Add(job); err != nil {
			t.Fatal(err)
		}
	}
	if got := d.Waiting(); len(got) != 3 || d.Of("1") != "waits to be read aloud" {
		t.Fatalf("%d wait, told is %q", len(got), d.Of("1"))
	}
	if err := files.Write(d.jobFile("0123456789abcdef01234567"), []byte(`{"Root":"/v"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	d = w.desk(t, &placed)
	for range mostTries {
		for _, job := range d.listJobs() {
			d.handleJob(t.Context(), job)
		}
	}
	if got := d.Waiting(); len(got) != 0 {
		t.Errorf("%+v wait", got)
	}
	if up := d.GivenUp(); len(up) != 1 || up[0].Note != "dead.md" || !strings.HasSuffix(up[0].Problem, "ended with 3: no such voice") || !strings.HasPrefix(d.Of("3"), "not read aloud: ") {
		t.Errorf("given up is %+v, told is %q", up, d.Of("3"))
	}
	if d.Of("1") != "" || w.desk(t, &placed).Of("3") != d.Of("3") {
		t.Errorf("told are %q and %q", d.Of("1"), w.desk(t, &placed).Of("3"))
	}
	if len(placed) != 1 || placed[0] != "a.md.wav" {
		t.Errorf("placed are %v", placed)
	}
	dead := 0
	for _, line := range w.spoken() {
		if strings.Contains(line, "gone") || strings.Contains(line, "old") {
			t.Errorf("spoken was %q", line)
		}
		if strings.HasPrefix(line, "dead") {
			dead++
		}
	}
	if dead != mostTries {
		t.Errorf("the dead voice was asked %d times", dead)
	}
}

// A desk that begins tries once more what was given up, and a deleted note ends that.
func TestGivenUpIsTriedByTheNextDesk(t *testing.T) {
	w := newWorld(t)
	var placed []string
	d := w.desk(t, &placed)
	for _, note := range []string{"a.md", "b.md"} {
		if err := d.Add(Job{Root: "/v", Note: note, ID: note, Script: Script{Turns: []Turn{{0, note}}}, Tries: mostTries, Problem: "no voice"}); err != nil {
			t.Fatal(err)
		}
	}
	if len(d.GivenUp()) != 2 || d.Of("a.md") != "not read aloud: no voice" {
		t.Fatalf("given up are %+v", d.GivenUp())
	}
	d = w.desk(t, &placed)
	place := d.opts.Place
	d.opts.Place = func(ctx context.Context, job Job, list []File) error {
		if job.Note == "b.md" {
			return ErrGone
		}
		return place(ctx, job, list)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	d.opts.Changed = func() { // with the lock held
		if len(d.progress) == 0 {
			stop()
		}
	}
	d.Run(ctx)
	if len(placed) != 1 || len(d.GivenUp()) != 0 || d.Of("a.md") != "" || len(d.Waiting()) != 0 {
		t.Errorf("placed are %v, given up %+v, told is %q", placed, d.GivenUp(), d.Of("a.md"))
	}
}

// A disk that does not respond delays the sounds of its vault alone, is no failure of theirs, and they are made when it is back.
func TestSilentDiskDelaysNoOtherVault(t *testing.T) {
	w := newWorld(t)
	var placed []string
	d := w.desk(t, &placed)
	var isBack atomic.Bool
	place := d.opts.Place
	d.opts.Place = func(ctx context.Context, job Job, list []File) error {
		if !isBack.Load() && job.Root == "/hung" {
			return fmt.Errorf("%w: since 14:05", ErrSilent)
		}
		return place(ctx, job, list)
	}
	for _, root := range []string{"/hung", "/v"} {
		if err := d.Add(Job{Root: root, Note: root + ".md", ID: root, Script: Script{Turns: []Turn{{0, root}}}}); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 * mostTries {
		for _, job := range d.listJobs() {
			d.handleJob(t.Context(), job)
		}
	}
	if got := d.Waiting(); !slices.Equal(placed, []string{"/v.md.wav"}) || len(got) != 1 || got[0].Tries != 0 || len(d.GivenUp()) != 0 {
		t.Errorf("placed are %v, %+v wait, given up are %+v", placed, got, d.GivenUp())
	}
	isBack.Store(true)
	for _, job := range d.listJobs() {
		d.handleJob(t.Context(), job)
	}
	if len(placed) != 2 || len(d.Waiting()) != 0 {
		t.Errorf("after it is back placed are %v, %+v wait", placed, d.Waiting())
	}
}

// What is cut short leaves its job and no file; the turns that were spoken are not spoken again.
func TestDeskIsCutShort(t *testing.T) {
	w := newWorld(t)
	var placed []string
	d := w.desk(t, &placed)
	job := Job{Root: "/v", Note: "a.md", Script: Script{Turns: []Turn{{0, "one"}, {0, "two"}}}}
	if err := d.Add(job); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	d.opts.Place = func(context.Context, Job, []File) error { stop(); return nil } // before the first turn
	d.handleJob(ctx, job)
	if len(d.Waiting()) != 1 {
		t.Fatal("the job is lost")
	}
	d = w.desk(t, &placed)
	s := w.open(t)
	if _, err := s.Read(t.Context(), Script{Turns: job.Turns[:1]}, nil); err != nil {
		t.Fatal(err)
	}
	d.handleJob(t.Context(), job)
	if got := w.spoken(); len(got) != 2 || len(placed) != 1 || len(d.Waiting()) != 0 {
		t.Errorf("spoken are %q, placed %v", got, placed)
	}
}

// A language that is guessed is spoken by a voice that is known to have it.
func TestGuess(t *testing.T) {
	p := program{}
	if v := p.asEspeak(); !v.knowsLanguage("de") || v.knowsLanguage("") || v.usualName(0, "de") != "de" {
		t.Error("espeak-ng speaks no German")
	}
	if p.asSay().knowsLanguage("de") || p.asSAPI().knowsLanguage("de") || (&server{}).knowsLanguage("de") {
		t.Error("voices that have names are taken for those of any language")
	}
}

// A voice that hangs is left as soon as the note is deleted, and nothing of it is placed.
func TestDeletedWhileSpoken(t *testing.T) {
	t.Parallel()
	asked, left, gone := make(chan struct{}), make(chan struct{}), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		io.Copy(io.Discard, req.Body)
		close(asked)
		<-req.Context().Done()
		close(left)
	}))
	defer server.Close()
	d := NewDesk(Options{Settings: Settings{Engine: "server", URL: server.URL, Model: "m"}, Folder: t.TempDir(), Log: slog.New(slog.DiscardHandler), Place: func(_ context.Context, _ Job, list []File) error {
		if len(list) > 0 {
			t.Error("something was placed")
		}
		select {
		case <-gone:
			return ErrGone
		default:
			return nil
		}
	}})
	job := Job{Root: "/v", Note: "a.md", ID: "1", Script: Script{Turns: []Turn{{0, "one"}}}}
	if err := d.Add(job); err != nil {
		t.Fatal(err)
	}
	go func() { <-asked; close(gone) }()
	if over := d.handleJob(t.Context(), job); !over || len(d.Waiting()) != 0 || d.Of("1") != "" {
		t.Errorf("over %t, %d wait, told is %q", over, len(d.Waiting()), d.Of("1"))
	}
	<-left
}
