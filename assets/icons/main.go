// Command icons draws the icons of the product, all from the few lines of
// drawing.go, into a folder:
//
//	go generate ./assets
//
// What it writes is committed. It computes in whole numbers alone, so that every
// machine draws the same.
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
)

const (
	traySize = 44  // Linux and macOS scale it
	appSize  = 256 // for menus, packages and windows
)

// icoSizes are those Windows shows in the tray, from 100 % to 300 %.
var icoSizes = []int{16, 20, 24, 32, 48}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "icons: wants the folder to write to")
		os.Exit(2)
	}
	files, err := draw()
	if err == nil {
		err = write(os.Args[1], files)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "icons:", err)
		os.Exit(1)
	}
}

func write(dir string, files map[string][]byte) error {
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// draw returns every file by its name.
func draw() (map[string][]byte, error) {
	files := make(map[string][]byte)
	for _, g := range glyphs {
		var err error
		if files[g.name+".png"], err = encode(render(g, traySize, coloured)); err != nil {
			return nil, err
		}
		if files[g.name+"-template.png"], err = encode(render(g, traySize, template)); err != nil {
			return nil, err
		}
		if files[g.name+".ico"], err = ico(g, icoSizes); err != nil {
			return nil, err
		}
	}
	app := glyphs[0]
	var err error
	if files["app.png"], err = encode(render(app, appSize, coloured)); err != nil {
		return nil, err
	}
	files["app.ico"], err = ico(app, append(icoSizes, 64, 128, appSize))
	return files, err
}

func encode(img image.Image) ([]byte, error) {
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	err := encoder.Encode(&b, img)
	return b.Bytes(), err
}

// ico is a folder of PNG images, as Windows has read them since Vista.
func ico(g glyph, sizes []int) ([]byte, error) {
	const head, entry = 6, 16
	folder := binary.LittleEndian.AppendUint16(nil, 0)
	folder = binary.LittleEndian.AppendUint16(folder, 1)
	folder = binary.LittleEndian.AppendUint16(folder, uint16(len(sizes)))
	var images []byte
	for _, size := range sizes {
		data, err := encode(render(g, size, coloured))
		if err != nil {
			return nil, err
		}
		side := byte(size) // 256 is written as 0
		folder = append(folder, side, side, 0, 0, 1, 0, 32, 0)
		folder = binary.LittleEndian.AppendUint32(folder, uint32(len(data)))
		folder = binary.LittleEndian.AppendUint32(folder, uint32(head+entry*len(sizes)+len(images)))
		images = append(images, data...)
	}
	return append(folder, images...), nil
}
