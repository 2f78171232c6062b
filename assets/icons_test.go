package assets

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"path"
	"testing"
)

var iconStates = []string{"idle", "busy", "paused", "error", "offline"}

// decodeIcons returns the images of a PNG or an ICO.
func decodeIcons(t *testing.T, name string) (all []image.Image) {
	t.Helper()
	data, err := icons.ReadFile(path.Join("icons", name))
	if err != nil {
		t.Fatal(err)
	}
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

// badge is the part of an icon 44 pixels wide that its badge is in.
func badge(img image.Image) image.Image {
	at := img.Bounds()
	part := image.NewNRGBA(image.Rect(0, 0, at.Dx()-18, at.Dy()-18))
	draw.Draw(part, part.Bounds(), img, image.Pt(18, 18), draw.Src)
	return part
}

// mainColour is the opaque colour that an image has most of, white aside.
func mainColour(img image.Image) color.NRGBA {
	count := make(map[color.NRGBA]int)
	var most color.NRGBA
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			c := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
			if c.A != 0xff || c.R == 0xff && c.G == 0xff && c.B == 0xff {
				continue
			}
			if count[c]++; count[c] > count[most] {
				most = c
			}
		}
	}
	return most
}

// shapeLikeness is how much of what either image covers both do.
func shapeLikeness(a, b image.Image) float64 {
	var both, either uint32
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			_, _, _, one := a.At(x, y).RGBA()
			_, _, _, other := b.At(x, y).RGBA()
			both, either = both+min(one, other)>>8, either+max(one, other)>>8
		}
	}
	return float64(both) / float64(either)
}

// The badges of two icons of the tray share neither their outline nor their colour; an icon without one has the logo there.
func TestIconsDiffer(t *testing.T) {
	for i, a := range iconStates {
		for _, b := range iconStates[i+1:] {
			if alike := shapeLikeness(badge(decodeIcons(t, a+"-template.png")[0]), badge(decodeIcons(t, b+"-template.png")[0])); alike > 0.8 {
				t.Errorf("%s and %s share %.0f %% of their shape", a, b, 100*alike)
			}
			one, other := mainColour(badge(decodeIcons(t, a+".png")[0])), mainColour(badge(decodeIcons(t, b+".png")[0]))
			d := math.Hypot(math.Hypot(float64(one.R)-float64(other.R), float64(one.G)-float64(other.G)), float64(one.B)-float64(other.B))
			if d < 80 {
				t.Errorf("%s and %s have nearly the same colour", a, b)
			}
		}
	}
}

// All icons are one brand: those with a badge have the colour of the logo, those without have its outline.
func TestIconsAreOneBrand(t *testing.T) {
	logo := decodeIcons(t, "idle.png")[0]
	for _, state := range iconStates {
		img := decodeIcons(t, state+".png")[0]
		hasOutline := shapeLikeness(img, logo) > 0.6
		if !hasOutline || state != "offline" && mainColour(img) != mainColour(logo) {
			t.Errorf("%s shares %.0f %% of its shape with the logo, and is %v", state, 100*shapeLikeness(img, logo), mainColour(img))
		}
	}
}

// Body and badge can be told from a white, a dark and a black panel: WCAG 2.2 asks for a
// contrast of 3:1 of graphics (https://www.w3.org/TR/WCAG22/#non-text-contrast).
func TestIconContrast(t *testing.T) {
	for _, state := range iconStates {
		img := decodeIcons(t, state+".png")[0]
		for _, panel := range []color.NRGBA{{R: 255, G: 255, B: 255}, {R: 0x1e, G: 0x1e, B: 0x1e}, {}} {
			for _, main := range []color.NRGBA{mainColour(img), mainColour(badge(img))} {
				if c := contrast(colourLuminance(main), colourLuminance(panel)); c < 3 {
					t.Errorf("%s on %v: a contrast of %.2f", state, panel, c)
				}
			}
		}
	}
}

func colourLuminance(c color.NRGBA) float64 {
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
func TestIconFolders(t *testing.T) {
	for name, want := range map[string]int{"idle.ico": 5, "busy.ico": 5, "paused.ico": 5, "error.ico": 5, "offline.ico": 5, "app.ico": 8} {
		data, err := icons.ReadFile(path.Join("icons", name))
		if err != nil {
			t.Fatal(err)
		}
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
func TestIconTemplates(t *testing.T) {
	for _, state := range iconStates {
		img := decodeIcons(t, state+"-template.png")[0]
		isSeen := false
		for y := range img.Bounds().Dy() {
			for x := range img.Bounds().Dx() {
				c := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
				if c.R|c.G|c.B != 0 {
					t.Fatalf("%s has a colour", state)
				}
				isSeen = isSeen || c.A == 0xff
			}
		}
		if !isSeen {
			t.Errorf("%s is empty", state)
		}
	}
}
