package calc

import (
	"errors"
	"strings"
	"testing"
)

// TestRounded's expectations were taken from CPython 3.12.
func TestRounded(t *testing.T) {
	for in, want := range map[string]string{
		"1+2": "3.0", " 2 * 3  ": "6.0", "2*(3+4)": "14.0", "1/3": "0.33", "2.675": "2.67", "0.125": "0.12", "0.375": "0.38", "1.005": "1.0",
		"-2**2": "-4.0", "2**3**2": "512.0", "2**-1": "0.5", "--1": "1.0", "+-+1": "-1.0", "-7//2": "-4.0", "7//-2": "-4.0",
		"-7.5//2": "-4.0", "3.7//0.1": "36.0", "1//0.1": "9.0", "-0.001": "-0.0", "-0.0": "-0.0", "-0": "0.0", "+-0.0": "-0.0", "00": "0.0",
		"09.5": "9.5", "1.": "1.0", ".5": "0.5", "10**400/10**399": "10.0", "9007199254740993*1.0": "9007199254740992.0",
		"99999999999999999999/3": "3.333333333333333e+19", "10**22+0.5": "1e+22", "2**0.5": "1.41", "1.1**10": "2.59",
		"0**0": "1.0", "123456789.985": "123456789.98", "10**308*10.0": "inf", "0.0//1": "0.0", "-1//0.3": "-4.0", "5 - -3": "8.0",
		"1.0000001**10000000": "2.72", "(-1)**99999999999999999999": "-1.0", "0*-1": "0.0", "1.0*-0": "0.0",
	} {
		got, err := Rounded(in)
		if err != nil || got != want {
			t.Errorf("Rounded(%s) = %s, %v, want %s", in, got, err, want)
		}
	}
}

func TestRoundedErrors(t *testing.T) {
	for in, want := range map[string]error{
		"2+x": ErrCharacters, "1\n": ErrCharacters, "１": ErrCharacters, "": ErrSyntax, "(1+2": ErrSyntax, "1 2": ErrSyntax,
		"007": ErrSyntax, "1.5.2": ErrSyntax, "1..2": ErrSyntax, ".": ErrSyntax, "*1": ErrSyntax, "1*": ErrSyntax, "2^3": ErrCharacters,
		"1/0": ErrZero, "1//0": ErrZero, "0.0**-1": ErrZero, "1/0.0": ErrZero, "()": ErrType, "1(2)": ErrType, "...": ErrType,
		"(-8)**.5": ErrType, "10**400": ErrOverflow, "9**9**9": ErrOverflow, "10**400*1.0": ErrOverflow, "2.0**5000": ErrOverflow,
		"10**309/3": ErrOverflow, strings.Repeat("(", 201) + "1" + strings.Repeat(")", 201): ErrSyntax, "1/0(": ErrSyntax,
		strings.Repeat("9", 4301): ErrSyntax, "1/ /2": ErrSyntax, "1***2": ErrSyntax,
	} {
		if _, err := Rounded(in); !errors.Is(err, want) {
			t.Errorf("Rounded(%.30s) fails with %v, want %v", in, err, want)
		}
	}
}
