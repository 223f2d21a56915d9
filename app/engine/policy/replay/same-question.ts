import type { PolicySource } from '#app/engine/policy/compile-policies.ts';
import type { DecisionResult } from '#app/engine/policy/decision-request.ts';

type Kept = NonNullable<DecisionResult['context']>;

/** Words by which a rule can ask for each fact that tells nearly every call from every other; a word too many costs time and nothing else. */
const NAMED_BY = {
  time: /\b(?:now|weekday|date|hour)\b/,
  spent: /\b(?:callsInRun|costInRun)\b/,
  initiator: /\b(?:Member|approvedBy)\b/,
  today: /\b(?:callsToday|costToday)\b/,
  payee: /\bcallsToPayee\b/,
  groups: /\binitiatorGroups\b/,
  approvals: /\bapprovalsInRun\b/,
};

/**
 * The question that a decision answered, as a text that is the same for those that these policies cannot tell apart: they are made once. Left out is
 * only what no text of theirs has a word for.
 */
export function questionsUnder(sources: readonly PolicySource[]): (kept: Kept | null, action: string, reasonKey: unknown) => string {
  const texts = sources.map(({ text }) => text ?? '').join('\n');
  const asks = (words: RegExp) => words.test(texts);
  const [asksTime, asksSpent, asksInitiator] = [asks(NAMED_BY.time), asks(NAMED_BY.spent), asks(NAMED_BY.initiator)];
  const [asksToday, asksPayee] = [asks(NAMED_BY.today), asks(NAMED_BY.payee)];
  const [asksGroups, asksApprovals] = [asks(NAMED_BY.groups), asks(NAMED_BY.approvals)];
  return (kept, action, reasonKey) => {
    if (kept === null) return `${action} null`;
    const { approvalId, initiatorId, circumstances, ...facts } = kept;
    const { time, callsInRun, costInRunMicros, payee: _, outside, approvalsInRun, ...others } = circumstances ?? {};
    return JSON.stringify([
      ...[action, reasonKey, facts, circumstances == null, others],
      // an approval by who started the run releases nothing
      ...[approvalId !== null, kept.approvedBy.includes(initiatorId)],
      ...[asksToday ? [outside?.callsToday, outside?.costTodayMicros] : null, asksPayee ? [outside?.callsToPayee] : null],
      ...[asksGroups ? [outside?.groups] : null, asksApprovals ? [approvalsInRun] : null],
      ...[asksTime ? time : null, asksSpent ? [callsInRun, costInRunMicros] : null, asksInitiator ? initiatorId : null],
    ]);
  };
}
