package dashboard

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/png"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// TestFilm makes the animation of the README: a question is typed into a note of the sample vault and saved, and an engine
// with the settings that everybody has answers it. What is shown is the file, and as long as it took.
func TestFilm(t *testing.T) {
	const note, question = "Today.md", "> @agent-Miner what did we decide about backups?"
	const before, after = "The accountant comes at eleven and asks what happens if the computer dies.\n\n", "\n\nThen the tasting: two new coffees from Huila.\n"
	e := home(t)
	e.write(filepath.Join(e.home, ".config", "vault-dispatcher", "config.yaml"), "wiki: {vaults: ["+e.vault+"]}\n")
	e.fill()
	e.run()
	e.finds("backups", "restic")
	f := &film{visitor: visit(t), page: filepath.Join(e.home, "film.html")}
	f.do(chromedp.EmulateViewport(860, 360, chromedp.EmulateScale(2)))
	f.show(note, "", before+"▏"+after, time.Second)
	for n := len("> ") + 1; n <= len(question); n++ {
		f.show(note, "", before+question[:n]+"▏"+after, 60*time.Millisecond)
	}
	e.save(note, before+question+after)
	saved := time.Now()
	var text []byte
	eventually(t, "an answer", func() bool {
		text, _ = os.ReadFile(filepath.Join(e.vault, note))
		return bytes.Contains(text, []byte("<!-- /agent-response -->"))
	}, func() string { return string(text) })
	took := time.Since(saved)
	if !strings.HasPrefix(string(text), before) || !strings.HasSuffix(string(text), after) || !strings.Contains(string(text), "restic") {
		t.Errorf("the film ends with\n%s", text)
	}
	f.show(note, "saved", before+question+after, took)
	f.show(note, "answered", string(text), 6*time.Second)
	f.keep(filepath.Join(bed["SHOTS"], "note.gif"))
}

// film is what a visitor sees of a note, picture by picture.
type film struct {
	*visitor
	page  string
	shots []image.Image
	ends  []time.Duration // of each picture, since the first
}

// show adds a picture of a note, with a word beside its name.
func (f *film) show(name, word, text string, long time.Duration) {
	f.t.Helper()
	cmd := exec.Command(bed["PICTURE"], name, word)
	cmd.Dir, cmd.Stdin = filepath.Join("..", ".."), strings.NewReader(text)
	page, err := cmd.Output()
	if err != nil {
		f.t.Fatalf("draw the note: %v", problem(err))
	}
	if err := os.WriteFile(f.page, page, 0o644); err != nil {
		f.t.Fatal(err)
	}
	f.do(chromedp.Navigate("file://" + f.page))
	ctx, cancel := context.WithTimeout(f.ctx, patience)
	defer cancel()
	shot, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		f.t.Fatalf("take a picture: %v", err)
	}
	img, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		f.t.Fatal(err)
	}
	end := long
	if len(f.ends) > 0 {
		end += f.ends[len(f.ends)-1]
	}
	f.shots, f.ends = append(f.shots, img), append(f.ends, end)
}

// keep writes all pictures as one file, of each what differs from the one before.
func (f *film) keep(path string) {
	f.t.Helper()
	colours, part := f.colours(), f.shots[0].Bounds()
	g := gif.GIF{Config: image.Config{ColorModel: colours, Width: part.Dx(), Height: part.Dy()}}
	begun := 0
	for i, shot := range f.shots {
		if i > 0 {
			part = changed(f.shots[i-1], shot)
		}
		picture := image.NewPaletted(part, colours)
		draw.Draw(picture, part, shot, part.Min, draw.Src)
		end := int(f.ends[i] / (10 * time.Millisecond))
		g.Image, g.Delay, g.Disposal = append(g.Image, picture), append(g.Delay, end-begun), append(g.Disposal, gif.DisposalNone)
		begun = end
	}
	var file bytes.Buffer
	if err := gif.EncodeAll(&file, &g); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(path, file.Bytes(), 0o644); err != nil {
		f.t.Fatal(err)
	}
	if file.Len() > 400<<10 {
		f.t.Errorf("the film has %d bytes", file.Len())
	}
}

// changed is the smallest part of a picture that differs from another.
func changed(before, after image.Image) (part image.Rectangle) {
	for y := range after.Bounds().Dy() {
		for x := range after.Bounds().Dx() {
			if before.At(x, y) != after.At(x, y) {
				part = part.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return part
}

// colours are those that the first and the last picture have most of.
func (f *film) colours() color.Palette {
	counts := make(map[color.Color]int)
	for _, shot := range []image.Image{f.shots[0], f.shots[len(f.shots)-1]} {
		for y := shot.Bounds().Min.Y; y < shot.Bounds().Max.Y; y++ {
			for x := shot.Bounds().Min.X; x < shot.Bounds().Max.X; x++ {
				counts[shot.At(x, y)]++
			}
		}
	}
	all := slices.SortedFunc(maps.Keys(counts), func(a, b color.Color) int { return counts[b] - counts[a] })
	return color.Palette(all[:min(len(all), 256)])
}
