package telecom

import (
	"slices"
	"strings"

	"taste/env"
	"taste/env/native"
	"taste/pyjson"
)

// appNamed finds an app by a name of any type, nil where there is none.
func (s *state) appNamed(name any) (*App, error) {
	key, ok, err := env.KeyOf(name)
	if err != nil || !ok {
		return nil, err
	}
	return s.phone().app(key), nil
}

func noApp(name any) string { return "App '" + pyjson.Str(name) + "' not found on this phone." }

// granted returns the names of the permissions that an app has.
func (a *App) granted() []string {
	var names []string
	for i, name := range permissionNames {
		if a.Permissions[i] {
			names = append(names, name)
		}
	}
	return names
}

func checkInstalledApps(s *state, _ []any) (any, error) {
	var names []string
	for i := range s.phone().Apps {
		names = append(names, s.phone().Apps[i].Key)
	}
	return "The following apps are installed on the phone: " + strings.Join(names, ", "), nil
}

func checkAppStatus(s *state, a []any) (any, error) {
	app, err := s.appNamed(a[0])
	if err != nil {
		return nil, err
	}
	if app == nil {
		return noApp(a[0]), nil
	}
	lines := []string{"Status for App: " + pyjson.Str(a[0])}
	names := app.granted()
	if len(names) == 0 {
		lines = append(lines, " - Permissions: None granted.")
	} else {
		lines = append(lines, " - Permissions Granted:")
	}
	for _, n := range names {
		lines = append(lines, "   - "+n)
	}
	return strings.Join(lines, "\n"), nil
}

func checkAppPermissions(s *state, a []any) (any, error) {
	app, err := s.appNamed(a[0])
	if err != nil {
		return nil, err
	}
	if app == nil {
		return noApp(a[0]), nil
	}
	names := app.granted()
	if len(names) == 0 {
		return "App '" + app.Key + "' currently has no permissions granted.", nil
	}
	return "App '" + app.Key + "' has permission for: " + strings.Join(names, ", ") + ".", nil
}

// permission looks up app and permission, by names of any type: at is -1 for
// a permission that there is not.
func (s *state) permission(a []any) (app *App, name string, at int, err error) {
	if app, err = s.appNamed(a[0]); err != nil {
		return nil, "", 0, err
	}
	text, ok := a[1].(string)
	if !ok {
		return nil, "", 0, env.NoAttribute(a[1], "lower")
	}
	name = pyjson.Lower(text)
	return app, name, slices.Index(permissionNames[:], name), nil
}

func grantAppPermission(s *state, a []any) (string, error) {
	app, name, at, err := s.permission(a)
	switch {
	case err != nil:
		return "", err
	case app == nil:
		return "Error. App '" + pyjson.Str(a[0]) + "' not found. Cannot grant permission.", nil
	case at < 0:
		return "Error. Permission '" + name + "' not tracked for app '" + app.Key + "', available permissions: " +
			pyjson.Repr(native.Texts(permissionNames[:])), nil
	}
	s.mutPhone().app(app.Key).Permissions[at] = true
	return "Success. Permission '" + name + "' granted to app '" + app.Key + "'.", nil
}

func removeAppPermission(s *state, a []any) (any, error) {
	app, name, at, err := s.permission(a)
	switch {
	case err != nil:
		return nil, err
	case app == nil:
		return []any{false, "App '" + pyjson.Str(a[0]) + "' not found. Cannot remove permission."}, nil
	case at < 0:
		return []any{false, "Permission '" + name + "' not tracked for app '" + app.Key + "'."}, nil
	}
	s.mutPhone().app(app.Key).Permissions[at] = false
	return []any{true, "Permission '" + name + "' removed from app '" + app.Key + "'."}, nil
}

// canSendMMS says whether picture messages get through.
func (s *state) canSendMMS() (bool, error) {
	p := s.phone()
	if !s.dataWorks() || p.Technology == Tech2G || p.WiFiCalling && truth(p.MMSOverWiFi) {
		return false, nil
	}
	if err := p.APN.settings("mmsc_url"); err != nil {
		return false, err
	}
	app := p.app("messaging")
	return p.APN.MMSCURL != nil && app != nil && app.Permissions[permitStorage] && app.Permissions[permitSMS], nil
}

func canSendMMS(s *state, _ []any) (any, error) {
	can, err := s.canSendMMS()
	if err != nil {
		return nil, err
	}
	if can {
		return "Your messaging app can send MMS messages.", nil
	}
	return "Your messaging app cannot send MMS messages.", nil
}
