import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEntry } from '#app/contracts/audit-actions.ts';
import type { Db } from '#app/contracts/db.ts';
import { recordEvent } from '#app/engine/audit/record-event.ts';
import { putInForce } from '#app/engine/control/in-force.ts';
import { createPolicy, freezePolicy, holdPolicy, policyDocument, policyHash, savePolicyDraft } from '#app/engine/policy/author-policy.ts';
import { compilePolicies } from '#app/engine/policy/compile-policies.ts';
import { loadPolicySources } from '#app/engine/policy/load-policy-sources.ts';
import { SHIPPED_POLICIES } from '#app/engine/policy/shipped/shipped-policies.ts';
import { createTestDatabase, type TestDatabase, type TestMember, type TestWorkspace } from '#tests/support/test-database.ts';

let test: TestDatabase;
let workspace: TestWorkspace;
let admin: TestMember;
let builder: TestMember;

beforeAll(async () => {
  test = await createTestDatabase();
  const made = await test.makeWorkspace({ members: [{ roles: ['user', 'admin'] }, { roles: ['user', 'builder'] }] });
  workspace = made;
  const [first, second] = made.members;
  if (first === undefined || second === undefined) throw new Error('no members');
  admin = first;
  builder = second;
});
afterAll(() => test.close());

function change<T>(member: TestMember, work: (db: Db) => Promise<T>): Promise<T> {
  const entry: AuditEntry = { action: 'policy.draftSaved', resource: { kind: 'policy', id: 'x' } };
  return test.database.asMember({ userId: member.id, sessionId: member.sessionId, workspaceId: workspace.id }, async (db) => {
    const result = await work(db);
    await recordEvent(db, { id: newId(), actor: { kind: 'member', id: member.id, name: member.name }, workspaceId: workspace.id, entry });
    return result;
  });
}
const author = (member: TestMember) => ({ workspaceId: workspace.id, userId: member.id });
/** As an admin does without another person who could agree. */
async function publishPolicy(db: Db, by: ReturnType<typeof author>, policy: Parameters<typeof freezePolicy>[2]) {
  const { number, contentHash, after } = await freezePolicy(db, by, policy);
  await putInForce(db, { kind: 'policy', id: policy.id, state: after, now: policy.now });
  return { number, contentHash };
}
async function setPolicyInForce(db: Db, policy: { id: string; inForce: boolean; now: Date }) {
  const { after } = await holdPolicy(db, policy);
  await putInForce(db, { kind: 'policy', id: policy.id, state: after, now: policy.now });
}
const rule = (condition: string) => `@id("a") @verdict("deny") @reason("No.") forbid(principal, action, resource) when { ${condition} };`;
const sources = () => test.database.asWorker(workspace.id, loadPolicySources);
async function revision(): Promise<number> {
  const { rows } = await test.owner.query('select config_revision from quorate.workspaces where id = $1', [workspace.id]);
  return rows[0].config_revision;
}

describe('a new workspace', () => {
  it('begins with the shipped policies in force, word for word as the engine has them', async () => {
    const inForce = await sources();
    expect(
      inForce
        .map(({ policyName, version, text }) => ({ policyName, version, text }))
        .sort((a, b) => (a.policyName < b.policyName ? -1 : 1)),
    ).toEqual(
      SHIPPED_POLICIES.map((policy) => ({ policyName: policy.name, version: 1, text: policy.text })).sort((a, b) =>
        a.policyName < b.policyName ? -1 : 1,
      ),
    );
    expect(compilePolicies(inForce).unreadable).toBeNull();
    const { rows } = await test.owner.query(
      `select a.description, a.tags, v.content_hash from quorate.artifacts a join quorate.versions v on v.id = a.published_version_id where a.workspace_id = $1 and a.kind = 'policy' order by a.name`,
      [workspace.id],
    );
    expect(rows).toEqual(
      [...SHIPPED_POLICIES]
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .map((policy) => ({
          description: policy.description,
          tags: ['shipped', policy.slug],
          content_hash: policyHash(policyDocument(policy.text)),
        })),
    );
  });
});

describe('authoring', () => {
  it('keeps a draft out of force, publishes it as an immutable version, pauses and activates it', async () => {
    const id = newId();
    const [draft, text] = [rule('context.findings > 1'), rule('context.findings > 2')];
    const before = (await sources()).length;
    await change(admin, (db) => createPolicy(db, author(admin), { id, name: 'Findings', description: '', text: draft }));
    expect(await sources()).toHaveLength(before);

    const started = await revision();
    const published = await change(admin, (db) =>
      publishPolicy(db, author(admin), {
        id,
        versionId: newId(),
        seenRevision: 1,
        name: 'Findings',
        description: '',
        text: text.replace(/ /g, '\r\n'),
        now: new Date(),
      }),
    );
    expect(published).toEqual({ number: 1, contentHash: policyHash(policyDocument(text.replace(/ /g, '\n'))) });
    expect((await sources()).find((source) => source.policyId === id)).toMatchObject({
      policyName: 'Findings',
      version: 1,
      text: text.replace(/ /g, '\n'),
    });
    expect(await revision()).toBeGreaterThan(started);

    const again = await change(admin, (db) =>
      publishPolicy(db, author(admin), {
        id,
        versionId: newId(),
        seenRevision: 2,
        name: 'Findings',
        description: '',
        text: draft,
        now: new Date(),
      }),
    );
    expect(again.number).toBe(2);
    await expect(test.owner.query(`update quorate.versions set document = '{}' where artifact_id = $1`, [id])).rejects.toThrow(/immutable/);

    await change(admin, (db) => setPolicyInForce(db, { id, inForce: false, now: new Date() }));
    expect(await sources()).toHaveLength(before);
    await expect(change(admin, (db) => setPolicyInForce(db, { id, inForce: false, now: new Date() }))).rejects.toMatchObject({
      code: 'conflict',
    });
    await change(admin, (db) => setPolicyInForce(db, { id, inForce: true, now: new Date() }));
    expect(await sources()).toHaveLength(before + 1);
  });

  it('refuses a draft over one that someone else saved meanwhile', async () => {
    const id = newId();
    const edit = { id, seenRevision: 1, name: 'Two', description: '', text: rule('true'), now: new Date() };
    await change(admin, (db) => createPolicy(db, author(admin), { id, name: 'Two', description: '', text: rule('true') }));
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => change(admin, (db) => savePolicyDraft(db, author(admin), edit))));
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'conflict' });
  });

  it('is for admins', async () => {
    const id = newId();
    await expect(
      change(builder, (db) => createPolicy(db, author(builder), { id, name: 'Mine', description: '', text: rule('true') })),
    ).rejects.toMatchObject({ code: 'forbidden' });
    const shipped = (await sources())[0];
    await change(builder, (db) => setPolicyInForce(db, { id: shipped?.policyId ?? '', inForce: false, now: new Date() })).catch(
      () => undefined,
    );
    expect((await sources()).some((source) => source.policyId === shipped?.policyId)).toBe(true);
  });

  it('refuses every call when a version in force is not a policy', async () => {
    const id = newId();
    const version = newId();
    await test.arrange(workspace.id, async (client) => {
      await client.query(`insert into quorate.artifacts (id, workspace_id, kind, name, owner_id) values ($1, $2, 'policy', 'Broken', $3)`, [
        id,
        workspace.id,
        admin.id,
      ]);
      await client.query(
        `insert into quorate.versions (id, workspace_id, artifact_id, number, document, content_hash, author_id) values ($1, $2, $3, 1, '{"format":"other"}', 'h', $4)`,
        [version, workspace.id, id, admin.id],
      );
      await client.query(`update quorate.artifacts set published_version_id = $2, status = 'active' where id = $1`, [id, version]);
    });
    expect(compilePolicies(await sources()).unreadable).toMatchObject({ policyId: id, policyName: 'Broken', text: null });
  });
});
