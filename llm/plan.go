package llm

// Plan says what a run will ask of models, before it does.
type Plan []Planned

// Planned is what a role will ask of a model: at least so many calls if all
// goes well, at most so many if all that may be repeated is.
type Planned struct {
	Role   string `json:"role"`
	Model  string `json:"model"` // name
	Least  int64  `json:"calls_at_least"`
	Most   int64  `json:"calls_at_most"`
	Input  int64  `json:"input_tokens"`  // of one call, on average
	Output int64  `json:"output_tokens"` // of one call, on average
}

// Bills returns what a plan comes to at least and at most.
func (p Plan) Bills(prices *Prices) (least, most *Bill) {
	least, most = NewBill(prices), NewBill(prices)
	for _, c := range p {
		one := Usage{Input: c.Input, Output: c.Output, Calls: 1}
		least.add(c.Role, c.Model, one, c.Least)
		most.add(c.Role, c.Model, one, c.Most)
	}
	return least, most
}
