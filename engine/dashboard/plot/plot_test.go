package plot

import (
	"encoding/xml"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"vaultdispatcher/engine/wording"
)

// wellFormed fails where a picture is no XML.
func wellFormed(t *testing.T, svg string) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
	}
}

// No number stands twice beside a picture.
func TestTicksOfOne(t *testing.T) {
	svg := string(Chart{Labels: []string{"a", "b"}, Format: wording.Number[float64], Series: []Series{{"Miner", []float64{0, 1}, 0}}}.Bars())
	if strings.Count(svg, ">0</text>") != 1 || strings.Count(svg, ">1</text>") != 1 {
		t.Error(svg)
	}
}

// Bars are as high as their values, one upon the other, and say what they are.
func TestBars(t *testing.T) {
	c := Chart{Title: `Answers "a" day`, Labels: []string{"1 Nov", "2 Nov"}, Format: wording.Number[float64], Limit: 6,
		Series: []Series{{"<b>", []float64{3, 0}, 0}, {"Writer", []float64{3, 6}, 1}}}
	svg := string(c.Bars())
	wellFormed(t, svg)
	for _, want := range []string{
		`aria-label="Answers &#34;a&#34; day"`, `<title>1 Nov, &lt;b&gt;: 3</title>`, `<rect class="c0" x="14.46%" width="34.58%" y="89.0" height="75.0">`,
		`<rect class="c1" x="14.46%" width="34.58%" y="14.0" height="75.0"><title>1 Nov, Writer: 3</title>`, `class="limit" x1="9%" x2="100%" y1="14.0"`, `>6</text>`,
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s in\n%s", want, svg)
		}
	}
	if strings.Count(svg, "<rect") != 3 {
		t.Errorf("what is nothing has a bar in\n%s", svg)
	}
}

// A line goes from a value to that of the next place, and stops at a gap; each tick is as far from the next.
func TestLines(t *testing.T) {
	c := Chart{Labels: []string{"1", "2", "3", "4"}, Format: wording.Number[float64], Ticks: []float64{1, 10, 100, 1000}, Series: []Series{{"p50", []float64{1, 10, -1, 100}, 0}}}
	svg := string(c.Lines())
	wellFormed(t, svg)
	if strings.Count(svg, "<circle") != 3 || strings.Count(svg, `<line class="c0"`) != 1 || !strings.Contains(svg, `cy="89.0"`) || strings.Contains(svg, ">1000<") {
		t.Errorf("%s", svg)
	}
	if rows := c.Rows(); len(rows) != 3 || rows[0].Label != "4" || rows[0].Cells[0].Text != "100" {
		t.Errorf("%+v", c.Rows())
	}
}

// Whatever the values are, the picture has an end, is well-formed, and stays in its frame.
func TestAnyValues(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := 1 + r.IntN(40)
		c := Chart{Title: "t", Format: func(v float64) string { return fmt.Sprint(v) }, Limit: float64(r.IntN(3)) * 1e5}
		if r.IntN(2) == 0 {
			c.Ticks = []float64{.1, 1, 10}
		}
		for range n {
			c.Labels = append(c.Labels, "l")
		}
		for range r.IntN(9) {
			s := Series{Name: "s"}
			for range n {
				s.Values = append(s.Values, []float64{-1, 0, 1e-7, r.Float64(), 7, 1e6 * r.Float64(), 1e12}[r.IntN(7)])
			}
			c.Series = append(c.Series, s)
		}
		for _, svg := range []string{string(c.Bars()), string(c.Lines()), string(Spark("s", append([]float64{}, c.sums()...)))} {
			wellFormed(t, svg)
			if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") || strings.Contains(svg, `y="-`) || strings.Contains(svg, `height="-`) {
				t.Fatalf("seed %d:\n%s", seed, svg)
			}
		}
	}
}
