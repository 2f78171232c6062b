// Package recallbench measures how well and how fast passages are found, beside other programs in the same run. It is
// a module of its own, so that the product does not depend on them, and it runs by .ci/recall only:
//
//	go test -tags recalleval -v -timeout 30m .
//
// The questions are made when it runs, from the questions and answers of Perl and Python as Debian packages them: the
// answers, without their questions, are notes in a copy of real vaults among the manuals of both languages. Those in
// the folder questions were written by hand from the notes of five public vaults, before the Miner was read that is
// asked them. The folder unseen has 236 questions to five vaults with their notes, each in the format of txtar with
// its source and its licence: a note answers 178 of them, 75 in other words, and no note answers 58. Its absent.tsv has 64 more
// whose noun is in no note: half B was written after the rule for nouns.
package recallbench
