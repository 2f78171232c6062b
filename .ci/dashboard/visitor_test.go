package dashboard

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/audits"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// visitor is a person with a browser of their own.
type visitor struct {
	t    *testing.T
	ctx  context.Context
	base string // of the dashboard, known when a link was opened

	mu     sync.Mutex // guards what follows
	faults []string   // what the browser complains of, and what it asks of others
}

// visit opens a browser in which nobody has been.
func visit(t *testing.T) *visitor {
	t.Helper()
	v := &visitor{t: t}
	ctx, end := chromedp.NewContext(browser, chromedp.WithNewBrowserContext(), chromedp.WithListener(v.listen))
	t.Cleanup(end)
	v.ctx = ctx
	if err := chromedp.Do(ctx); err != nil { // the first call decides how long the tab lives
		t.Fatalf("open a tab: %v", err)
	}
	v.do(call(audits.Enable, cdp.Empty{}), call(log.Enable, cdp.Empty{}), call(network.Enable, network.EnableParams{}), chromedp.EmulateViewport(1400, 900))
	return v
}

// enter opens a browser and the link of an engine in it. What the browser
// complains of fails the test at its end.
func enter(t *testing.T, e *engine) *visitor {
	t.Helper()
	v := visit(t)
	t.Cleanup(func() {
		for _, fault := range v.complaints() {
			t.Errorf("the browser says: %s", fault)
		}
	})
	link := e.link()
	v.base = link[:strings.Index(link, "/open/")]
	v.do(chromedp.Navigate(link))
	v.until("the first page", `document.querySelector("h1").textContent === "Now"`)
	return v
}

// listen remembers what should not be.
func (v *visitor) listen(event any) {
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		if e.Type != runtime.ConsoleAPICalledTypeLog && e.Type != runtime.ConsoleAPICalledTypeDebug && e.Type != runtime.ConsoleAPICalledTypeInfo {
			v.complain("console %s: %s", e.Type, plain(e.Args))
		}
	case *runtime.EventExceptionThrown:
		v.complain("exception: %s", plain(e.ExceptionDetails))
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			v.complain("%s %s: %s %s", e.Entry.Source, e.Entry.Level, e.Entry.Text, e.Entry.URL)
		}
	case *audits.EventIssueAdded:
		v.complain("issue %s: %s", e.Issue.Code, plain(e.Issue.Details))
	case *network.EventRequestWillBeSent:
		if at, err := url.Parse(e.Request.URL); err != nil || at.Hostname() != "127.0.0.1" && at.Scheme != "data" { // the buttons of a player are data
			v.complain("asks elsewhere: %s", e.Request.URL)
		}
	}
}

func (v *visitor) complain(format string, args ...any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.faults = append(v.faults, fmt.Sprintf(format, args...))
}

// complaints returns what there was to complain of since the last call.
func (v *visitor) complaints() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	found := v.faults
	v.faults = nil
	return found
}

// plain is a value as JSON.
func plain(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// call is a command of the browser's own protocol.
func call[P, R any](command cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, command, params)
		return err
	})
}

// do has the browser do something.
func (v *visitor) do(actions ...chromedp.Action[chromedp.Void]) {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		v.t.Fatalf("the browser: %v", err)
	}
}

// look opens a page of the dashboard.
func (v *visitor) look(path string) { v.t.Helper(); v.do(chromedp.Navigate(v.base + path)) }

// leaves does what leads to another page, and waits until that is there: while one is
// on its way, the browser does not reload.
func (v *visitor) leaves(action chromedp.Action[chromedp.Void]) {
	v.t.Helper()
	v.do(chromedp.Evaluate[chromedp.Void]("self.seen = true"), action)
	v.until("the next page", "!self.seen")
}

// value is what an expression gives on the page.
func value[T any](v *visitor, js string) T {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.ctx, patience)
	defer cancel()
	got, err := chromedp.Run(ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	if err != nil {
		v.t.Fatalf("ask the page: %v", err)
	}
	return got
}

// until waits for an expression to hold on a page that is all there, with what its
// script does: until then a button of it may do nothing, or too much. While a page
// gives way to another one there is nothing to ask.
func (v *visitor) until(what, js string) {
	v.t.Helper()
	eventually(v.t, what, func() bool {
		ctx, cancel := context.WithTimeout(v.ctx, patience)
		defer cancel()
		holds, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`document.readyState === "complete" && Boolean(`+js+")"))
		return err == nil && holds
	}, v.text)
}

// sees waits until the page has these texts, as they are seen.
func (v *visitor) sees(texts ...string) {
	v.t.Helper()
	for _, text := range texts {
		v.until("on the page: "+text, fmt.Sprintf("document.body.innerText.includes(%s)", plain(text)))
	}
}

// text is the page as it is seen.
func (v *visitor) text() string {
	ctx, cancel := context.WithTimeout(v.ctx, 10*time.Second)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string]("location.href + '\\n' + document.body.innerText"))
	if err != nil {
		return err.Error()
	}
	return text
}

// press presses what a selector finds, once it is there.
func (v *visitor) press(selector string) {
	v.t.Helper()
	find := fmt.Sprintf("document.querySelector(%s)", plain(selector))
	v.until(selector, find)
	ctx, cancel := context.WithTimeout(v.ctx, patience)
	defer cancel()
	byPerson := func(p *runtime.EvaluateParams) { yes := true; p.UserGesture = &yes }
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[chromedp.Void](find+".click()", byPerson)); err != nil {
		v.t.Fatalf("press %s: %v", selector, err)
	}
}
