package speech

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"html"
	"math"
)

// Sound is speech: one channel of 16 bit.
type Sound struct {
	rate    int
	samples []int16
	voice   int
	text    string // of a turn
	cues    []cue  // of turns that were joined
}

// cue is what is said from one sample to another.
type cue struct {
	start, end int
	text       string
}

const (
	usualRate    = 22050
	loud         = 0.10  // root of the mean square of what is not silence, of all voices
	silent       = 0.002 // the same, of inaudible sound
	peak         = 0.97
	pauseSamples = usualRate * 35 / 100 // between two turns
)

// Seconds is how long it is.
func (s Sound) Seconds() float64 { return float64(len(s.samples)) / float64(max(s.rate, 1)) }

// WAV is the sound as a file.
func (s Sound) WAV() []byte {
	var b bytes.Buffer
	size := uint32(2 * len(s.samples))
	b.WriteString("RIFF")
	binary.Write(&b, binary.LittleEndian, 36+size)
	b.WriteString("WAVEfmt ")
	binary.Write(&b, binary.LittleEndian, []uint16{16, 0, 1, 1})
	binary.Write(&b, binary.LittleEndian, []uint32{uint32(s.rate), uint32(2 * s.rate)})
	binary.Write(&b, binary.LittleEndian, []uint16{2, 16})
	b.WriteString("data")
	binary.Write(&b, binary.LittleEndian, size)
	binary.Write(&b, binary.LittleEndian, s.samples)
	return b.Bytes()
}

// Captions is what is said when, as a file of captions (https://www.w3.org/TR/webvtt1/).
func (s Sound) Captions() []byte {
	at := func(sample int) string {
		ms := int64(sample) * 1000 / int64(s.rate)
		return fmt.Sprintf("%02d:%02d:%02d.%03d", ms/3600_000, ms/60_000%60, ms/1000%60, ms%1000)
	}
	b := bytes.NewBufferString("WEBVTT\n")
	for _, c := range s.cues {
		fmt.Fprintf(b, "\n%s --> %s\n%s\n", at(c.start), at(c.end), html.EscapeString(c.text))
	}
	return b.Bytes()
}

var errNoSound = errors.New("it is no WAV file of 16 bit")

// parseWAV reads a WAV file. One that was streamed says of its size what it did not know; its end is then that of the file.
func parseWAV(data []byte) (Sound, error) {
	if len(data) < 12 || string(data[:4]) != "RIFF" || string(data[8:12]) != "WAVE" {
		return Sound{}, errNoSound
	}
	var s Sound
	channels := 0
	for rest := data[12:]; len(rest) >= 8; {
		name, size := string(rest[:4]), int64(binary.LittleEndian.Uint32(rest[4:]))
		rest = rest[8:]
		size = min(size, int64(len(rest)))
		body := rest[:size]
		rest = rest[min(size+size%2, int64(len(rest))):]
		switch name {
		case "fmt ":
			if size < 16 || binary.LittleEndian.Uint16(body[14:]) != 16 {
				return Sound{}, errNoSound
			}
			channels, s.rate = int(binary.LittleEndian.Uint16(body[2:])), int(binary.LittleEndian.Uint32(body[4:]))
			if channels < 1 || channels > 8 || s.rate < 4000 || s.rate > 192000 {
				return Sound{}, errNoSound
			}
		case "data":
			if channels == 0 {
				return Sound{}, errNoSound
			}
			for at := 0; at+2*channels <= len(body); at += 2 * channels {
				sum := 0
				for c := range channels {
					sum += int(int16(binary.LittleEndian.Uint16(body[at+2*c:])))
				}
				s.samples = append(s.samples, int16(sum/channels))
			}
			return s, nil
		}
	}
	return Sound{}, errNoSound
}

// joinSounds puts the turns behind each other, all voices equally loud.
func joinSounds(parts []Sound) Sound {
	gains := evenOut(parts)
	all := Sound{rate: usualRate}
	for i, p := range parts {
		if i > 0 {
			all.samples = append(all.samples, make([]int16, pauseSamples)...)
		}
		gain, from := gains[p.voice], len(all.samples)
		for _, v := range p.resampleTo(usualRate).samples {
			all.samples = append(all.samples, softenSample(float64(v)/32768*gain))
		}
		all.cues = append(all.cues, cue{from, len(all.samples), p.text})
	}
	return all
}

// evenOut is by how much each voice is made louder.
func evenOut(parts []Sound) map[int]float64 {
	of := make(map[int]Sound)
	for _, p := range parts {
		s := of[p.voice]
		of[p.voice] = Sound{samples: append(s.samples, p.samples...)}
	}
	gains := make(map[int]float64)
	for voice, s := range of {
		gains[voice] = loud / max(s.measureLoudness(), silent)
	}
	return gains
}

// softenSample is a sample that is cut nowhere: above three quarters of the peak it grows less and less.
func softenSample(v float64) int16 {
	const knee = 0.75 * peak
	if a := math.Abs(v); a > knee {
		v = math.Copysign(knee+(peak-knee)*math.Tanh((a-knee)/(peak-knee)), v)
	}
	return int16(math.Round(v * 32767))
}

// measureLoudness is the root of the mean square of what is not silence.
func (s Sound) measureLoudness() float64 {
	sum, n := 0.0, 0
	const frame = 512
	for at := 0; at < len(s.samples); at += frame {
		part := s.samples[at:min(at+frame, len(s.samples))]
		square := 0.0
		for _, v := range part {
			square += float64(v) * float64(v) / (32768 * 32768)
		}
		if square/float64(len(part)) > silent*silent {
			sum, n = sum+square, n+len(part)
		}
	}
	if n == 0 {
		return 0
	}
	return math.Sqrt(sum / float64(n))
}

// resampleTo is the sound with so many samples a second.
func (s Sound) resampleTo(rate int) Sound {
	if s.rate == rate || len(s.samples) == 0 {
		return s
	}
	out := Sound{rate: rate, samples: make([]int16, len(s.samples)*rate/s.rate), voice: s.voice}
	for i := range out.samples {
		place := float64(i) * float64(s.rate) / float64(rate)
		n := int(place)
		next := s.samples[min(n+1, len(s.samples)-1)]
		part := place - float64(n)
		out.samples[i] = int16(float64(s.samples[n])*(1-part) + float64(next)*part)
	}
	return out
}
