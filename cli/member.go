package cli

import (
	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/model"
)

// addMember adds the flag that names a member of a committee.
func addMember(cmd *cobra.Command, member *int) {
	cmd.Flags().IntVar(member, "member", 0, "`number` of the committee member to use, from 1")
}

// loadMember reads a model from a file or the directory of a run, and returns the member of that number, or for 0 the
// model itself.
func loadMember(path string, member int) (*model.Model, error) {
	m, err := model.Load(path)
	if err != nil {
		return nil, err
	}
	return memberOf(m, member)
}

// memberOf returns the member of that number, or for 0 the model itself.
func memberOf(m *model.Model, member int) (*model.Model, error) {
	switch {
	case member == 0:
		return m, nil
	case !m.Committee():
		return nil, message.Usagef("--member %d: the model is not a committee: leave out --member", member)
	case member < 0 || member > len(m.Members):
		return nil, message.Usagef("--member %d: the committee has members 1 to %d", member, len(m.Members))
	}
	return m.Members[member-1], nil
}

// loadRules reads a single model or a member of a committee, for commands that work on one rulebase.
func loadRules(path string, member int) (*model.Model, error) {
	m, err := loadMember(path, member)
	if err == nil && m.Committee() {
		return nil, whichMember(m)
	}
	return m, err
}

// whichMember returns the error about a committee of which no member is named.
func whichMember(m *model.Model) error {
	return message.Usagef("the model is a committee of %d: choose a member with --member 1 to %d", len(m.Members), len(m.Members))
}
