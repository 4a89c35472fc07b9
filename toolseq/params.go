package toolseq

import (
	"fmt"
	"math"
)

// Exponent says how a temperature T enters the sampling probabilities, which
// are proportional to (S+ / S−^λneg)^e.
type Exponent string

const (
	// Inverse takes e = 1/T: a high temperature flattens. The default.
	Inverse Exponent = "inverse"
	// Literal takes e = T, as the formula is printed.
	Literal Exponent = "literal"
)

// Params are the hyperparameters of a [Model]. They travel with the model and
// fix, with seed and judge, every byte that training produces.
type Params struct {
	// N is the order of the n-grams: a tool is conditioned on the N−1 before it.
	N int `json:"n"`
	// Lambda0 is added to every count (additive smoothing).
	Lambda0 float64 `json:"lambda0"`
	// LambdaNeg weighs the negative evidence; 0 switches its use off.
	LambdaNeg float64 `json:"lambda_neg"`
	// Negatives is false where the negative table is not kept at all.
	Negatives bool `json:"negatives"`
	// T0 and Tau give the temperature of attempt k: 1 + (T0−1)·exp(−k/Tau).
	T0  float64 `json:"t0"`
	Tau float64 `json:"tau"`
	// Exponent says which way a temperature works.
	Exponent Exponent `json:"exponent"`
	// Length is the law that the length of each sequence is drawn from first.
	Length LengthLaw `json:"length"`
	// Gates is what goes beyond the method; nil is the method to the letter.
	Gates *GateParams `json:"gates,omitempty"`
}

// The largest settings. Beyond them powers of counts leave the range of numbers,
// or tables that of memory.
const (
	maxOrder       = 8
	maxWeight      = 100
	maxTemperature = 100
)

// PaperParams are the settings of the method's first stage to the letter.
func PaperParams() Params {
	return Params{
		N: 3, Lambda0: 0.1, LambdaNeg: 1, Negatives: true,
		T0: 3, Tau: 1500, Exponent: Inverse, Length: PaperLength(),
	}
}

// Temperature is T(k), for the k-th generation attempt counted from 0.
func (p Params) Temperature(k int) float64 {
	return 1 + (p.T0-1)*math.Exp(-float64(k)/p.Tau)
}

// exponent is e at temperature t.
func (p Params) exponent(t float64) float64 {
	if p.Exponent == Literal {
		return t
	}
	return 1 / t
}

// Validate reports the first setting that is out of range.
func (p Params) Validate() error {
	switch {
	case p.N < 1 || p.N > maxOrder:
		return fmt.Errorf("check parameters: n is %d, want 1 to %d", p.N, maxOrder)
	case !(p.Lambda0 > 0 && p.Lambda0 <= maxWeight):
		return fmt.Errorf("check parameters: lambda0 is %v, want more than 0, at most %d", p.Lambda0, maxWeight)
	case !(p.LambdaNeg >= 0 && p.LambdaNeg <= maxWeight):
		return fmt.Errorf("check parameters: lambda_neg is %v, want 0 to %d", p.LambdaNeg, maxWeight)
	case !(p.T0 > 0 && p.T0 <= maxTemperature) || !(p.Tau > 0 && !math.IsInf(p.Tau, 1)):
		return fmt.Errorf("check parameters: t0 %v and tau %v, want more than 0, t0 at most %d", p.T0, p.Tau, maxTemperature)
	case p.Exponent != Inverse && p.Exponent != Literal:
		return fmt.Errorf("check parameters: exponent %q, want %q or %q", p.Exponent, Inverse, Literal)
	}
	if p.Gates != nil {
		if err := p.Gates.validate(); err != nil {
			return err
		}
	}
	return p.Length.Validate()
}

// contrast is the weight of the n-gram part.
func (p Params) contrast() float64 {
	if p.Gates == nil {
		return 1
	}
	return p.Gates.Contrast
}
