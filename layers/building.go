package layers

import "sync"

// Building must be locked while a graph is built and differentiated: all graphs of a
// program copy Gorgonia's constant nodes (such as the gradient 1 of the loss), and the
// first copy of one writes its hash. Graphs may run concurrently once they are built.
var Building sync.Mutex
