// Package verify holds gradients against each other, so that nobody has to trust
// one of them.
//
// A [Problem] is a rulebase with a mini-batch. A [Route] is one way from it to
// the predictions, the loss and the gradient of the loss, a [Result]. [Routes]
// lists them:
//
//	autodiff           graph.Network on stock nodes: Gorgonia derives the gradients
//	fused              graph.Network on our own nodes, where the shape allows it
//	paper              the paper's equations, for its two shapes
//	closed form        the chain rule over the shape's own Gradients
//	finite difference  of the plain forward pass, rules.RuleBase.Loss
//
// They share no derivative: autodiff differentiates the shape's Expr, the paper's
// equations are written out here, the closed form takes the shape's Gradients,
// and the differences see only its Grades. The fused engine has hand-made kernels
// for some shapes; for the others it takes LogGradients, which no other route sees,
// or Gradients.
//
// Parameters that rules share ([rules.RuleBase.Tie]) have one derivative, which every
// copy gets: package graph sums what the graph gives for each, paper and closed form
// sum theirs, and differences move all copies together.
//
// # Comparison
//
// [Compare] runs the routes on a problem and compares every pair of them, values
// first (predictions, loss), then the gradient block by block: one block per
// antecedent parameter, [R,M], and one for the consequents w, [R,M+1]. Two blocks
// a and b differ by
//
//	|a - b| / max(|a|, |b|, 1e-3 s)
//
// with Euclidean norms. The last term keeps rounding from looking like an error
// where a block is zero except for rounding: s is the norm of the whole gradient
// plus the sum of the absolute derivatives by the predictions, by the route for which
// that is less.
//
// Routes that are exact except for rounding must agree to [Tolerance], 1e-9. A finite
// difference carries an error estimate for every element; a pair with one must
// agree to Tolerance plus three times the norm of the estimate. If that is more
// than [Conclusive], 1e-5, the difference proves nothing and the check fails.
//
// A failed check prints the element that differs most, by all routes:
//
//	sigma[r=2,m=0]: autodiff -4.03, fused -3.84, paper -3.84, closed form -3.84, finite difference -3.84
//
// # Kinks
//
// Where the loss has a kink a difference means nothing. A sample from which a kink
// can be reached, because some membership function's kink passes it while one
// parameter moves by twice the largest step, is not taken into the batch: the next
// one is drawn in its place, and it is counted. So all routes see the same batch,
// and the exact ones are compared on it too. (Likewise for samples on which a rule
// fires although one of its grades is below 1e-87.) The same holds for samples near to
// a kink of the loss, [loss.Kinked]; and slopes are not drawn near to a kink of a
// penalty, [penalty.Kinked].
//
// # Use
//
// [Shapes] checks shapes on drawn problems, [Model] a rulebase where it stands, on
// rows of data. Both return a [Report]. [Report.TryMutants] shows that the comparison
// can fail: it feeds it routes that are wrong in one place, each made where the
// mistake would be made, and says which check caught them.
//
// A further engine joins as one more Route in [Routes].
package verify
