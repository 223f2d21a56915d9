import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '#app/domain/audit/canonical-json.ts';
import { type JournalDecision, type JournalStep, journalEntry, journalHash, journalRecords } from '#app/engine/audit/journal-hash.ts';

const at = new Date('2026-11-20T10:00:00.123Z');
const step = (path: string, change: Partial<JournalStep> = {}): JournalStep => ({
  path,
  step_id: path,
  kind: 'tool',
  name: 'Screen the name',
  status: 'success',
  attempt: 1,
  run_attempt: 1,
  idempotency_key: 'k',
  protocol: 'mcp',
  connection_id: null,
  capability_id: null,
  capability_fingerprint: null,
  candidates: null,
  reason: { key: 'x', values: {} },
  input: { name: 'Ada' },
  output: { matches: [] },
  error: null,
  input_digest: null,
  output_digest: null,
  decision_id: null,
  approval_id: null,
  started_at: at,
  finished_at: at,
  ...change,
});
const decision = (id: string): JournalDecision => ({
  id,
  step_path: 'a',
  attempt: 1,
  action: 'callTool',
  verdict: 'allow',
  rules: [],
  reason: { key: 'y', values: {} },
  context: {},
  action_digest: 'd',
  policy_version: 'p',
  decided_at: at,
});
const sha = (text: string) => createHash('sha256').update(text).digest();

describe('journalEntry', () => {
  it('is the Merkle root over the canonical records', () => {
    const leaf = (value: Parameters<typeof canonicalJson>[0]) => sha(`\0${canonicalJson(value)}`);
    const [a, d] = journalRecords([step('a')], [decision('1')]);
    const root = createHash('sha256')
      .update('\u0001')
      .update(leaf(a?.record ?? null))
      .update(leaf(d?.record ?? null))
      .digest('hex');
    expect(journalEntry([step('a')], [decision('1')])).toEqual({
      journal: root,
      steps: 1,
      decisions: 1,
      records: [
        ['step:a', leaf(a?.record ?? null).toString('hex')],
        ['decision:1', leaf(d?.record ?? null).toString('hex')],
      ],
    });
  });

  it('does not depend on the order of the rows', () => {
    expect(journalHash([step('b'), step('a')], [decision('2'), decision('1')])).toBe(
      journalHash([step('a'), step('b')], [decision('1'), decision('2')]),
    );
  });

  it('changes with everything that a row says', () => {
    const before = journalHash([step('a')], []);
    for (const change of [
      { output: { matches: ['x'] } },
      { status: 'error' },
      { reason: null },
      { attempt: 2 },
      { finished_at: null },
    ] satisfies Partial<JournalStep>[])
      expect(journalHash([step('a', change)], [])).not.toBe(before);
  });

  it('holds digests of contents, so that a payload can be erased', () => {
    const digest = (value: Parameters<typeof canonicalJson>[0]) => sha(canonicalJson(value)).toString('hex');
    const erased = step('a', { input: null, output: null, input_digest: digest({ name: 'Ada' }), output_digest: digest({ matches: [] }) });
    expect(journalHash([erased], [])).toBe(journalHash([step('a')], []));
  });

  it('names no record where there are more than a thousand, and binds them all the same', () => {
    const steps = Array.from({ length: 1_001 }, (_, index) => step(`lines/${index}`));
    const entry = journalEntry(steps, []);
    expect(entry).toMatchObject({ steps: 1_001, records: [] });
    expect(entry.journal).not.toBe(journalHash(steps.with(7, step('lines/7', { status: 'error' })), []));
    expect(journalEntry(steps.slice(1), []).records).toHaveLength(1_000);
  });

  it('has the hash of nothing for a run without steps', () => {
    expect(journalHash([], [])).toBe(sha('').toString('hex'));
  });
});
