package front

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/asking"
	"vaultdispatcher/engine/group"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/schedule"
	"vaultdispatcher/engine/schedule/runs"
	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/engine/vault"
	"vaultdispatcher/engine/vault/presence"
	"vaultdispatcher/engine/wording"
)

// This file takes up questions that are in no note. They are asked as if they were behind the last
// line of one, and become dispatches like all others.

// Ask implements [api.Backend]. It does not settle, and no limit stops it.
func (f *questions) Ask(ctx context.Context, root api.Root, req api.AskRequest) (api.Dispatch, error) {
	d, err := f.buildQuestion(ctx, root, req, note.Trace{})
	if err != nil {
		return api.Dispatch{}, err
	}
	d, _, err = f.Journal.Accept(ctx, d, nil)
	if err != nil {
		return api.Dispatch{}, fmt.Errorf("accept a question: %w", err)
	}
	return f.toRecord(d), f.Starts.ByHand(ctx, d, func() error { f.Dispatcher.Submit(d); return nil })
}

// buildQuestion makes the record of a question that is in no note, or of one that is repeated in a
// line of its note.
func (f *questions) buildQuestion(ctx context.Context, root api.Root, req api.AskRequest, line note.Trace) (journal.Dispatch, error) {
	question, err := asking.Clean(req.Question)
	if err != nil {
		return journal.Dispatch{}, &api.Invalid{Reason: "The question is not asked: " + err.Error() + ".", Field: "question"}
	}
	if _, _, err := f.Roles.Find(req.Role); err != nil {
		return journal.Dispatch{}, &api.Invalid{Reason: f.explainNoRole(req.Role, err), Field: "role"}
	}
	if req.Public {
		if err := f.mayAnswer(req); err != nil {
			return journal.Dispatch{}, err
		}
	}
	if root.Name == "" {
		root.Name = f.findVaultAbout(ctx, question, req.Public)
	}
	v, err := f.vaultToAsk(ctx, root)
	if err != nil {
		return journal.Dispatch{}, err
	}
	d, err := vault.OnDisk(ctx, v, func(disk vault.Disk) (journal.Dispatch, error) { return f.placeQuestion(disk, req, question, line) })
	return d, toWireError(err)
}

// mayAnswer is why a question of another agent, which sees nothing private, is not asked, or nil.
func (f *questions) mayAnswer(req api.AskRequest) error {
	if req.File != "" || req.Append {
		return &api.Invalid{Reason: "A question with \"public\" is about no note and goes into none; leave out \"file\" and \"append\".", Field: "public"}
	}
	if reason := f.Roles.Rules.WhyNotTold(req.Role); reason != "" {
		return &api.Conflict{Reason: "It is not asked: " + reason + "."}
	}
	return nil
}

// explainNoRole says which roles may be asked instead.
func (f *questions) explainNoRole(role string, err error) string {
	var names []string
	for _, r := range f.Roles.List() {
		if r.Role != "*" && r.Usable {
			names = append(names, r.Role)
		}
	}
	if len(names) == 0 {
		return "Nobody answers the role " + role + ": " + err.Error() + "."
	}
	return "Nobody answers the role " + role + " (" + err.Error() + "); these are answered: " + strings.Join(names, ", ") + "."
}

// findVaultAbout names the vault to ask where neither the asker nor a note says which: the one whose best passage has the most
// of the question; "" = none is about it. What is withheld from another agent does not lead its question.
func (f *questions) findVaultAbout(ctx context.Context, question string, public bool) (name string) {
	if len(*f.Vaults) < 2 {
		return ""
	}
	finds := askDisks(ctx, *f.Vaults, func(disk vault.Disk) ([]recall.Passage, error) {
		return disk.Index().Search(ctx, question, recall.SearchOptions{Limit: mostCompared, WordsOnly: true})
	})
	most := 0.0
	for i, v := range *f.Vaults {
		found, err := finds[i]()
		if err != nil || v.Condition.WhyIdle() != "" {
			continue
		}
		isWithheld := func(string) bool { return false }
		if public {
			isWithheld, _ = f.Withheld(ctx, v.Root)
		}
		for _, p := range found {
			if p.Share > most && !isWithheld(p.Note) {
				name, most = v.Name, p.Share
			}
		}
	}
	return name
}

// mostCompared is how many passages of each vault are compared.
const mostCompared = 20

// vaultToAsk returns the vault that is asked, the first one where none was named.
func (f *questions) vaultToAsk(ctx context.Context, root api.Root) (*vault.Vault, error) {
	if root.Name == "" {
		if len(*f.Vaults) == 0 {
			return nil, &api.Conflict{Reason: "No folder of notes is chosen yet; wiki setup chooses one."}
		}
		root.Name = (*f.Vaults)[0].Name
	}
	v := f.Vaults.Await(ctx, root.Name)
	if v == nil {
		return nil, api.ErrOffline
	}
	if why := v.Condition.WhyIdle(); why != "" {
		return nil, &api.Conflict{Reason: wording.Sentence(why)}
	}
	return v, nil
}

// placeQuestion makes the record of a question, with what its note says around it. It touches the disk.
func (f *questions) placeQuestion(disk vault.Disk, req api.AskRequest, question string, line note.Trace) (journal.Dispatch, error) {
	asked, rel, err := asking.FindNote(disk.Root, req)
	if err != nil {
		return journal.Dispatch{}, err
	}
	if reason := f.Roles.Rules.WhyNotAsked(req.Role, rel); rel != "" && reason != "" {
		return journal.Dispatch{}, &api.Conflict{Reason: "It is not asked: " + reason + "."}
	}
	var src []byte
	if rel != "" {
		if src, err = disk.Read(rel); err != nil && !(errors.Is(err, fs.ErrNotExist) && asked == journal.AskedCreate) {
			return journal.Dispatch{}, readingError(err)
		}
	}
	if asked != journal.AskedTold && note.IsOff(src) {
		return journal.Dispatch{}, &api.Conflict{Reason: "Nothing is added to " + rel + ": its properties say wiki: off."}
	}
	p, err := asking.PlaceAt(src, line, req.Role, question)
	if errors.Is(err, asking.ErrNoPlace) && asked == journal.AskedTold {
		p, err = asking.Place(asking.Indent(src), req.Role, question)
	}
	switch {
	case errors.Is(err, asking.ErrNoRole):
		return journal.Dispatch{}, &api.Invalid{Reason: "role: " + req.Role + " is no name of a role; " + err.Error() + ".", Field: "role"}
	case err != nil:
		return journal.Dispatch{}, &api.Conflict{Reason: "Nothing can be added to " + rel + ": " + syserr.Plain(err) + "."}
	case asked != journal.AskedTold:
		why := cmp.Or(disk.WhyNotAsked(rel), disk.WhyReadOnly(rel))
		if reason := asking.WhyNotAppended(rel, why, src, question); reason != "" {
			return journal.Dispatch{}, &api.Conflict{Reason: reason}
		}
	}
	frame := group.FrameOf(f.Config.ContextOf(p.Group.Role), p.Page)
	if line.Text == "" {
		frame.LinesBelow = 0
	}
	d := group.NewDispatch(time.Now(), group.Found{Root: disk.Root, Rel: rel, Page: p.Page, Doc: p.Doc()}, p.Group, frame)
	d.Asked, d.Trigger = asked, asking.TriggerOf(req)
	m := &d.Markers[0]
	m.Text, m.Upper, m.Lower = "", "", "" // no note has this line
	return d, nil
}

// readingError translates an error of reading a note for the asker.
func readingError(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return api.ErrNotFound
	case errors.Is(err, fs.ErrInvalid):
		return api.ErrNotNote
	}
	return err
}

func (f *questions) AwaitAnswer(ctx context.Context, id string, said func(text string)) (api.Answered, error) {
	defer asking.ForgetProof(context.WithoutCancel(ctx), f.Journal, f.Dispatcher.Withhold, id)
	d, a, err := f.Waiters.Await(ctx, id, said, f.Journal.Get, f.writingSilence)
	if len(*f.Vaults) > 1 {
		a.Vault = f.Vaults.NameOf(d.Vault)
	}
	if a.Vault != "" && d.Status == journal.Done && d.HasNoResult() {
		a.Notice = "Only the vault " + a.Vault + " was asked."
	}
	if v := f.Vaults.At(d.Vault); err == nil && d.Status == journal.Done && v != nil && !v.Watching.IsOn() {
		a.Notice = "The vault " + v.Name + " is paused; what was written in it since is not known."
	}
	return a, toWireError(err)
}

// writingSilence says in words that the disk which an answer is written to does not respond, or nothing. It has that found out.
func (f *questions) writingSilence(d journal.Dispatch) string {
	v := f.Vaults.At(d.Vault)
	if v == nil {
		return ""
	}
	v.Condition.Ask()
	if silence := v.Condition.Silence(); silence != "" {
		return "the vault " + v.Name + " is " + silence
	}
	return ""
}

// othersFirst is how long another engine of a vault without an owner has for a run; then the note has
// it.
const othersFirst = 10 * time.Minute

// AskRun asks a question that comes again, for the time of a run.
func (f *questions) AskRun(ctx context.Context, q runs.Question, run time.Time) error {
	v, err := f.vaultToAsk(ctx, api.Root{Name: q.Vault})
	if err != nil {
		return err
	}
	root := api.Root{Name: v.Name}
	if others, _ := v.Condition.OtherEngines(); len(others) > 0 && slices.Min(others) < presence.ThisMachine() && time.Since(run) < othersFirst {
		return &api.Conflict{Reason: "The machine " + slices.Min(others) + " has a few minutes for it."}
	}
	stamp := schedule.Stamp(run)
	question := strings.TrimSpace(q.Instruction) + " (" + schedule.Date(stamp) + ")"
	d, err := f.buildQuestion(ctx, root, api.AskRequest{Question: question, Role: q.Role, File: q.Note, Append: true}, q.Line)
	if errors.Is(err, api.ErrNotFound) {
		return &api.Conflict{Reason: "The note " + q.Note + " is not in the vault " + v.Name + ": create it, or name another one for this schedule."}
	} else if err != nil {
		return err
	}
	asked, err := vault.OnDisk(ctx, v, func(disk vault.Disk) (bool, error) {
		src, err := disk.Read(d.File)
		return err == nil && asking.HasRun(src, q.Line, question, schedule.Heading(stamp)), nil // a note that is not there yet has no answer
	})
	if err != nil {
		return toWireError(err)
	}
	d.TaskID, d.Trigger = stamp, journal.TriggerSchedule
	d.Key = string(note.Marker{Role: d.Role, TaskID: d.TaskID}.Key())
	if asked {
		d.ID, d.Markers = "", nil
	} else {
		f.Starts.Take(&d, time.Now())
	}
	d, accepted, err := f.Journal.AcceptRun(ctx, d, q.ID, run)
	if !accepted || asked {
		f.Starts.GiveBack(d.ID)
		return err
	}
	if d.Status == journal.Queued {
		f.Dispatcher.Submit(d)
	} else {
		f.Starts.LookAgain()
	}
	return nil
}

func (f *questions) Schedule(ctx context.Context) ([]api.Scheduled, error) { return f.Runs.List(ctx) }

func (f *questions) ActOnSchedule(ctx context.Context, id, act string) (api.Scheduled, error) {
	return f.Runs.Act(ctx, id, act)
}
