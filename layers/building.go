package layers

import "sync"

// Building is held while a graph is built and differentiated. Gorgonia's own
// constants (such as the gradient 1 of the loss) are nodes that all graphs of a
// program copy, and copying one the first time writes its hash. Graphs that are
// built may run at the same time.
var Building sync.Mutex
