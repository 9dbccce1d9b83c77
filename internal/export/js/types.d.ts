export interface Prediction extends Answer {
  /** Whether rules of all members cover the row. Without, the response is that of all training rows. */
  covered: boolean;
  /** Whether a limit of the target applied. */
  limited: boolean;
}

export interface RuleExplanation {
  /** Conditions, in words. */
  if: string[];
  /** Consequent of each output, in words. */
  then: string[];
  /** Normalised firing level: the share in the prediction. */
  level: number;
  /** What the rule predicts alone; null without a prediction. */
  says: Answer | null;
}

export interface MemberExplanation extends Prediction {
  rules: RuleExplanation[];
}

export interface Explanation extends Prediction {
  /** The members of a committee, whose mean is the prediction; one of a single model. */
  members: MemberExplanation[];
}

export interface Column {
  name: keyof Row;
  unit?: string;
  encoding: "numeric" | "ordinal" | "one-hot";
  /** Of a column of categories. */
  levels?: readonly string[];
  /** Of a column of numbers, in training. */
  min?: number;
  max?: number;
}

export interface Output {
  /** A target, a class, or the level of a quantile. */
  name: string;
  unit?: string;
}

export declare const columns: readonly Column[];
export declare const outputs: readonly Output[];

/** Predicts for a row. A column that is absent, or a cell of another type, is a TypeError. */
export declare function predict(row: Row): Prediction;

/** Predicts for a row, with what each rule says. */
export declare function explain(row: Row): Explanation;
