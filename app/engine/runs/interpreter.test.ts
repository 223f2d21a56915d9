import fc from 'fast-check';
import { expect, test } from 'vitest';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import { EMPTY_WORKFLOW, type WorkflowDocument, workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import { type CallPeer, PeerError } from '#app/engine/connections/peer.ts';
import { executeRun } from '#app/engine/runs/execute-run.ts';
import { buildRunConfig } from '#app/engine/runs/run-config.ts';
import { memoryFiles } from '#tests/support/documents/memory-files.ts';
import { createMemoryJournal, Killed, NO_TEXTS } from '#tests/support/memory-journal.ts';

const CONFIG = buildRunConfig({
  revision: 1,
  privateNetwork: [],
  connections: [
    {
      id: 'c1',
      kind: 'mcp',
      name: 'Peer',
      slug: 'peer',
      endpoint: 'https://peer.example',
      status: 'connected',
      credential: null,
      personalDataAllowed: true,
      settings: {},
      paused: false,
      idempotent: true,
    },
  ],
  capabilities: [
    {
      id: 'k1',
      connectionId: 'c1',
      kind: 'tool',
      name: 'echo',
      title: '',
      description: '',
      inputSchema: null,
      fingerprint: 'f',
      approvedFingerprint: 'f',
      annotations: null,
      effect: null,
    },
  ],
  policies: [],
  agents: {},
});
const RUN = { runId: '00000000-0000-7000-8000-000000000001', workspaceId: '00000000-0000-7000-8000-000000000002' };

/** Each step that waits takes a drive of its own, and each kill one more: the largest documents here come to some hundred. */
const MOST_DRIVES = 1_000;

/** Drives a document until it ends, killed at the statements that `kills` says. */
async function runToEnd(document: WorkflowDocument, fails: ReadonlySet<string>, kills: readonly { after: number; applied: boolean }[]) {
  const calls: { path: string; whileStored: boolean }[] = [];
  const left = [...kills];
  let ids = 0;
  for (let drives = 0; drives < MOST_DRIVES; drives += 1) {
    const kill = left.shift() ?? null;
    const journal = drives === 0 ? createMemoryJournal() : previous;
    previous = journal;
    const store = journal.open(kill);
    const callPeer: CallPeer = async ({ idempotencyKey }) => {
      const path = idempotencyKey.slice(RUN.runId.length + 1);
      calls.push({ path, whileStored: journal.isStored(path) });
      if (fails.has(path.slice(path.lastIndexOf('/') + 1))) throw new PeerError({ key: 'peerUnreachable', values: {}, retryable: false });
      return { output: { from: path }, protocolVersion: '1' };
    };
    const deps = {
      store,
      configs: { get: async () => CONFIG, records: () => new Map() },
      callPeer,
      sealer: { seal: () => new Uint8Array(), open: () => '' },
      files: memoryFiles(),
      scanFile: async () => 'clean' as const,
      clock: { now: () => new Date(1_767_225_600_000) },
      newId: () => `id-${ids++}`,
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      queue: { send: async () => undefined } as unknown as Parameters<typeof executeRun>[0]['queue'],
      texts: NO_TEXTS,
      readDocument: async (_workspace: string, version: string) => ({ ...(version === 'o' ? EMPTY_WORKFLOW : document), agents: {} }),
    };
    try {
      const { claim } = await store.claim(RUN, 'worker', null);
      if (claim.state !== 'claimed') return { journal, calls };
      await executeRun(deps, RUN, claim, { cancel: new AbortController().signal, letGo: new AbortController().signal });
      if (!['processing', 'waiting'].includes(journal.run.status)) return { journal, calls };
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
  }
  throw new Error('the run never ended');
}
let previous = createMemoryJournal();

/**
 * Documents with tools, transforms, waits, calls of another workflow, messages, documents, tasks, loops of both kinds, error ways, a cleanup and both kinds of
 * branches, whose conditions use earlier outputs.
 */
const documents = (() => {
  let n = 0;
  const id = () => `s${n++}`;
  const leaf = fc.oneof(
    fc.record({ kind: fc.constant('tool'), onError: fc.constantFrom('fail', 'continue') }),
    fc.record({
      kind: fc.constant('transform'),
      expression: fc.constantFrom('$count($keys(steps))', 'run.id', '$sum([1, "x"])', '[error]', '[steps.*]'),
      onError: fc.constantFrom('fail', 'continue'),
    }),
    fc.record({
      kind: fc.constant('sub_workflow'),
      workflow: fc.constantFrom('other', 'other', 'gone'),
      onError: fc.constantFrom('fail', 'continue'),
    }),
    fc.record({
      kind: fc.constant('message'),
      text: fc.constantFrom('Done', '=run.id', '=1'),
      onError: fc.constantFrom('fail', 'continue'),
    }),
    fc.record({
      kind: fc.constant('create_document'),
      fileName: fc.constantFrom('Report', '=run.id', '=1'),
      rows: fc.constantFrom('=[{"a": 1}]', '=[1]', '=steps.none'),
      onError: fc.constantFrom('fail', 'continue'),
    }),
    fc.record({
      kind: fc.constant('read_document'),
      file: fc.constantFrom('=run.id', '=[1]', '=steps.none'),
      onError: fc.constantFrom('fail', 'continue'),
    }),
    fc.record({
      kind: fc.constant('human_task'),
      question: fc.constant('Yes?'),
      show: fc.constantFrom({}, { run: '=run.id' }, { wrong: '=$sum("x")' }),
      onError: fc.constantFrom('fail', 'continue'),
    }),
    // Times that have passed: the clock of these tests stands still.
    fc.record({
      kind: fc.constant('wait'),
      mode: fc.constant('until'),
      until: fc.constantFrom('2025-12-31', '="2025-12-31T23:59:59+01:00"', '="soon"'),
      onError: fc.constantFrom('fail', 'continue'),
    }),
  );
  const { list } = fc.letrec<{ step: unknown; list: unknown[] }>((tie) => ({
    step: fc.oneof(
      { depthSize: 'small', maxDepth: 2 },
      leaf,
      fc.record({
        kind: fc.constant('branch'),
        mode: fc.constantFrom('choose', 'parallel'),
        branches: fc.array(fc.record({ when: fc.constantFrom('', '$count($keys(steps)) > 2', 'false'), steps: tie('list') }), {
          minLength: 1,
          maxLength: 3,
        }),
      }),
      fc.record({
        kind: fc.constant('for_each'),
        items: fc.constantFrom('=[1..3]', '=[]', '=[{"a": 1}, null]', '=1', '=[$keys(steps)]'),
        atOnce: fc.constantFrom(1, 1, 3),
        onItemError: fc.constantFrom('stop', 'continue'),
        collect: fc.constantFrom('', '=[index, item, $count($keys(steps))]'),
        onError: fc.constantFrom('fail', 'continue'),
        branches: fc.tuple(fc.record({ when: fc.constant(''), steps: tie('list') })),
      }),
      fc.record({
        kind: fc.constant('repeat'),
        until: fc.constantFrom('=index = 2', '=true', '=last = null', '=$exists(last)', '=1', '=false'),
        rounds: fc.constantFrom(1, 4),
        atLimit: fc.constantFrom('fail', 'continue'),
        onError: fc.constantFrom('fail', 'continue'),
        branches: fc.tuple(fc.record({ when: fc.constant(''), steps: tie('list') })),
      }),
      fc.record({
        kind: fc.constant('try'),
        branches: fc.tuple(
          fc.record({ when: fc.constant(''), steps: tie('list') }),
          fc.record({ when: fc.constant(''), steps: tie('list') }),
        ),
      }),
    ),
    list: fc.array(tie('step'), { maxLength: 3 }),
  }));
  const named = (step: unknown): unknown => {
    const raw = step as { kind: string; branches?: { when: string; steps: unknown[] }[] };
    const common = { ...raw, id: id(), name: raw.kind };
    if (raw.kind === 'tool') return { ...common, connection: 'peer', capability: 'echo', input: { text: '=run.id' } };
    if (raw.branches === undefined) return common;
    return {
      ...common,
      branches: raw.branches.map((branch, index) => ({
        label:
          raw.kind === 'for_each'
            ? 'each'
            : raw.kind === 'repeat'
              ? 'round'
              : raw.kind === 'try'
                ? (['steps', 'on_error'][index] ?? '')
                : raw.kind === 'cleanup'
                  ? (['on_failure', 'on_cancel'][index] ?? '')
                  : `b${index}`,
        when: branch.when,
        steps: branch.steps.map(named),
      })),
    };
  };
  const cleanup = fc.record({
    kind: fc.constant('cleanup'),
    branches: fc.tuple(fc.record({ when: fc.constant(''), steps: list }), fc.record({ when: fc.constant(''), steps: fc.constant([]) })),
  });
  return fc.tuple(list, fc.option(cleanup)).map(([steps, last]) => {
    n = 0;
    return workflowDocumentSchema.parse({
      ...EMPTY_WORKFLOW,
      steps: [...(steps as unknown[]), ...(last === null ? [] : [last])].map(named),
    });
  });
})();

// Every kind takes part, so that a busy machine needs more than a test's usual time.
const LONG = { timeout: 180_000 };

test('killed at any statement, any number of times, a run comes to the same end and repeats no stored step', LONG, async () => {
  const kill = fc.record({ after: fc.integer({ min: 0, max: 14 }), applied: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(
      documents,
      fc.array(kill, { maxLength: 8 }),
      fc.infiniteStream(fc.integer({ min: 0, max: 4 })),
      async (document, kills, chance) => {
        const tools = [...walkSteps(document.steps)].filter(({ step }) => step.kind === 'tool').map(({ step }) => step.id);
        const fails = new Set(tools.filter(() => chance.next().value === 0));
        // side by side, which failure comes first is chance: then only the ending is compared
        const parallel = [...walkSteps(document.steps)].some(
          ({ step }) => (step.kind === 'branch' && step.mode === 'parallel') || (step.kind === 'for_each' && step.atOnce > 1),
        );
        const calm = await runToEnd(document, fails, []);
        const shaken = await runToEnd(document, fails, kills);
        expect(shaken.journal.run.status).toBe(calm.journal.run.status);
        expect(shaken.calls.filter((call) => call.whileStored)).toEqual([]);
        if (!parallel) {
          expect(shaken.journal.run.output).toEqual(calm.journal.run.output);
          expect(shaken.journal.outline()).toEqual(calm.journal.outline());
        }
        expect(new Set(calm.calls.map(({ path }) => path)).size).toBe(calm.calls.length);
        expect(shaken.journal.startedWithoutDecision()).toEqual([]);
      },
    ),
    { numRuns: process.env.QUORATE_TEST_FULL ? 1_000 : 100 },
  );
});

test('a choice of which a step has started stands, though a later walk, which knows more, would choose otherwise', async () => {
  const tool = (id: string) => ({ id, name: id, kind: 'tool', connection: 'peer', capability: 'echo', input: {} });
  const choice = {
    id: 'choose',
    name: 'Choose',
    kind: 'branch',
    mode: 'choose',
    branches: [
      { label: 'late', when: '$exists(steps.quick)', steps: [] },
      { label: 'early', when: '', steps: [tool('one'), tool('two'), tool('three')] },
    ],
  };
  const document = workflowDocumentSchema.parse({
    ...EMPTY_WORKFLOW,
    steps: [
      {
        id: 'fork',
        name: 'Fork',
        kind: 'branch',
        mode: 'parallel',
        branches: [
          { label: 'left', steps: [tool('quick')] },
          { label: 'right', steps: [choice] },
        ],
      },
    ],
  });
  let shaken = 0;
  for (let after = 0; after < 12; after += 1) {
    const { journal, calls } = await runToEnd(document, new Set(), [{ after, applied: true }]);
    if (!calls.some((call) => call.path.endsWith('/one'))) continue;
    shaken += 1;
    expect(journal.run.output).toMatchObject({ right: { branch: 'early' } });
  }
  expect(shaken).toBeGreaterThan(5);
});

test('an expression in a parallel branch sees what came before and its own branch, however far the others are', async () => {
  const transform = (id: string, expression: string) => ({ id, name: id, kind: 'transform', expression });
  const document = workflowDocumentSchema.parse({
    ...EMPTY_WORKFLOW,
    steps: [
      transform('before', '1'),
      {
        id: 'fork',
        name: 'fork',
        kind: 'branch',
        mode: 'parallel',
        branches: [
          { label: 'quick', steps: [transform('one', '1'), transform('two', '2')] },
          {
            label: 'slow',
            steps: [
              { id: 'call', name: 'call', kind: 'tool', connection: 'peer', capability: 'echo', input: { text: '=run.id' } },
              transform('seen', '$sort($keys(steps))'),
            ],
          },
        ],
      },
    ],
    output: '={ "seen": steps.seen, "after": $sort($keys(steps)) }',
  });
  const { journal } = await runToEnd(document, new Set(), []);
  expect(journal.run.output).toEqual({ seen: ['before', 'call'], after: ['before', 'call', 'fork', 'one', 'seen', 'two'] });
});
