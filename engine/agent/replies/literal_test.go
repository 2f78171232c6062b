package replies

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/testdata/testmain"
	"vaultdispatcher/engine/testdata/testseed"
	"vaultdispatcher/engine/vault/testdata/growth"
)

// TestBackslashes has the inside of a string as an agent wrote it, and what was meant.
func TestBackslashes(t *testing.T) {
	for in, want := range map[string]string{
		// LaTeX without its escapes.
		`$\frac{a}{b}$`:                    `$\frac{a}{b}$`,
		`\frac12 of it`:                    `\frac12 of it`,
		`$\beta$ and $\bar x$`:             `$\beta$ and $\bar x$`,
		`$\rho$`:                           `$\rho$`,
		`$\theta$`:                         `$\theta$`,
		`$\nabla \times E$`:                `$\nabla \times E$`,
		`$x \to 0$, $a\ne b$, $\nu$`:       `$x \to 0$, $a\ne b$, $\nu$`,
		`$$\theta = \nu\rho$$`:             `$$\theta = \nu\rho$$`,
		`$$\nabla f = 0$$`:                 `$$\nabla f = 0$$`,
		`so \alpha, \theta and \rho`:       `so \alpha, \theta and \rho`,
		`\frac{1}{2}\rho v^2 \times \tau`:  `\frac{1}{2}\rho v^2 \times \tau`,
		`\(\theta\) is \neq 0`:             `\(\theta\) is \neq 0`,
		`$\alpha$\n\nNext: \nu\nno more`:   "$\\alpha$\n\nNext: \\nu\nno more",
		`\begin{align}\nx &= \tan y\n\end`: "\\begin{align}\nx &= \\tan y\n\\end",
		`$$\nx = \frac{\theta}{2}\n$$`:     "$$\nx = \\frac{\\theta}{2}\n$$",
		`$$\nu = \alpha\n$$`:               "$$\nu = \\alpha\n$$",
		`It costs 5 $, \theta a lot of $`:  "It costs 5 $, \theta a lot of $",
		`a regex: \d+\n\bword\b.`:          "a regex: \\d+\n\\bword\\b.",
		`\text outside`:                    "\text outside",
		`$\thetas$`:                        "$\thetas$",
		`$\\theta$ and \\alpha`:            `$\theta$ and \alpha`,
		`a price of \\$5 \theta $`:         "a price of \\$5 \theta $",
		`$\alpha$ costs \$5\ni think`:      "$\\alpha$ costs \\$5\ni think",
		`$\\alpha = \theta$`:               `$\alpha = \theta$`,

		// Windows without its escapes.
		`C:\new\table`:                            `C:\new\table`,
		`Look in C:\new\table.`:                   `Look in C:\new\table.`,
		`C:\Users\bob\notes and\nmore`:            "C:\\Users\\bob\\notes and\nmore",
		`in d:\temp.\n\nThen`:                     "in d:\\temp.\n\nThen",
		`in D:\backup\new`:                        `in D:\backup\new`,
		`C:\Program Files\nodejs\npm (of C:\new)`: "C:\\Program Files\\nodejs\\npm (of C:\new)",
		"`C:\\new`":                               "`C:\\new`",
		`say \"C:\new\" once`:                     `say "C:\new" once`,
		`C:\nested\notes`:                         `C:\nested\notes`,
		`it is C:\nested\notes, not \\d but \d`:   `it is C:\nested\notes, not \d but \d`,
		`see C:\notes\new.txt.\nThen`:             "see C:\\notes\\new.txt.\nThen",
		`on\nX:\reports\temp`:                     "on\nX:\\reports\\temp",

		// What only looks like it.
		`Team A:\nAnna\nBob`:          "Team A:\nAnna\nBob",
		`A:\nyes\nB:\nno`:             "A:\nyes\nB:\nno",
		`how to in C:\nint main()`:    "how to in C:\nint main()",
		`Group C:\nCarl\nCora`:        "Group C:\nCarl\nCora",
		`A:\tone\nC:\ttwo`:            "A:\tone\nC:\ttwo",
		`note:\nnew\ttable`:           "note:\nnew\ttable",
		`C:\\new\\table\ntoo`:         "C:\\new\\table\ntoo",
		`$5\ne.g. for two, $6\nnot`:   "$5\ne.g. for two, $6\nnot",
		`$$\nu = \\alpha\nu = 1\n$$`:  "$$\nu = \\alpha\nu = 1\n$$",
		`$$\nx = 1\nu = 2$$`:          "$$\nx = 1\nu = 2$$",
		`$5\ni pay with $x$`:          "$5\ni pay with $x$",
		`tab\there\r\nnew\nne\t$x$\n`: "tab\there\r\nnew\nne\t$x$\n",
		`\u0008 and \u00e9\/\"`:       "\b and é/\"",
	} {
		for _, text := range []string{
			`{"responses":[{"request":1,"answer":"` + in + `"}]}`,
			`{"responses":[{"request":1,"answer":"` + in + `",}]}`,
		} {
			if got, err := Parse(text, 1); err != nil || got[0] != want {
				t.Errorf("%s\n is read as %q, %v\n    want %q", in, got, err, want)
			}
		}
	}
}

// anEscape matches each, so that what a backslash begins is known.
var anEscape = regexp.MustCompile(`\\.`)

// TestWellEscaped: what was escaped as JSON has it comes through byte for byte.
func TestWellEscaped(t *testing.T) {
	seed := testseed.Take(t)
	dice := rand.New(rand.NewPCG(seed, 15))
	pieces := append(strings.Fields(`we decided nothing eta Anna new table notes . , : ; - * # > | ( ) { } [ ] " ' 5 $5 $6.50
		\ \\ \\\ \n \t \r \b \f \u0041 \" \/ \d+ \bword\b \alpha \nu \theta \frac{1}{2} \begin{align} \\[2pt]
		$\theta$ $x\to\infty$ $a\ne{}b$ $$\nabla\cdot{}E=\frac\rho\varepsilon$$ \$ C:\new\table D:\temp \\server\notes C:\Program é 漢 🙂 <b>&`),
		"\n", "\n\n", "\r\n", " ", " ", "\t", "\n\t", "\n- ", "\n> ", "```\ncode\tx\n```", "$$\n\\nu = 1\n$$", "$$\nu = 2\n$$",
		"Team A:\nAnna\n", "in C:\nint main()\n", "e.g.\n", "\u2028", "\u0085", "\ufeff", "\x00", "\x1f", "\b ", "\f\n")
	for round := range 1000 {
		answers := make([]string, 1+dice.IntN(4))
		for i := range answers {
			for range 1 + dice.IntN(30) {
				answers[i] += pieces[dice.IntN(len(pieces))] + []string{"", " ", "\n"}[dice.IntN(3)]
			}
			answers[i] += "x"
		}
		text := encode(t, dice, answers)
		if got, err := Parse(text, len(answers)); err != nil || !slices.Equal(got, answers) {
			t.Fatalf("round %d: %q\ncame back as\n%q, %v\nfrom %s", round, answers, got, err, text)
		}
	}
}

// TestUnescaped: answers of LaTeX and paths come through whatever an agent forgot to escape.
func TestUnescaped(t *testing.T) {
	for name := range commands {
		for _, form := range []string{`$\%s x$`, `so $2\%s$.`, `$$a \%s b$$`, `\alpha \%s`, `\frac{1}{2} \%s`} {
			answer := fmt.Sprintf(form, name)
			if got, err := Parse(`{"responses":[{"request":1,"answer":"`+answer+`"}]}`, 1); err != nil || got[0] != answer {
				t.Errorf("%s is read as %q, %v", answer, got, err)
			}
		}
	}
}

// TestBackslashesAreBounded feeds what makes the search for formulas and paths quadratic.
func TestBackslashesAreBounded(t *testing.T) {
	testmain.Long(t, "it measures what long answers cost")
	const size = (1 << 20) / fewer
	for _, unit := range []string{`$`, `$a`, `$$ $\n`, `\n`, `C:\n`, `C:\new`, `C:\Program Files`, `$\nu`, `\\$`, `$$\nu $`, `\alpha`} {
		growth.Evenly(t, fmt.Sprintf("%q repeated", unit), size, func(size int) {
			text := `{"responses":[{"request":1,"answer":"` + strings.Repeat(unit, size/len(unit)) + `.x"}]}`
			if _, err := Parse(text, 1); err != nil {
				t.Errorf("%q repeated: %v", unit, err)
			}
		})
	}
}
