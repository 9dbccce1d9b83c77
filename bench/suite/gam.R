# An additive model of mgcv: a smooth of each numeric column, and a random effect of the levels of each column of words; of more than two
# classes one model each, whose probabilities are normalised. Prints the number of coefficients.
suppressMessages(library(mgcv))
given <- commandArgs(TRUE)
read <- function(path) read.csv(path, na.strings = "", colClasses = "character", check.names = FALSE)
train <- read(given[1])
test <- read(given[2])
target <- train[[ncol(train)]]
train <- train[-ncol(train)]
test <- test[-ncol(test)]
names(train) <- names(test) <- paste0("v", seq_along(train))

numeric <- vapply(train, function(v) !anyNA(suppressWarnings(as.numeric(v[!is.na(v)]))), NA)
fill <- function(name) { # numbers within the range of the training part, its mean for missing ones; unknown levels as its most frequent one
  if (numeric[[name]]) {
    v <- as.numeric(train[[name]])
    u <- suppressWarnings(as.numeric(test[[name]]))
    middle <- mean(v, na.rm = TRUE)
    v[is.na(v)] <- middle
    u[is.na(u)] <- middle
    u <- pmin(pmax(u, min(v)), max(v))
  } else {
    v <- factor(ifelse(is.na(train[[name]]), "(missing)", train[[name]]))
    u <- ifelse(is.na(test[[name]]), "(missing)", test[[name]])
    u[!u %in% levels(v)] <- names(which.max(table(v)))
    u <- factor(u, levels(v))
  }
  train[[name]] <<- v
  test[[name]] <<- u
}
for (name in names(train)) if (!all(is.na(train[[name]]))) fill(name)

distinct <- vapply(train, function(v) { # values on the grid of which bam takes no more than a thousand
  if (is.numeric(v) && length(unique(v)) > 1) v <- round(1000 * (v - min(v)) / diff(range(v)))
  length(unique(v))
}, 0L)
used <- names(train)[distinct > 1]
basis <- max(4, min(10, floor(nrow(train) / (2 * length(used))))) # functions of a smooth
terms <- vapply(used, function(name) {
  if (!numeric[[name]]) return(sprintf("s(%s, bs = 're')", name))
  if (distinct[[name]] < 4) return(name)
  sprintf("s(%s, k = %d)", name, min(basis, distinct[[name]]))
}, "")
formula <- as.formula(paste("y ~", paste(terms, collapse = " + ")))
fit <- function(y, family) suppressWarnings(bam(formula, family, cbind(train, y = y), discrete = TRUE, select = TRUE))

size <- 0
ask <- function(y, family) {
  model <- fit(y, family)
  size <<- size + length(coef(model))
  as.numeric(predict(model, test, type = "response"))
}
if (given[3] == "numbers") {
  out <- data.frame(predicted = ask(as.numeric(target), gaussian()))
} else {
  classes <- sort(unique(target), method = "radix")
  if (length(classes) == 2) {
    p <- ask(as.numeric(target == classes[2]), binomial())
    out <- cbind(1 - p, p)
  } else {
    out <- sapply(classes, function(class) pmax(ask(as.numeric(target == class), binomial()), 1e-9))
    out <- out / rowSums(out)
  }
  out <- setNames(as.data.frame(out), classes)
}
write.csv(out, given[4], row.names = FALSE)
cat(size, "\n")
