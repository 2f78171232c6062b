// Package speech reads texts aloud into sound files: by espeak-ng, by what macOS and Windows have, by a command, or by a
// server that speaks as OpenAI's does (POST /v1/audio/speech).
//
//	speaker, err := speech.Open(settings, cacheFolder, vault)
//	sound, err := speaker.Read(ctx, speech.Script{Turns: turns, Seconds: 120})
//	os.WriteFile("x.wav", sound.WAV(), 0o644)
//
// # Promises
//
// Each turn is spoken once for the same voice, language, speed and text and kept in the cache, so that an interrupted
// reading continues from its last turn. The voices are equally loud. A length that is asked for is kept by speaking
// faster or slower, within what can still be followed. Silence is no sound: it is an error. A text reaches a program
// on its standard input, never as an argument and never by a shell; nothing in it is a command to the voice. A server
// is asked at its own address only, and gets no text that must not leave this machine.
package speech

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"vaultdispatcher/engine/files"
	"vaultdispatcher/engine/lazyregexp"
)

// Turn is what one voice says at a time.
type Turn struct {
	Voice int // the number of the voice, from 0
	Text  string
}

// Script is something to be read aloud.
type Script struct {
	Turns   []Turn
	Lang    string   // such as "en"; "" = the voice's own
	Guess   string   // the likely language, if none is set; for a voice that has it
	Voices  []string // names that the speaker knows, by [Turn.Voice]; "" and those that are missing = usual ones
	Seconds float64  // how long it is to be; 0 = as long as it takes
	Private bool     // it must not leave this machine
}

// WordsPerMinute is how fast a text is read where nothing is said.
const WordsPerMinute = 150

// How fast a text can be read and still be followed.
const (
	slowest = 110
	fastest = 220
)

// voice is what speaks.
type voice interface {
	// speakText returns a WAV file. A name that is empty is that of the usual voice.
	speakText(ctx context.Context, text, name, lang string, speed int) ([]byte, error)
	usualName(number int, lang string) string // the name of a voice
	leavesMachine() bool                      // the text leaves this machine
	knowsLanguage(lang string) bool           // it is known to have that language
	voiceName() string
}

// Speaker reads scripts aloud. It is safe for concurrent use.
type Speaker struct {
	voice  voice
	voices []string
	cache  string
}

// Name is what speaks, for a person.
func (s *Speaker) Name() string { return s.voice.voiceName() }

// ErrPrivate means that a text is not spoken because it must not leave this machine.
var ErrPrivate = errors.New("private notes are read aloud on this machine only, and the voice is on another one")

// tolerance is how far a length may be off before the speed is changed.
const tolerance = 0.05

// Read reads a script aloud. It calls told with the seconds spoken so far, and an error of told ends the reading.
// told may be nil.
func (s *Speaker) Read(ctx context.Context, script Script, told func(seconds float64) error) (Sound, error) {
	if script.Private && s.voice.leavesMachine() {
		return Sound{}, ErrPrivate
	}
	if script.Lang == "" && s.voice.knowsLanguage(script.Guess) {
		script.Lang = script.Guess
	}
	speed := WordsPerMinute
	for try := 1; ; try++ {
		sound, err := s.readAt(ctx, script, speed, told)
		if err != nil {
			return Sound{}, err
		}
		next := int(math.Round(float64(speed) * sound.Seconds() / script.Seconds))
		next = min(max(next, slowest), fastest)
		if script.Seconds <= 0 || try == 3 || next == speed || math.Abs(sound.Seconds()/script.Seconds-1) <= tolerance {
			return sound, nil
		}
		speed = next
	}
}

// readAt reads a script aloud at a speed.
func (s *Speaker) readAt(ctx context.Context, script Script, speed int, told func(float64) error) (Sound, error) {
	var parts []Sound
	seconds := 0.0
	for _, turn := range script.Turns {
		text := keepSpeakable(turn.Text)
		if text == "" {
			continue
		}
		part, err := s.readTurn(ctx, text, s.nameOf(turn.Voice, script), script.Lang, speed)
		if err != nil {
			return Sound{}, err
		}
		part.voice, part.text = turn.Voice, text
		parts = append(parts, part)
		seconds += part.Seconds()
		if told == nil {
			continue
		}
		if err := told(seconds); err != nil {
			return Sound{}, err
		}
	}
	if len(parts) == 0 {
		return Sound{}, errors.New("there is nothing to read aloud")
	}
	return joinSounds(parts), nil
}

// nameOf is the name of a voice: of the script, of the settings, or a usual one.
func (s *Speaker) nameOf(number int, script Script) string {
	for _, list := range [][]string{script.Voices, s.voices} {
		if number < len(list) && list[number] != "" {
			return list[number]
		}
	}
	return s.voice.usualName(number, script.Lang)
}

// readTurn speaks one turn, or finds it in the cache.
func (s *Speaker) readTurn(ctx context.Context, text, name, lang string, speed int) (Sound, error) {
	if !isVoiceName(name) || !isVoiceName(lang) {
		return Sound{}, fmt.Errorf("%.40q is no name of a voice or of a language", name+" "+lang)
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %d %q", s.voice.voiceName(), name, lang, speed, text))
	file := filepath.Join(s.cache, hex.EncodeToString(sum[:16])+".wav")
	if data, err := os.ReadFile(file); err == nil {
		if sound, err := parseWAV(data); err == nil {
			return sound, nil
		}
	}
	data, err := s.voice.speakText(ctx, text, name, lang, speed)
	if ctx.Err() != nil {
		return Sound{}, ctx.Err()
	}
	if err != nil {
		return Sound{}, err
	}
	sound, err := parseWAV(data)
	if err != nil {
		return Sound{}, fmt.Errorf("what %s has spoken: %w", s.voice.voiceName(), err)
	}
	if sound.measureLoudness() < silent {
		return Sound{}, fmt.Errorf("%s has spoken only silence", s.voice.voiceName())
	}
	if err := os.MkdirAll(s.cache, 0o700); err != nil {
		return Sound{}, err
	}
	return sound, files.Write(file, sound.WAV(), 0o600)
}

// nameForm matches names of voices and languages, which no program takes for an option. It does not bound their
// length: in this expression, {1,80} takes 19 ms to compile, in every start of the program.
var nameForm = lazyregexp.New(`^(?:[\p{L}\p{N}][\p{L}\p{N} ()+_./-]*)?$`)

func isVoiceName(name string) bool {
	return utf8.RuneCountInString(name) <= 80 && nameForm().MatchString(name)
}

// mostSpoken bounds one turn.
const mostSpoken = 4000

// keepSpeakable is a text as it is given to a voice: one line without what espeak-ng and macOS take for commands.
func keepSpeakable(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '[' || r == ']' || r == '<' || r == '>' || r == '|' || r == '{' || r == '}':
			return ' '
		case r < ' ' || r == 0x7f:
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, " "))
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > mostSpoken {
		text = strings.ToValidUTF8(text[:mostSpoken], "")
	}
	return text
}
