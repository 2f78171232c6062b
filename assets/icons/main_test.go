package main

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
)

var drawn = sync.OnceValues(draw)

// What is committed is what this program writes, byte by byte. Where another Go
// packs the same picture in another way, it is the pixels that count.
func TestGeneratedAnew(t *testing.T) {
	files, err := drawn()
	if err != nil || len(files) != 3*len(glyphs)+2 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for name, data := range files {
		committed, err := os.ReadFile(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if !bytes.Equal(committed, data) && !reflect.DeepEqual(pictures(t, committed), pictures(t, data)) {
			t.Errorf("%s is not what the program draws: go generate ./assets", name)
		}
	}
}

// pictures are the images of a PNG or an ICO.
func pictures(t *testing.T, data []byte) (all []image.Image) {
	t.Helper()
	for _, part := range bytes.SplitAfter(data, []byte("IEND\xaeB`\x82")) {
		if at := bytes.Index(part, []byte("\x89PNG")); at >= 0 {
			img, err := png.Decode(bytes.NewReader(part[at:]))
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, img)
		}
	}
	return all
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	files := map[string][]byte{"a.png": []byte("picture")}
	if err := write(dir, files); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "a.png")); err != nil || string(got) != "picture" {
		t.Errorf("%q, %v", got, err)
	}
}

// Two icons of the tray share neither their outline nor their colour, also at the
// smallest size.
func TestTold(t *testing.T) {
	for i, a := range glyphs {
		for _, b := range glyphs[i+1:] {
			for _, size := range []int{16, traySize} {
				if alike := likeness(render(a, size, template), render(b, size, template)); alike > 0.8 {
					t.Errorf("%s and %s share %.0f %% of their shape at %d pixels", a.name, b.name, 100*alike, size)
				}
			}
			d := math.Hypot(math.Hypot(float64(a.body.R)-float64(b.body.R), float64(a.body.G)-float64(b.body.G)), float64(a.body.B)-float64(b.body.B))
			if d < 80 {
				t.Errorf("%s and %s have nearly the same colour", a.name, b.name)
			}
		}
	}
}

// likeness is how much of what either image covers both do.
func likeness(a, b *image.NRGBA) float64 {
	both, either := 0, 0
	for i := 3; i < len(a.Pix); i += 4 {
		both += int(min(a.Pix[i], b.Pix[i]))
		either += int(max(a.Pix[i], b.Pix[i]))
	}
	return float64(both) / float64(either)
}

// A body is told from a white, a light and a dark panel; 3:1 is what WCAG asks of
// graphics.
func TestContrast(t *testing.T) {
	for _, g := range glyphs {
		for _, panel := range []color.NRGBA{{R: 255, G: 255, B: 255}, {R: 0x1e, G: 0x1e, B: 0x1e}, {}} {
			light, dark := luminance(g.body), luminance(panel)
			if light < dark {
				light, dark = dark, light
			}
			if c := (light + 0.05) / (dark + 0.05); c < 3 {
				t.Errorf("%s on %v: a contrast of %.2f", g.name, panel, c)
			}
		}
	}
}

func luminance(c color.NRGBA) float64 {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

// Each image of an ICO is where its folder says, in the size it says.
func TestICO(t *testing.T) {
	files, err := drawn()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{"idle.ico": 5, "offline.ico": 5, "app.ico": 8} {
		data := files[name]
		n := int(binary.LittleEndian.Uint16(data[4:]))
		if n != want {
			t.Fatalf("%s holds %d images", name, n)
		}
		for i := range n {
			entry := data[6+16*i:]
			length, at := binary.LittleEndian.Uint32(entry[8:]), binary.LittleEndian.Uint32(entry[12:])
			img, err := png.Decode(bytes.NewReader(data[at : at+length]))
			if err != nil || img.Bounds().Dx()&0xff != int(entry[0]) || img.Bounds().Dy()&0xff != int(entry[1]) {
				t.Errorf("%s, image %d: %v", name, i, err)
			}
		}
	}
}

// A template is black and transparent, nothing else.
func TestTemplate(t *testing.T) {
	for _, g := range glyphs {
		img := render(g, traySize, template)
		seen := false
		for i := 0; i < len(img.Pix); i += 4 {
			if img.Pix[i]|img.Pix[i+1]|img.Pix[i+2] != 0 {
				t.Fatalf("%s has a colour", g.name)
			}
			seen = seen || img.Pix[i+3] == 0xff
		}
		if !seen {
			t.Errorf("%s is empty", g.name)
		}
	}
}
