//go:build !js

package config

import "github.com/spf13/viper"

// merged merges the nodes of the sources by key. All of viper is here. It merges nodes of YAML
// instead of values, because its conversions are weak ("500" is a number).
type merged = *viper.Viper

func newMerged() merged { return viper.New() }
