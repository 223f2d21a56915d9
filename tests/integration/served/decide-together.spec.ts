/** Approvals of low risk, decided together as a person does without scripts: on a real server, of real runs. */
import { createHash, randomBytes } from 'node:crypto';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EMPTY_WORKFLOW, workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import { createInstance, type Instance } from '#tests/survival/support/instance.ts';
import { type Person, signInAs } from '#tests/survival/support/person.ts';
import { until } from '#tests/survival/support/until.ts';

let instance: Instance;
let workspaceId: string;
let builder: string;
let key: string;
let people: { approver: Person; builder: Person };

const arrange = (text: string, values: unknown[]) =>
  instance.query(
    `with change as (${text} returning 1), event as (insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id)
       select gen_random_uuid(), '${workspaceId}', 'system', 'test.arranged', 'workspace', '${workspaceId}') select 1`,
    values,
  );

beforeAll(async () => {
  instance = await createInstance();
  await instance.start();
  const [row] = await instance.query<{ workspace: string; builder: string }>(
    `select w.id as workspace, m.user_id as builder from quorate.workspaces w
       join quorate.members m on m.workspace_id = w.id and 'builder' = any (m.roles) where w.is_demo`,
  );
  if (row === undefined) throw new Error('no demo');
  ({ workspace: workspaceId, builder } = row);
  key = `qk_${randomBytes(32).toString('base64url')}`;
  await arrange(
    `insert into quorate.api_keys (id, workspace_id, user_id, name, prefix, key_hash, scopes) values ($1, $2, $3, 'Program', 'qk_prog', $4, $5)`,
    [newId(), workspaceId, builder, createHash('sha256').update(key).digest(), ['runs:read', 'runs:start']],
  );
  people = { approver: await signInAs(instance.server(), 'approver'), builder: await signInAs(instance.server(), 'builder') };
}, 180_000);
afterAll(() => instance?.remove(), 60_000);

/** A workflow that asks whether a letter may go out; `risk` of the question. */
async function addLetters(risk: 'low' | 'medium'): Promise<string> {
  const document = workflowDocumentSchema.parse({
    ...EMPTY_WORKFLOW,
    input: [{ name: 'to', title: 'To', type: 'text' }],
    steps: [
      { id: 'release', name: 'Release', kind: 'approval', question: 'May it go out?', show: { To: '=input.to' }, risk, dueHours: 24 },
    ],
  });
  const [artifact, version] = [newId(), newId()];
  await arrange(
    `insert into quorate.artifacts (id, workspace_id, kind, name, description, owner_id, status) values ($1, $2, 'workflow', 'Letters', '', $3, 'active')`,
    [artifact, workspaceId, builder],
  );
  await arrange(
    `insert into quorate.versions (id, workspace_id, artifact_id, number, document, content_hash, author_id)
       values ($1, $2, $3, 1, $4, 'letters', (select user_id from quorate.members where workspace_id = $2 and 'admin' = any (roles) limit 1))`,
    [version, workspaceId, artifact, JSON.stringify(document)],
  );
  await arrange('update quorate.artifacts set published_version_id = $2 where id = $1', [artifact, version]);
  return artifact;
}

type Asked = { id: string; digest: string };

/** Starts a run of the workflow and waits for its question. */
async function ask(workflowId: string, to: string): Promise<Asked> {
  const response = await fetch(`${instance.origin}/api/v1/runs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ workflowId, input: { to } }),
  });
  const { id: run } = (await response.json()) as { id: string };
  return until('the question', async () => {
    const rows = await instance.query<Asked>(
      `select id, action_digest as digest from quorate.approvals where run_id = '${run}' and status = 'pending'`,
    );
    return rows[0];
  });
}

const statusOf = async ({ id }: Asked) =>
  (await instance.query<{ status: string }>(`select status from quorate.approvals where id = '${id}'`))[0]?.status;
const pageOf = async (person: Person, path: string) => (await (await person.get(path)).text()).replaceAll(/<script.*?<\/script>/gs, '');
const boxes = (page: string) =>
  [...page.matchAll(/name="approval" value="(\S{36}) (\S+)"/g)].map(([, id = '', digest = '']) => ({ id, digest }));

/** Sends what the page's form would, with these ticked. */
async function decide(person: Person, of: Asked, ticked: Asked[]): Promise<Response> {
  const path = `/dashboard/approvals/${of.id}/together`;
  const workspace = /name="workspace" value="([^"]*)"/.exec(await pageOf(person, path))?.[1] ?? '';
  return person.post(path, [
    ['workspace', workspace],
    ...ticked.map(({ id, digest }): [string, string] => ['approval', `${id} ${digest}`]),
  ]);
}

test('those of low risk and the same step are approved with one press, each on the action that was shown', async () => {
  const letters = await addLetters('low');
  const [first, second, third] = [await ask(letters, 'Jon Smith'), await ask(letters, 'Harbour'), await ask(letters, 'Lakeside')];
  const other = await ask(await addLetters('low'), 'Elsewhere');
  expect(await pageOf(people.approver, `/dashboard/approvals/${first.id}`)).toContain(`/dashboard/approvals/${first.id}/together`);
  const page = await pageOf(people.approver, `/dashboard/approvals/${first.id}/together`);
  expect(boxes(page).sort((a, b) => a.id.localeCompare(b.id))).toEqual([first, second, third].sort((a, b) => a.id.localeCompare(b.id)));
  for (const to of ['Jon Smith', 'Harbour', 'Lakeside']) expect(page).toContain(to);
  // Another digest than the one shown, and one of another workflow, are left as they are.
  const answer = await decide(people.approver, first, [first, { ...second, digest: third.digest }, other]);
  expect(answer.status).toBe(303);
  expect(answer.headers.getSetCookie().join()).toContain(encodeURIComponent('"done":1,"left":2'));
  await until('the first one used', async () => ((await statusOf(first)) === 'consumed' ? true : undefined));
  expect([await statusOf(second), await statusOf(third), await statusOf(other)]).toEqual(['pending', 'pending', 'pending']);
  const [vote] = await instance.query<{ vote: string; action_digest: string }>(
    `select vote, action_digest from quorate.approval_votes where approval_id = '${first.id}'`,
  );
  expect(vote).toEqual({ vote: 'approve', action_digest: first.digest });
  const nothing = await decide(people.approver, second, []);
  expect(nothing.status).toBe(303);
  expect(await pageOf(people.approver, nothing.headers.get('location') ?? '')).toContain('Select at least one.');
});

test('no other risk is decided so, nor by whoever started the runs', async () => {
  const letters = await addLetters('medium');
  const [first, second] = [await ask(letters, 'Jon Smith'), await ask(letters, 'Harbour')];
  expect(boxes(await pageOf(people.approver, `/dashboard/approvals/${first.id}/together`))).toEqual([]);
  expect((await decide(people.approver, first, [first, second])).status).toBe(303);
  expect([await statusOf(first), await statusOf(second)]).toEqual(['pending', 'pending']);
  const low = await ask(await addLetters('low'), 'Jon Smith');
  expect((await decide(people.builder, low, [low])).status).toBe(403);
  expect(await statusOf(low)).toBe('pending');
});

test('who decides what was assigned to someone else meanwhile is told, and their vote counts', async () => {
  await arrange(`update quorate.members set roles = roles || '{approver}' where workspace_id = $1 and 'auditor' = any (roles)`, [
    workspaceId,
  ]);
  const letters = await addLetters('medium');
  const [taken, known] = [await ask(letters, 'Jon Smith'), await ask(letters, 'Harbour')];
  const [auditor] = await instance.query<{ id: string; name: string }>(
    `select user_id as id, name from quorate.members where workspace_id = '${workspaceId}' and 'auditor' = any (roles)`,
  );
  const page = await pageOf(people.approver, `/dashboard/approvals/${taken.id}`);
  const workspace = /name="workspace" value="([^"]*)"/.exec(page)?.[1] ?? '';
  for (const { id } of [taken, known]) {
    const answer = await people.approver.post(`/dashboard/approvals/${id}/assign`, [
      ['workspace', workspace],
      ['act', 'assign'],
      ['to', auditor?.id ?? ''],
    ]);
    expect(answer.headers.getSetCookie().join()).toContain(encodeURIComponent('"key":"approvalAssigned"'));
  }
  const late = await people.approver.post(`/dashboard/approvals/${taken.id}/assign`, [
    ['workspace', workspace],
    ['act', 'claim'],
  ]);
  expect(late.headers.getSetCookie().join()).toContain(encodeURIComponent('"key":"approvalAssignedMeanwhile"'));
  const vote = ({ id, digest }: Asked, seen: string) =>
    people.approver.post(`/dashboard/approvals/${id}`, [
      ['workspace', workspace],
      ['vote', 'approve'],
      ['digest', digest],
      ['seen', seen],
    ]);
  const told = (await vote(taken, '')).headers.getSetCookie().join();
  expect(told).toContain('approvalDecidedTaken');
  expect(told).toContain(encodeURIComponent(auditor?.name ?? 'nobody'));
  expect((await vote(known, auditor?.id ?? '')).headers.getSetCookie().join()).toContain('approvalApproved');
  await until('both used', async () =>
    [await statusOf(taken), await statusOf(known)].every((status) => status === 'consumed') ? true : undefined,
  );
});
