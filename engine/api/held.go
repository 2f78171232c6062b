package api

import "fmt"

// These calls are about what waits for a person: held dispatches, and answers
// whose place in the note is gone.

// MostAnswers is how many parked dispatches a list of answers holds, the newest ones.
const MostAnswers = 200

// AnswerList is the answer of GET /vault-mind/answers.
type AnswerList struct {
	Answers []Parked `json:"answers"`
}

// Parked is a dispatch whose answers stand in no note, or not all of them.
type Parked struct {
	Dispatch
	Answers []Answer `json:"answers"`
}

func (s *Server) release(c call) (any, error) {
	d, err := s.backend.Release(c.r.Context(), c.id)
	return record(d, err, "release a dispatch")
}

func (s *Server) answers(c call) (any, error) {
	details, err := s.backend.Answers(c.r.Context())
	if err != nil {
		return nil, fmt.Errorf("list parked answers: %w", err)
	}
	list := AnswerList{Answers: []Parked{}}
	for _, d := range details {
		list.Answers = append(list.Answers, Parked{Dispatch: brief([]Dispatch{d.Dispatch})[0], Answers: present(d.Answers)})
	}
	return list, nil
}
