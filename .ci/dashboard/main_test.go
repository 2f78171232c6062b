package dashboard

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/chromedp/chromedp"
)

// bed is what .ci/browser has prepared.
var bed = make(map[string]string)

// browser is the one Chromium; every visitor has a profile of their own in it.
var browser context.Context

func TestMain(m *testing.M) {
	status, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	os.Exit(status)
}

func run(m *testing.M) (int, error) {
	for _, name := range []string{"WIKI", "CHROMIUM", "AXE", "PICTURE", "SHOTS", "SAMPLE"} {
		if bed[name] = os.Getenv("BED_" + name); bed[name] == "" {
			return 1, fmt.Errorf("BED_%s is not set; .ci/browser does that", name)
		}
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(bed["CHROMIUM"]),
		chromedp.NoSandbox, // a container's root has no other choice
		chromedp.DisableGPU,
		chromedp.Flag("no-proxy-server", true),
		chromedp.WSURLReadTimeout(patience),
		chromedp.Flag("disable-dev-shm-usage", true), // 64 MB in a container
		chromedp.Flag("hide-scrollbars", true),       // they would be part of the width
		// What is typed and clicked before a page is painted is lost otherwise; nobody
		// does so to a page that is not there yet.
		chromedp.Flag("allow-pre-commit-input", true),
	)
	allocated, end := chromedp.NewExecAllocator(context.Background(), options...)
	defer end()
	ctx, closing := chromedp.NewContext(allocated)
	defer closing()
	if err := chromedp.Do(ctx); err != nil {
		return 1, fmt.Errorf("start the browser: %w", err)
	}
	browser = ctx
	return m.Run(), nil
}
