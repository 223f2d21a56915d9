/**
 * The process that makes past decisions again: thousands, one after the other, which would hold up the runs of the process that asks for
 * them. It is told which policies apply, then answers rows with those that would be others. It reads and writes nothing else.
 */
import { LRUCache } from 'lru-cache';
import type { Explanation } from '#app/contracts/explanation.ts';
import type { Verdict } from '#app/contracts/statuses.ts';
import { type CompiledPolicies, compilePolicies, type PolicySource } from '#app/engine/policy/compile-policies.ts';
import type { DecisionResult } from '#app/engine/policy/decision-request.ts';
import type { ToolSchemas } from '#app/engine/policy/inputs/check-inputs.ts';
import { questionsUnder } from '#app/engine/policy/replay/same-question.ts';
import { type ConnectionKinds, decideAgain } from '#app/engine/policy/replay-policy.ts';

export type ReplayTask = { workspaceId: string; sources: readonly PolicySource[]; schemas: ToolSchemas; kinds: ConnectionKinds };
/** `reason` and `context`: as JSON, which this process alone has to read. */
export type ReplayRow = {
  id: string;
  runId: string;
  path: string;
  action: string;
  verdict: Verdict;
  reason: string;
  context: string;
};
export type ReplayedRow = {
  decision: string;
  run: string;
  path: string;
  capability: string;
  was: Verdict;
  would: Verdict;
  reason: Explanation;
};
export type ReplayedRows = { decided: number; unreadable: number; changed: ReplayedRow[] };
/** `version`: digest over the policies; null: they cannot be read. */
export type ReplayAnswer = 'ready' | { version: string | null } | ReplayedRows;

type Again = { answer: ReturnType<typeof decideAgain> };
/** Questions that were asked last: most calls of a workspace are alike. */
const QUESTIONS_KEPT = 20_000;
type Standing = {
  task: ReplayTask;
  compiled: CompiledPolicies;
  questionOf: ReturnType<typeof questionsUnder>;
  known: LRUCache<string, Again>;
};

let standing: Standing | undefined;

process.on('disconnect', () => process.exit());
process.on('message', (message: ReplayTask | readonly ReplayRow[]) => process.send?.(answerOf(message)));
process.send?.('ready' satisfies ReplayAnswer);

function answerOf(message: ReplayTask | readonly ReplayRow[]): ReplayAnswer {
  if ('sources' in message) {
    const compiled = compilePolicies(message.sources, message.schemas);
    standing = { task: message, compiled, questionOf: questionsUnder(message.sources), known: new LRUCache({ max: QUESTIONS_KEPT }) };
    return { version: compiled.unreadable === null ? compiled.policyVersion : null };
  }
  const answer: ReplayedRows = { decided: 0, unreadable: 0, changed: [] };
  for (const row of message) {
    const again = againOf(row);
    if (again === null) {
      answer.unreadable += 1;
      continue;
    }
    answer.decided += 1;
    if (again.verdict !== row.verdict) answer.changed.push(changeOf(row, again));
  }
  return answer;
}

function againOf({ runId, action, reason: reasonText, context: contextText }: ReplayRow): Again['answer'] {
  if (standing === undefined) throw new Error('no policies were given');
  const { task, compiled, questionOf, known } = standing;
  const context = JSON.parse(contextText) as DecisionResult['context'];
  const reason = JSON.parse(reasonText) as Explanation;
  const question = questionOf(context, action, reason.key);
  const before = known.get(question);
  if (before !== undefined) return before.answer;
  const answer = decideAgain(compiled, { run_id: runId, action, reason, context }, task.workspaceId, task.kinds);
  known.set(question, { answer });
  return answer;
}

const changeOf = (
  { id, runId, path, verdict }: ReplayRow,
  again: { capability: string; verdict: Verdict; reason: Explanation },
): ReplayedRow => ({
  ...{ decision: id, run: runId, path, capability: again.capability },
  ...{ was: verdict, would: again.verdict, reason: again.reason },
});
