package telecom

// Dates and times are texts as Python spells them: 2025-01-31 and
// 2025-01-31 14:30:00; "" where there is none.

// Plan is what a line may cost and use.
type Plan struct {
	PlanID             string
	Name               string
	DataLimitGB        float64
	PricePerMonth      float64 // dollars
	RefuelingPriceByGB float64 // dollars
}

// Device is a device of a customer.
type Device struct {
	DeviceID         string
	Type             string // phone, router, tablet, watch or other
	Model            string
	IMEI             *string
	ESIMCapable      bool
	Activated        bool
	ActivationDate   string // time
	LastESIMTransfer string // time
}

// Statuses of a line.
const (
	LineActive    = "Active"
	LineSuspended = "Suspended"
	LinePending   = "Pending Activation"
	LineClosed    = "Closed"
)

// Line is a phone number under contract.
type Line struct {
	LineID      string
	PhoneNumber string
	Status      string
	PlanID      string
	DeviceID    *string
	// Used and refuelled gigabytes are numbers, but tasks can store a value of
	// any type as what is used, without a check.
	DataUsedGB      any
	DataRefuelingGB float64
	Roaming         bool
	ContractEnd     string // date
	LastPlanChange  string // date
	LastSIMChange   string // date
	SuspensionStart string // date
}

// Statuses of a bill.
const (
	BillDraft    = "Draft"
	BillIssued   = "Issued"
	BillAwaiting = "Awaiting Payment"
	BillPaid     = "Paid"
	BillOverdue  = "Overdue"
	BillDisputed = "Disputed"
)

// Bill is a bill, or the draft of the next one.
type Bill struct {
	BillID      string
	CustomerID  string
	PeriodStart string // date
	PeriodEnd   string // date
	IssueDate   string // date
	TotalDue    float64
	DueDate     string // date
	Items       []LineItem
	Status      string
}

// LineItem is an entry of a bill; credits are negative.
type LineItem struct {
	Description string
	Amount      float64 // dollars
	Date        string
	Type        string // e.g. Charge or Credit
}

// Customer is a customer.
type Customer struct {
	CustomerID     string
	FullName       string
	DateOfBirth    string
	Email          string
	PhoneNumber    string
	Address        Address
	AccountStatus  string
	PaymentMethods []PaymentMethod
	LineIDs        []string
	BillIDs        []string
	CreatedAt      string // time
	LastExtension  string // date
	GoodwillCredit float64
}

// Address of a customer.
type Address struct{ Street, City, State, ZipCode string }

// PaymentMethod is one way to pay.
type PaymentMethod struct {
	Type           string // Credit Card, Debit Card or PayPal
	LastFour       string
	ExpirationDate string // MM/YYYY
}
