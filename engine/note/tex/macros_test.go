package tex

import (
	"strings"
	"testing"
)

func TestExpand(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`\newcommand{\R}{\mathbb{R}} f: \R \to \R`:                                   `f: \mathbb{R} \to \mathbb{R}`,
		"\n\\newcommand\\norm[1]{\\left\\lVert #1 \\right\\rVert}\n\\norm{x} \\le 1": "\n\\left\\lVert x \\right\\rVert \\le 1",
		"> \\def\\E{\\mathbb{E}}\n> \\E[X]":                                          "> \\mathbb{E}[X]",
		`\DeclareMathOperator*{\argmin}{arg\,min} \hat\theta = \argmin_x f`:          `\hat\theta = \operatorname*{arg\,min}_x f`,
		`\newcommand{\v}{\mathbf v} \hat\v x^\v \vx \v`:                              `\hat{\mathbf v} x^{\mathbf v} \vx \mathbf v`,
		`\def\to#1#2{#1\rightarrow#2}\to{A}{B}\to\a\b`:                               `A\rightarrow B\a\rightarrow\b`,
		`\newcommand{\e}{\varepsilon}\newcommand{\f}{\e^2}2\f{}x\{\e\}`:              `2\varepsilon^2{}x\{\varepsilon\}`,
		`\newcommand{\R}{\mathbb{R}}`:                                                `{}`,
		`\renewcommand{\arraystretch}{1.5} x`:                                        `\renewcommand{\arraystretch}{1.5} x`,
		`\renewcommand{\vec}[1]{\mathbf{#1}\#1} \vec x\vec{y}`:                       `\mathbf{x}\#1\mathbf{y}\#1`,
		`\newcommand{\d}[2][x]{\frac{d#2}{d#1}} \d{y} = \d[t]{z}`:                    `\frac{dy}{dx} = \frac{dz}{dt}`,
		`a \alpha`: `a \alpha`,
	} {
		if got, ok := NewMacros(1000).Expand(in); got != want || !ok {
			t.Errorf("%q\n got %q, %v\nwant %q", in, got, ok, want)
		}
	}
	for _, in := range []string{
		`\def\a{\a}\a`, `\newcommand{\a}{x`, `\newcommand{\a}[1]{#2}\a{b}`, `\newcommand{\a}[1]{#1}\a`, `\def\a#1.{x}`,
		`\def\a{\b\b\b\b}\def\b{\c\c\c\c}\def\c{\d\d\d\d}\def\d{` + strings.Repeat("x", 100) + `}\a`,
	} {
		if got, ok := NewMacros(1000).Expand(in); ok {
			t.Errorf("%q became %q", in, got)
		}
	}
	m := NewMacros(1000)
	if _, ok := m.Expand(`\newcommand{\R}{\mathbb{R}}`); !ok {
		t.Error("no definition")
	}
	if got, _ := m.Expand(`x \in \R`); got != `x \in \mathbb{R}` {
		t.Errorf("a later formula is %q", got)
	}
}
