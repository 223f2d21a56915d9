import type { Verdict } from '#app/contracts/statuses.ts';

/** A rule that determined a decision, as its row keeps it. `version` 0: built into the engine. */
export type DecidingRule = { policyId: string; policyName: string; version: number; rule: string; verdict: Verdict };

export const DECISION_QUESTIONS = ['deny', 'require_approval', 'warn'] as const;
export type DecisionQuestion = (typeof DECISION_QUESTIONS)[number];

/**
 * The strictest rule decides: so a decision is a walk down three questions. `yes` ends it, `no` continues, `released` continues because the
 * approval that was asked for has been given. `reached`: the walk came here. `failed`: no rule denied, but what cannot be evaluated is
 * refused.
 */
export type DecisionStep = {
  question: DecisionQuestion;
  rules: DecidingRule[];
  reached: boolean;
  answer: 'yes' | 'no' | 'released' | 'failed';
};

export function decisionPath(verdict: Verdict, rules: readonly DecidingRule[]): DecisionStep[] {
  const ends = questionOf(verdict);
  let reached = true;
  return DECISION_QUESTIONS.map((question) => {
    const own = rules.filter((rule) => questionOf(rule.verdict) === question);
    const step: DecisionStep = { question, rules: own, reached, answer: answerOf(question, own.length > 0, ends === question) };
    if (ends === question) reached = false;
    return step;
  });
}

function questionOf(verdict: Verdict): DecisionQuestion | null {
  // a call whose input was changed is made: its sentence says what was changed
  return verdict === 'allow' || verdict === 'transform' ? null : verdict;
}

function answerOf(question: DecisionQuestion, named: boolean, ends: boolean): DecisionStep['answer'] {
  if (ends) return question === 'deny' && !named ? 'failed' : 'yes';
  return named && question === 'require_approval' ? 'released' : 'no';
}
