import { describe, expect, it } from 'vitest';
import { compilePolicies } from '#app/engine/policy/compile-policies.ts';
import type { DecisionResult } from '#app/engine/policy/decision-request.ts';
import { questionsUnder } from '#app/engine/policy/replay/same-question.ts';
import { decideAgain } from '#app/engine/policy/replay-policy.ts';

type Kept = NonNullable<DecisionResult['context']>;

const CONDITIONS = [
  'context.hour >= 12',
  'context.weekday == "friday"',
  'context.date == "2026-11-27"',
  'context.now < datetime("2026-11-27T10:00:00Z")',
  'context.callsInRun >= 1',
  'context.costInRun.greaterThan(decimal("1.0"))',
  'principal == Member::"u1"',
  'context has approvedBy && context.approvedBy.contains(principal)',
  'principal in Role::"builder"',
  'context.requesterIsAuthor',
  'context.workflow.id == "w1"',
  'context.risk == "high"',
  'context.agent == "a"',
  'context.approvalsInRun >= 1',
  'context.callsToday >= 5',
  'context.costToday.greaterThan(decimal("1.0"))',
  'context.callsToPayee == 0',
  'context.initiatorGroups.contains("Treasury")',
];
const TIME = { at: '2026-11-27T09:00:00.000Z', zone: 'UTC', weekday: 'friday', date: '2026-11-27', hour: 9 } as const;
const OUTSIDE = { groups: ['Sales'], callsToday: 0, costTodayMicros: 0, callsToPayee: 1 };
const FACTS = {
  ...{ initiatorId: 'u1', roles: ['user'], risk: 'high', approvedBy: ['u1'], workflow: 'w1', agent: '', author: false },
  ...{ calls: 0, cost: 0, time: TIME as NonNullable<Kept['circumstances']>['time'] },
  ...{ approvalsInRun: 0, payee: 'x', outside: OUTSIDE },
};
type Facts = typeof FACTS;
/** Each is another call by one fact alone. */
const OTHERS: Partial<Facts>[] = [
  ...[{ initiatorId: 'u2' }, { roles: ['user', 'builder'] }, { risk: 'low' }, { approvedBy: [] }, { approvedBy: ['u3'] }],
  ...[{ approvalsInRun: 1 }, { payee: 'y' }],
  ...[{ callsToday: 5 }, { costTodayMicros: 2_000_000 }, { callsToPayee: 0 }, { groups: ['Treasury'] }].map((other) => ({
    outside: { ...OUTSIDE, ...other },
  })),
  ...[{ workflow: 'w2' }, { agent: 'a' }, { author: true }, { calls: 2 }, { cost: 2_000_000 }],
  ...[{ hour: 13 }, { weekday: 'monday' as const }, { date: '2026-11-26' }, { at: '2026-11-27T13:00:00.000Z' }].map((other) => ({
    time: { ...TIME, ...other },
  })),
];

const contextOf = ({ initiatorId, roles, risk, approvedBy, workflow, agent, author, calls, cost, time, ...more }: Facts): Kept => ({
  ...{ mode: 'live', initiatorId, roles, connection: 'c', connectionId: 'c1', capability: 'say', capabilityId: 'k1' },
  ...{ capabilityState: 'approved', personalDataAllowed: true, builtin: false, personalData: [], risk, findings: 0 },
  ...{ approvalId: approvedBy.length === 0 ? null : 'a1', approvedBy },
  circumstances: {
    ...{ workflow: { id: workflow, name: 'W' }, agent, requesterIsAuthor: author, host: 'h', time },
    ...{ callsInRun: calls, costInRunMicros: cost, ...more },
  },
});

/** The question, and its answer by the policies themselves. */
function askersOf(condition: string, verdict: string) {
  const text = `@id("r") @verdict("${verdict}") @reason("R.") forbid(principal, action, resource) when { ${condition} };`;
  const sources = [{ policyId: 'p', policyName: 'P', version: 1, text }];
  const compiled = compilePolicies(sources);
  const questionOf = questionsUnder(sources);
  return (context: Kept) => {
    const row = { run_id: 'r', action: 'call_tool', reason: { key: 'policyAllowed', values: {} }, context };
    return {
      question: questionOf(context, row.action, row.reason.key),
      answer: decideAgain(compiled, row, 'ws', new Map([['c1', 'mcp' as const]])),
    };
  };
}

describe('questions of a replay', () => {
  it.each(CONDITIONS)('that are the same by their text have the same answer under %s', (condition) => {
    let same = 0;
    for (const verdict of ['deny', 'require_approval']) {
      const ask = askersOf(condition, verdict);
      for (const base of [FACTS, { ...FACTS, approvedBy: [] }, { ...FACTS, risk: 'low', calls: 1 }]) {
        const known = ask(contextOf(base));
        for (const other of OTHERS) {
          const asked = ask(contextOf({ ...base, ...other }));
          if (asked.question !== known.question) continue;
          same += 1;
          expect(asked.answer).toEqual(known.answer);
        }
      }
    }
    // at least what no rule asks for is left out
    expect(same).toBeGreaterThan(5);
  });
});
