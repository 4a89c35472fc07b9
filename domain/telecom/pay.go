package telecom

import "taste/pyjson"

func checkPaymentRequest(s *state, _ []any) (any, error) {
	p := s.around().Payment
	if p == nil {
		return "No payment request has been made.", nil
	}
	return "You have a payment request for bill " + p.BillID + " of " + pyjson.Str(p.Amount) + " USD.", nil
}

// makePayment pays what is requested; the account learns of it when the sides
// are coupled.
func makePayment(s *state, _ []any) (any, error) {
	if s.around().Payment == nil {
		return "You do not have a payment request.", nil
	}
	p := s.mutAround().Payment
	p.Paid = true
	return "Payment of " + pyjson.Str(p.Amount) + " USD has been made for bill " + p.BillID + ".", nil
}
