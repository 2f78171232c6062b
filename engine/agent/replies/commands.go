package replies

import "strings"

// commands are those of LaTeX, AMS and KaTeX (https://katex.org/docs/support_table) that
// begin with n, t or r; true are those whose rest may be a word or a variable.
var commands = func() map[string]bool {
	all := make(map[string]bool)
	for _, name := range strings.Fields(`
		nabla natural nearrow neg neq newcommand newline ngeq ngeqslant ngtr nleftarrow nLeftarrow nleftrightarrow
		nLeftrightarrow nleq nleqslant nobreak nolimits nonumber norm normalsize not notag notin notni nprec npreceq nrightarrow
		nRightarrow nshortmid nshortparallel nsubseteq nsubseteqq nsucc nsucceq nsupseteq nsupseteqq ntriangleleft ntrianglelefteq
		ntriangleright ntrianglerighteq nvdash nvDash nVdash nVDash nwarrow
		tan tanh tau tag tbinom text textbf textcolor textit textmd textnormal textrm textsc textsf textstyle texttt textup tfrac
		therefore theta thickapprox thicksim thinspace tilde times tiny to top triangle triangledown triangleleft trianglelefteq
		triangleq triangleright trianglerighteq tt twoheadleftarrow twoheadrightarrow
		raisebox rangle rbrace rbrack rceil ref relax renewcommand restriction rfloor rgroup rho rhd right rightarrow rightarrowtail
		rightharpoondown rightharpoonup rightleftarrows rightleftharpoons rightrightarrows rightsquigarrow rightthreetimes
		risingdotseq rlap rm rmoustache root rtimes rule rvert rVert`) {
		all[name] = false
	}
	for _, name := range strings.Fields(`ne nexists ni nless nmid nparallel nsim nu`) {
		all[name] = true
	}
	return all
}()
