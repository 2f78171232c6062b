package api

import "time"

// Scheduled is a question that comes again.
type Scheduled struct {
	ID          string     `json:"id"`
	Every       string     `json:"every"`
	Role        string     `json:"role"`
	Vault       string     `json:"vault"`  // empty = the first one
	Note        string     `json:"note"`   // empty = that of the day
	InNote      bool       `json:"inNote"` // its line is in that note; else the configuration has it
	Instruction string     `json:"instruction"`
	Next        *time.Time `json:"next"` // null while it is paused
	Paused      bool       `json:"paused"`
	Dispatch    string     `json:"dispatch"` // of its last run; empty = none yet
	Problem     string     `json:"problem"`  // why it is not asked now
}

// ScheduleList is the answer of GET /vault-mind/schedule.
type ScheduleList struct {
	Schedule []Scheduled `json:"schedule"`
}
