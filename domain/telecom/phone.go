package telecom

import "taste/pyjson"

// Words for the strength of a signal or the performance of a connection.
const (
	None      = "none"
	Unknown   = "unknown"
	Poor      = "poor"
	Fair      = "fair"
	Good      = "good"
	Excellent = "excellent"
)

// Network technologies; None is one too.
const (
	Tech2G = "2G"
	Tech3G = "3G"
	Tech4G = "4G"
	Tech5G = "5G"
)

// Network modes that a phone can prefer.
const (
	Prefer4G5G = "4g_5g_preferred"
	Only4G     = "4g_only"
	Only3G     = "3g_only"
	Only2G     = "2g_only"
)

// Statuses of the connection to the network.
const (
	Connected     = "connected"
	Searching     = "searching"
	NoService     = "no_service"
	EmergencyOnly = "emergency_only"
)

// Statuses of a SIM card.
const (
	SIMActive    = "active"
	SIMMissing   = "missing"
	SIMLockedPIN = "locked_pin"
	SIMLockedPUK = "locked_puk"
)

// Names of an access point.
const (
	APNInternet = "internet"
	APNBroken   = "broken"
)

// Phone is the user's phone.
type Phone struct {
	SIMStatus  string
	SIMMissing bool // out of its tray, whatever its status
	Airplane   bool

	Signal     string
	Technology string
	Connection string
	Battery    pyjson.Int // per cent

	Data    bool
	Roaming bool
	// Mode is one of the network modes, but users can store a value of any
	// other type than text without a check.
	Mode any
	APN  APN

	WiFi          bool
	WiFiConnected bool
	WiFiName      *string
	WiFiSignal    string

	WiFiCalling bool
	MMSOverWiFi any // a boolean, but tasks can store any value
	DataSaver   bool

	VPNSetting   bool
	VPNConnected bool
	VPN          *VPN

	Apps []App // in order of installation
}

// APN is how the phone reaches the carrier's data network.
type APN struct {
	Name          string
	ResetAtReboot bool
	MMSName       *string
	MMSCURL       *string // where picture messages go
	MMSProxy      *string
	MMSPort       *pyjson.Int

	// raw stands in the place of the settings where a user has set something
	// that is no object.
	raw *any
}

// VPN is a connection through another server.
type VPN struct {
	Server      *string
	Protocol    *string
	Performance string
}

// App is an installed app.
type App struct {
	Key         string
	Name        string
	Permissions [4]bool // in the order of permissionNames
}

var permissionNames = [4]string{"sms", "storage", "phone", "network"}

// Places in App.Permissions.
const (
	permitSMS = iota
	permitStorage
	permitPhone
	permitNetwork
)

// Surroundings are what the phone finds around it, and what it knows of the
// account. Name, Number and Abroad are texts and a boolean, but tasks can store
// values of any type without a check.
type Surroundings struct {
	Name           any
	Number         any
	Abroad         any
	RoamingAllowed bool
	Signals        []TechSignal // in written order
	UsageExceeded  bool
	LineActive     bool
	Payment        *PaymentRequest
}

// TechSignal is the strength of the signal of one technology.
type TechSignal struct{ Technology, Strength string }

// PaymentRequest asks the user to pay a bill.
type PaymentRequest struct {
	BillID string
	Amount float64 // dollars
	Paid   bool
}

// signal returns the strength of a technology's signal.
func (s *Surroundings) signal(technology string) string {
	for _, t := range s.Signals {
		if t.Technology == technology {
			return t.Strength
		}
	}
	return None
}

// app returns an installed app, nil where there is none of the key.
func (p *Phone) app(key string) *App {
	for i := range p.Apps {
		if p.Apps[i].Key == key {
			return &p.Apps[i]
		}
	}
	return nil
}
