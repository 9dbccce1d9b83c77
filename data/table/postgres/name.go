package postgres

import (
	"errors"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// A host is an address of IPv6 in brackets, a name or a directory, and perhaps a port.
const host = `(?:\[[0-9A-Fa-f:.]+(?:%25[\w.-]+)?\]|[^:/?#@,\[\]]*)(?::[0-9]{1,5})?`

// form is that of names, with user, hosts, database and options. A name without it may have a password anywhere.
var form = regexp.MustCompile(`^postgres(?:ql)?://(?:([^:/?#@]*)@)?(` + host + `(?:,` + host + `)*)(?:/([^:/?#@]*))?(?:\?([^#]*))?$`)

// options says of which texts the values of the options are. An option that it lacks may be a password.
var options = map[string]func(value string) bool{"user": isUser, "host": areHosts, "dbname": isDatabase, "database": isDatabase,
	"passfile": isPath, "require_auth": isDatabase,
	"port": regexp.MustCompile(`^[0-9,]*$`).MatchString}

func init() {
	for option := range strings.FieldsSeq(`application_name channel_binding client_encoding connect_timeout krbspn krbsrvname
		max_protocol_version min_protocol_version options
		role search_path service servicefile ssl sslcert sslcertmode sslkey sslmode sslnegotiation sslrootcert sslsni statement_timeout
		target_session_attrs TimeZone timezone`) {
		options[option] = isOther
	}
}

func isUser(text string) bool     { return !strings.ContainsAny(text, ":/?#;=%") }
func isDatabase(text string) bool { return !strings.ContainsAny(text, ":/?#;=%@") }

func isPath(text string) bool { return !strings.ContainsAny(text, "?#;=@") }

func areHosts(text string) bool {
	return !strings.ContainsAny(text, "?#;=@") && !slices.ContainsFunc(strings.Split(text, ","), func(host string) bool {
		_, err := netip.ParseAddr(host)
		return err != nil && strings.Contains(host, ":")
	})
}

var suspect = regexp.MustCompile(`(?i)passw|pwd|@|://`)

func isOther(text string) bool { return !suspect.MatchString(text) }

// check refuses a name that may have a password: it is written to files and messages, so that each part must be one that is known.
func check(name string) error {
	if parts := form.FindStringSubmatch(name); parts != nil && is(parts[1], isUser) && is(strings.ReplaceAll(parts[2], ":", ""), areHosts) &&
		is(parts[3], isDatabase) && areOptions(parts[4]) {
		return nil
	}
	return errors.New("want postgres://USER@HOST:PORT/DATABASE?OPTION=VALUE without a password, which would be written to files and " +
		"messages: leave it out and set PGPASSWORD, " +
		"or use ~/.pgpass or a service file (postgres://?service=NAME); options that are not of the connection are refused")
}

// is reports whether a part of a URL is such a text.
func is(part string, such func(text string) bool) bool {
	text, err := url.PathUnescape(part)
	return err == nil && such(text)
}

// areOptions reports whether a text is a list of known options.
func areOptions(text string) bool {
	pairs, err := url.ParseQuery(text)
	for option, values := range pairs {
		for _, value := range values {
			if such := options[option]; such == nil || !such(value) {
				return false
			}
		}
	}
	return err == nil
}
