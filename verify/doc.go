// Package verify checks gradients by comparing independent computations of them.
//
// A [Problem] is a rulebase, of one output or several, with a loss, penalties and a
// mini-batch. A [Route] is one way to compute its
// predictions, loss and gradient of the loss, a [Result]. [Routes] lists them:
//
//	autodiff           graph.Network from Gorgonia's operations, with Gorgonia's gradients
//	fused              graph.Network from fused operations, if they support the shape
//	paper              the paper's equations, for its two shapes
//	closed form        the chain rule over the shape's own Gradients
//	finite difference  of the plain forward pass, rules.RuleBase.Loss
//
// They share no derivative: autodiff differentiates the shape's Expr, the paper's
// equations are implemented here, the closed form uses the shape's Gradients (and of curves
// the two knots around a sample, where the former two use the tents of all knots), and the
// differences use only its Grades. The fused engine has kernels of its own for some
// shapes; for the others it uses LogGradients, which no other route does, or Gradients.
//
// Parameters that rules share ([rules.RuleBase.Shared]) have one derivative, the same in
// every copy: package graph sums the gradients of the copies in its graph, paper and
// closed form sum theirs, and differences move all copies together.
//
// # Comparison
//
// [Compare] runs the routes on a problem and compares every pair of them, values
// first (predictions, loss), then the gradient block by block: one block per
// antecedent parameter, [R,M], one for the consequents w of all C outputs, [R,C(M+1)], and
// one for the values of their curves, [C R,Q] or [C,Q], if there are any. Two blocks a and b differ by
//
//	|a - b| / max(|a|, |b|, 1e-3 s)
//
// with Euclidean norms. The last term keeps rounding errors from failing a block that is
// zero in exact arithmetic: s is the norm of the whole gradient plus the sum of the
// absolute derivatives by the predictions, by the route for which that is less.
//
// Routes that are exact except for rounding must agree to [Tolerance], 1e-9. A finite
// difference has an error estimate for every element; a pair with one must agree to
// Tolerance plus three times the norm of the estimate. If that is more than [Conclusive],
// 1e-5, the comparison is inconclusive and the check fails.
//
// Three lines say what is wrong in the first problem of which a check fails ([Report].Fault): the shape, or the loss, the
// penalty, the t-norm or the defuzzification if no problem with it passes; the element that differs most, by
// all routes; and the routes that stand alone, with the method that they use:
//
//	quartic: the routes give different derivatives by c
//	c[r=1,m=0]: autodiff -5.33, closed form -10.67, finite difference -5.33
//	closed form (Gradients) stands alone
//
// # Kinks
//
// At a kink of the loss a finite difference is meaningless. A sample is within reach of a
// kink if the kink of some membership function passes it while one parameter moves by
// twice the largest step. Such samples are replaced by others and counted, and so are
// samples on which a rule fires although one of its grades is below 1e-87, and samples
// near a kink of the loss, [loss.Kinked], by their prediction or, under an agreement of the
// rules, by the output of a rule. All routes, exact ones too, are compared on the
// same batch. Slopes are not drawn near a kink of a penalty, [penalty.Kinked]. The knots of
// curves are no kinks: the loss is differentiated by their values, not by the features.
//
// # Use
//
// [Shapes] checks shapes on random problems, [Model] a rulebase with its current
// parameters on rows of data. Both return a [Report]. The tests show that the comparison can
// fail: they compare routes with one mistake each, all of which it must catch.
//
// To add an engine, add a Route to [Routes].
package verify
