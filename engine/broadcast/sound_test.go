package broadcast

import (
	"context"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/broadcast/speech"
)

// openSound returns a controller with a voice that prints the file wav, or with none.
func openSound(t *testing.T, root string, settings speech.Settings) (*Controller, string) {
	c := openVault(t, root)
	state := t.TempDir()
	c.port.Sound = NewDesk(DeskOptions{Settings: settings, Folder: c.port.Folder, State: state, Engine: c.port.Engine, Log: slog.New(slog.DiscardHandler),
		IsPrivate: func(rel string) bool { return c.port.Private != nil && c.port.Private(rel) }})
	return c, state
}

// An audio overview is a text at once, and a sound that is made behind the answer.
func TestAudio(t *testing.T) {
	root := copyVault(t, sampleVault)
	c, state := openSound(t, root, speech.Settings{Engine: "server", URL: "http://127.0.0.1:9/v1"})
	answer := ask(t, c, root, "podcast of [[Dial in espresso]] length: 1min voices: anna lang: en")
	const note = "Agent/Presentations/dial-in-espresso-audio"
	if !strings.HasPrefix(answer, "![["+note+".wav]]\n\n**Audio overview: Dial in espresso**") || !strings.Contains(answer, "[["+note+"|dial-in-espresso-audio.md]]") {
		t.Errorf("the answer is\n%s", answer)
	}
	if !strings.Contains(answer, "Read aloud by the voice at http://127.0.0.1:9/v1/audio/speech; ") || strings.Contains(answer, "no effect") {
		t.Errorf("the answer says\n%s", answer)
	}
	text := readFile(t, root, note+".md")
	waiting := c.port.Sound.Waiting()
	if len(waiting) != 1 || waiting[0].Seconds != 60 || waiting[0].Voices[0] != "anna" || waiting[0].Lang != "en" || waiting[0].Note != note+".md" {
		t.Fatalf("what waits is %+v", waiting)
	}
	for _, turn := range waiting[0].Turns {
		if strings.ContainsAny(turn.Text, "[]*`") {
			t.Errorf("spoken is %q", turn.Text)
		}
		for sentence := range strings.SplitSeq(turn.Text, ". ") {
			if !strings.Contains(lettersOf(text), lettersOf(sentence)) {
				t.Errorf("%q cannot be read along", sentence)
			}
		}
	}
	if list, _ := os.ReadDir(filepath.Join(state, "jobs")); len(list) != 1 {
		t.Error("the job does not outlive the engine")
	}
}

// Where nothing speaks the text is made, and what to install is said.
func TestAudioWithoutVoice(t *testing.T) {
	root := copyVault(t, sampleVault)
	c, _ := openSound(t, root, speech.Settings{Engine: "none"})
	answer := ask(t, c, root, "audio overview of [[Dial in espresso]]")
	if !strings.HasPrefix(answer, "![[Agent/Presentations/dial-in-espresso-audio]]\n\n") || !strings.Contains(answer, "**It is not read aloud**: there is no voice on this machine: ") {
		t.Errorf("the answer is\n%s", answer)
	}
	if list := c.port.Sound.Waiting(); len(list) != 0 {
		t.Errorf("what waits is %+v", list)
	}
}

// Where nobody says in which language it is read, that of the text is guessed.
func TestLanguageIsGuessed(t *testing.T) {
	root := copyVault(t, sampleVault)
	text := "# Sicherung\n\nWir haben beschlossen, dass der Rechner im Laden jede Nacht auf die rote Platte gesichert wird. Am Sonntag wird er auch auf die blaue gesichert, und die ist bei Ines. Wenn etwas nicht geht, wird es von uns noch am gleichen Tag gemeldet.\n"
	if err := os.WriteFile(filepath.Join(root, "Sicherung.md"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, _ := openSound(t, root, speech.Settings{Engine: "server", URL: "http://127.0.0.1:9/v1"})
	for note, want := range map[string]string{"Sicherung": "de", "Dial in espresso": ""} {
		ask(t, c, root, "audio overview of [["+note+"]]")
		waiting := c.port.Sound.Waiting()
		i := slices.IndexFunc(waiting, func(j speech.Job) bool { return path.Base(j.Sources[1]) == note+".md" })
		if i < 0 || waiting[i].Guess != want || waiting[i].Lang != "" {
			t.Errorf("%s: %+v", note, waiting)
		}
	}
}

// What a private note says is spoken on this machine only.
func TestPrivateIsNotSpokenElsewhere(t *testing.T) {
	root := copyVault(t, sampleVault)
	c, _ := openSound(t, root, speech.Settings{Engine: "server", URL: "https://speech.example/v1"})
	c.port.Private = func(string) bool { return true }
	if answer := ask(t, c, root, "audio overview of [[Dial in espresso]]"); !strings.Contains(answer, speech.ErrPrivate.Error()) || len(c.port.Sound.Waiting()) != 0 {
		t.Errorf("the answer is\n%s", answer)
	}
}

// A note that becomes private while its sound waits is not spoken by a voice on another machine.
func TestPrivateMeanwhile(t *testing.T) {
	root := copyVault(t, sampleVault)
	c, _ := openSound(t, root, speech.Settings{Engine: "server", URL: "https://speech.invalid/v1"})
	ask(t, c, root, "audio overview of [[Dial in espresso]]")
	if n := len(c.port.Sound.Waiting()); n != 1 {
		t.Fatalf("%d wait", n)
	}
	c.port.Private = func(rel string) bool { return rel == "How-to/Dial in espresso.md" }
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); c.port.Sound.Run(ctx) }()
	problem := ""
	for problem == "" {
		<-time.After(time.Millisecond)
		for _, job := range append(c.port.Sound.GivenUp(), c.port.Sound.Waiting()...) {
			problem = job.Problem
		}
	}
	cancel()
	<-ended
	if problem != speech.ErrPrivate.Error() {
		t.Errorf("it was tried: %q", problem)
	}
}

// The names of those who speak in a dialogue are no voices where it gives way to sentences that are quoted.
func TestVoicesOfFailedDialogue(t *testing.T) {
	root := copyVault(t, sampleVault)
	c, _ := openSound(t, root, speech.Settings{Engine: "server", URL: "http://127.0.0.1:9/v1"})
	s := &scripted{change: func(int, string) (string, error) { return "no", nil }}
	reply, err := askWith(t, c, s, root, `audio of [[Dial in espresso]] voices: "Kim, Lou"`)
	if err != nil || !strings.Contains(reply.Text, "could not be used") {
		t.Fatalf("%v, the answer is\n%s", err, reply.Text)
	}
	if waiting := c.port.Sound.Waiting(); len(waiting) != 1 || len(waiting[0].Voices) != 0 || waiting[0].ID != "d1" {
		t.Errorf("what waits is %+v", waiting)
	}
}

// A dialogue that turned out short says so: how long it is, is counted as for an overview of one voice.
func TestShortDialogueTellsItsLength(t *testing.T) {
	root := copyVault(t, sampleVault)
	c := openVault(t, root)
	s := &scripted{change: func(int, string) (string, error) {
		return `{"segments":[{"title":"A","points":["b"],"sources":["S1"],"words":60}],"items":[{"who":"Ada","text":"The beans are ground finely here.","cite":["S1"]},{"who":"Ben","text":"How finely, and for how long?","cite":["S1"]}]}`, nil
	}}
	for _, kind := range []string{"audio", "dialogue"} {
		reply, err := askWith(t, c, s, root, "kind: "+kind+" of [[Dial in espresso]] length: 2min")
		if err != nil || !strings.Contains(reply.Text, "2 turns, about 5 seconds from 1 note") {
			t.Errorf("%s: %v\n%s", kind, err, reply.Text)
		}
	}
}

// Each look at the disk is made by the one who leaves it behind when the disk hangs; nothing is written where that is so.
func TestLooksOfTheDeskAreLeftBehind(t *testing.T) {
	root := copyVault(t, sampleVault)
	c, state := openSound(t, root, speech.Settings{Engine: "none"})
	ctx, stop := context.WithCancel(t.Context())
	var looked []string
	d := DeskOptions{Folder: c.port.Folder, State: state, Log: slog.New(slog.DiscardHandler), Look: func(_ context.Context, root string, _ func() error) error {
		looked = append(looked, root)
		stop()
		return speech.ErrSilent
	}}
	desk := NewDesk(d)
	if err := desk.Add(speech.Job{Root: root, Note: c.port.Folder + "/x.md", Script: speech.Script{Turns: []speech.Turn{{Text: "a"}}}}); err != nil {
		t.Fatal(err)
	}
	desk.Run(ctx)
	if len(looked) == 0 || looked[0] != root || len(desk.Waiting()) != 1 {
		t.Errorf("looked at %v, %+v wait", looked, desk.Waiting())
	}
}
