package models

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
)

// A safetensors file has eight bytes with the length of a JSON header, the header
// with type, shape and place of each tensor, then the numbers
// (https://github.com/huggingface/safetensors). Every number of the header is
// checked against the size of the file before it is used.

// maxHeader bounds the header; that of a static model has a few hundred bytes.
const maxHeader = 1 << 20

// tensor is a table of numbers in a file.
type tensor struct {
	dtype      string
	rows, cols int // a list has one column
	offset     int64
}

// dtypes are the types of numbers that are read, with their sizes in bytes.
var dtypes = map[string]int{"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I8": 1, "I32": 4, "I64": 8}

// readTensors reads the header of a safetensors file.
func readTensors(f *os.File) (map[string]tensor, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	var length [8]byte
	if _, err := io.ReadFull(io.NewSectionReader(f, 0, 8), length[:]); err != nil {
		return nil, errors.New("is too short for a safetensors file")
	}
	n := binary.LittleEndian.Uint64(length[:])
	if n > maxHeader || int64(n) > info.Size()-8 {
		return nil, errors.New("is no safetensors file: its header would be longer than it may be")
	}
	data := make([]byte, n)
	if _, err := f.ReadAt(data, 8); err != nil {
		return nil, err
	}
	var header map[string]json.RawMessage
	if err := json.Unmarshal(data, &header); err != nil {
		return nil, fmt.Errorf("is no safetensors file: %w", err)
	}
	delete(header, "__metadata__")
	tensors := make(map[string]tensor)
	for name, raw := range header {
		t, err := readTensor(raw, info.Size()-8-int64(n))
		if err != nil {
			return nil, fmt.Errorf("holds the tensor %q, which %w", name, err)
		}
		t.offset += 8 + int64(n)
		tensors[name] = t
	}
	return tensors, nil
}

// readTensor reads one entry of the header; size is that of all numbers.
func readTensor(raw json.RawMessage, size int64) (tensor, error) {
	var entry struct {
		Dtype       string
		Shape       []int
		DataOffsets []int64 `json:"data_offsets"`
	}
	if err := json.Unmarshal(raw, &entry); err != nil {
		return tensor{}, fmt.Errorf("is not described as one (%w)", err)
	}
	t := tensor{dtype: entry.Dtype, rows: 1, cols: 1}
	switch len(entry.Shape) {
	case 2:
		t.rows, t.cols = entry.Shape[0], entry.Shape[1]
	case 1:
		t.rows = entry.Shape[0]
	default:
		return tensor{}, fmt.Errorf("has %d dimensions", len(entry.Shape))
	}
	width := dtypes[t.dtype]
	if width == 0 {
		return tensor{}, fmt.Errorf("has numbers of the type %s", t.dtype)
	}
	if t.rows < 1 || t.cols < 1 || t.rows > 1<<24 || t.cols > 1<<16 {
		return tensor{}, fmt.Errorf("has %d rows and %d columns", t.rows, t.cols)
	}
	need := int64(t.rows) * int64(t.cols) * int64(width)
	if len(entry.DataOffsets) != 2 || entry.DataOffsets[0] < 0 || entry.DataOffsets[0] > size-need || entry.DataOffsets[1] != entry.DataOffsets[0]+need {
		return tensor{}, errors.New("does not lie within the file")
	}
	t.offset = entry.DataOffsets[0]
	return t, nil
}

// readRow reads row i into out, which has a place for each column.
func (t tensor) readRow(f io.ReaderAt, i int, out []float32) error {
	width := dtypes[t.dtype]
	buf := make([]byte, t.cols*width)
	if _, err := f.ReadAt(buf, t.offset+int64(i)*int64(len(buf))); err != nil {
		return err
	}
	for c := range out {
		out[c] = float32(decodeNumber(t.dtype, buf[c*width:]))
	}
	return nil
}

// readList reads a tensor of one column.
func (t tensor) readList(f io.ReaderAt) ([]float64, error) {
	width := dtypes[t.dtype]
	buf := make([]byte, t.rows*t.cols*width)
	if _, err := f.ReadAt(buf, t.offset); err != nil {
		return nil, err
	}
	out := make([]float64, t.rows*t.cols)
	for i := range out {
		out[i] = decodeNumber(t.dtype, buf[i*width:])
	}
	return out, nil
}

func decodeNumber(dtype string, b []byte) float64 {
	switch dtype {
	case "F64":
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	case "F32":
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	case "F16":
		return decodeHalf(binary.LittleEndian.Uint16(b))
	case "BF16":
		return float64(math.Float32frombits(uint32(binary.LittleEndian.Uint16(b)) << 16))
	case "I8":
		return float64(int8(b[0]))
	case "I32":
		return float64(int32(binary.LittleEndian.Uint32(b)))
	}
	return float64(int64(binary.LittleEndian.Uint64(b)))
}

// decodeHalf reads an IEEE number of 16 bits.
func decodeHalf(b uint16) float64 {
	sign, exp, frac := 1.0, int(b>>10&31), float64(b&1023)
	if b>>15 == 1 {
		sign = -1
	}
	switch exp {
	case 0:
		return sign * math.Ldexp(frac, -24)
	case 31:
		if frac != 0 {
			return math.NaN()
		}
		return sign * math.Inf(1)
	}
	return sign * math.Ldexp(1024+frac, exp-25)
}
