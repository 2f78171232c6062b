//go:build race

package main

const isRacing = true
