# Rules with linear formulas of Cubist at its defaults. Prints the number of rules.
present <- suppressWarnings(suppressMessages(require(Cubist, quietly = TRUE)))
if (!present) {
  message("the R package Cubist is not installed")
  quit(status = 3)
}
given <- commandArgs(TRUE)
read <- function(path) read.csv(path, na.strings = "", colClasses = "character", check.names = FALSE)
train <- read(given[1])
test <- read(given[2])
names(train) <- names(test) <- paste0("v", seq_along(train))
for (name in names(train)) {
  both <- c(train[[name]], test[[name]])
  numeric <- !anyNA(suppressWarnings(as.numeric(both[!is.na(both)])))
  both <- if (numeric) as.numeric(both) else factor(match(both, unique(both))) # of levels their numbers, since Cubist does not take all texts
  train[[name]] <- both[seq_len(nrow(train))]
  test[[name]] <- both[-seq_len(nrow(train))]
}
last <- ncol(train)
kept <- vapply(train[-last], function(v) !all(is.na(v)), NA)
model <- cubist(train[-last][kept], train[[last]])
write.csv(data.frame(predicted = predict(model, test[-last][kept])), given[4], row.names = FALSE)
cat(sum(as.integer(regmatches(model$model, gregexpr('(?<=rules=")[0-9]+', model$model, perl = TRUE))[[1]])), "\n")
