package telecom

// A flip changes a switch of the phone and returns its new state. One that fails
// may have changed it already.
type flip func(s *state) (on bool, err error)

func flipAirplane(s *state) (bool, error) {
	p := s.mutPhone()
	p.Airplane = !p.Airplane
	if !p.Airplane {
		p.Connection = Searching
	}
	if p.Airplane || p.WiFi {
		p.dropWiFi()
	}
	if p.Airplane {
		p.dropVPN()
	}
	return p.Airplane, s.search()
}

func flipData(s *state) (bool, error) {
	p := s.mutPhone()
	p.Data = !p.Data
	return p.Data, s.search()
}

func flipRoaming(s *state) (bool, error) {
	p := s.mutPhone()
	p.Roaming = !p.Roaming
	return p.Roaming, s.search()
}

func flipDataSaver(s *state) (bool, error) {
	p := s.mutPhone()
	p.DataSaver = !p.DataSaver
	return p.DataSaver, nil
}

func flipWiFiCalling(s *state) (bool, error) {
	p := s.mutPhone()
	p.WiFiCalling = !p.WiFiCalling
	return p.WiFiCalling, nil
}

// toggle makes the tool that flips a switch.
func toggle(name string, f flip) tool {
	return bar(func(s *state, _ []any) (string, error) {
		on, err := f(s)
		return name + " is now " + onOff(on) + ".", err
	})
}

// turn makes the function that flips a switch until it is as wanted: twice,
// where it was so before. It answers in the given words.
func turn(answer string, f flip, want bool) tool {
	return tool{Run: func(s *state, _ []any) (any, error) {
		on, err := f(s)
		if err == nil && on != want {
			_, err = f(s)
		}
		if err != nil {
			return nil, err
		}
		return answer, nil
	}}
}

// turnDataOn looks for no network, as turning data off does.
func turnDataOn(s *state, _ []any) (any, error) {
	s.mutPhone().Data = true
	return "Data connection restored.", nil
}

func checkDataRestriction(s *state, _ []any) (any, error) {
	if s.phone().DataSaver {
		return "Data Saver mode is ON (limits data usage).", nil
	}
	return "Data Saver mode is OFF.", nil
}
