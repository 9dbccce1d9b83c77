package main

import _ "github.com/DataDog/sketches-go/ddsketch" // until package fit imports it
