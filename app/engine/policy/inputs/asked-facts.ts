import type { Circumstances } from '#app/engine/policy/decision-request.ts';

/** Words by which a rule can ask for what lies outside its run; a word too many costs a statement and nothing else. */
const OUTSIDE = /\b(?:callsToday|costToday|callsToPayee|initiatorGroups)\b/;
const APPROVALS = /\bapprovalsInRun\b/;

/** The facts that policies ask for and that not every decision has. */
export type AskedFacts = { outside: boolean; approvals: boolean };

export function askedFacts(texts: readonly string[]): AskedFacts {
  const asks = (words: RegExp) => texts.some((text) => words.test(text));
  return { outside: asks(OUTSIDE), approvals: asks(APPROVALS) };
}

/** Whether all is known that these policies ask for. What is not known is not given to a rule: it fails, and the call is refused. */
export function knowsAsked(asked: AskedFacts, circumstances: Circumstances | null): circumstances is Circumstances {
  if (circumstances === null) return false;
  return !(asked.outside && circumstances.outside === undefined) && !(asked.approvals && circumstances.approvalsInRun === undefined);
}
