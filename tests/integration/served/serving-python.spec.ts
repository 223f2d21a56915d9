/**
 * Our MCP server, called by a client of other makers: fastmcp for Python, from the interpreter in QUORATE_PYTHON or `python3`. Runs where that
 * has fastmcp (`pip install fastmcp`).
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addKey } from '#tests/survival/support/add-key.ts';
import { arrangeIn } from '#tests/survival/support/arrange.ts';
import { createInstance, type Instance } from '#tests/survival/support/instance.ts';
import { signInAs } from '#tests/survival/support/person.ts';
import { until } from '#tests/survival/support/until.ts';

const PROGRAM = fileURLToPath(new URL('../support/python-client.py', import.meta.url));
const python = process.env.QUORATE_PYTHON ?? 'python3';
const hasClient = spawnSync(python, ['-c', 'import fastmcp']).status === 0;
const ASKING = 'survival';

type Run = { runId: string; status: string; approvalUrl?: string };
type Line = { call: number; asked?: string; version?: string; result?: Run | null; words?: string[] };
type Answer = Run & { asked: string[]; version: string | undefined };

let instance: Instance;
let workspaceId: string;
let key: string;

beforeAll(async () => {
  if (!hasClient) return;
  instance = await createInstance();
  await instance.start();
  const arranged = await arrangeIn(instance);
  ({ workspaceId } = arranged);
  await arranged.addWorkflow([{ id: 'ask', name: 'Ask', kind: 'approval', question: 'Go on?', risk: 'low' }]);
  key = await addKey(instance, workspaceId, ['runs:read', 'runs:start', 'workflows:read', 'approvals:read']);
}, 180_000);
afterAll(async () => {
  await instance?.remove();
});

/** Calls made at once, each by a client of its own. `onAsked` hears of each page that a client's person is sent to. */
async function callAtOnce(
  calls: { name: string; arguments: object }[],
  options: { mode: 'auto' | 'legacy'; pages: 'accept' | 'decline' | null },
  onAsked: (page: string) => void = () => undefined,
): Promise<Answer[]> {
  const given = { url: `${instance.origin}/mcp/${workspaceId}`, key, calls, ...options };
  const child = spawn(python, [PROGRAM, JSON.stringify(given)], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  const words: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => words.push(text));
  const asked = calls.map((): string[] => []);
  const answers: Answer[] = [];
  for await (const text of createInterface(child.stdout)) {
    const line: Line = JSON.parse(text);
    const pages = asked[line.call] ?? [];
    if (line.asked !== undefined) {
      pages.push(line.asked);
      onAsked(line.asked);
    }
    if (line.result === null) throw new Error(`the call was refused: ${line.words?.join(' ')}`);
    if (line.result !== undefined) answers[line.call] = { ...line.result, asked: pages, version: line.version };
  }
  const [code] = await ended;
  if (code !== 0 || answers.length !== calls.length) throw new Error(`fastmcp failed:\n${words.join('').slice(-2_000)}`);
  return answers;
}
const ask = { name: ASKING, arguments: {} };
const getRun = async (runId: string) => {
  const [run] = await callAtOnce([{ name: 'get_run', arguments: { runId } }], { mode: 'auto', pages: null });
  return run;
};

/** A person approves on the page. */
async function approve(page: string): Promise<void> {
  const { pathname } = new URL(page);
  const person = await signInAs(instance.server(), 'approver');
  const text = await (await person.get(pathname)).text();
  const fields = [...text.matchAll(/<input[^>]*type="hidden"[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
  const answer = await person.post(pathname, { ...Object.fromEntries(fields), vote: 'approve' });
  await answer.body?.cancel();
  expect(answer.status).toBe(303);
}

const NEEDED = `needs Python with fastmcp${hasClient ? '' : `, which ${python} has not`}`;
describe.runIf(hasClient)(`fastmcp of Python (${NEEDED})`, () => {
  test.each(['auto', 'legacy'] as const)('that shows no pages, in mode %s: gets a handle, and asks with get_run', async (mode) => {
    const [waiting] = await callAtOnce([ask], { mode, pages: null });
    expect(waiting).toMatchObject({ status: 'waiting', runId: expect.any(String), asked: [] });
    if (waiting?.approvalUrl === undefined) throw new Error('no page');
    await approve(waiting.approvalUrl);
    await until('the end', async () => (await getRun(waiting.runId))?.status === 'completed');
  });

  test('that shows pages: is sent to the approval once, and has the answer when a person has decided', async () => {
    const decided: Promise<void>[] = [];
    const [answer] = await callAtOnce([ask], { mode: 'auto', pages: 'accept' }, (page) => decided.push(approve(page)));
    await Promise.all(decided);
    expect(answer?.version).toBe('2026-07-28');
    expect(answer?.asked).toHaveLength(1);
    expect(answer?.status).toBe('completed');
  });

  test('that shows pages to a person who takes their time: asks once, and ends with the handle', async () => {
    const [answer] = await callAtOnce([ask], { mode: 'auto', pages: 'accept' });
    expect(answer).toMatchObject({ status: 'waiting', runId: expect.any(String), approvalUrl: answer?.asked[0] });
    expect(answer?.asked).toHaveLength(1);
  });

  test('fifty calls at once: each is asked once, for its own approval, and a decision is about one of them', async () => {
    const answers = await callAtOnce(
      Array.from({ length: 50 }, () => ask),
      { mode: 'auto', pages: 'decline' },
    );
    expect(new Set(answers.map(({ runId }) => runId)).size).toBe(50);
    expect(new Set(answers.map(({ approvalUrl }) => approvalUrl)).size).toBe(50);
    for (const { status, asked, approvalUrl } of answers) expect([status, asked]).toEqual(['waiting', [approvalUrl]]);
    const [decided, other] = answers;
    if (decided?.approvalUrl === undefined || other === undefined) throw new Error('no page');
    await approve(decided.approvalUrl);
    await until('the end', async () => (await getRun(decided.runId))?.status === 'completed');
    expect((await getRun(other.runId))?.status).toBe('waiting');
  });
});
