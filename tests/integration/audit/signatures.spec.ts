/** A vote is a signature: its meaning, time, zone, proof of identity and digest stand in its entry of the log (decision 56). */
import { createHash } from 'node:crypto';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canonicalJson } from '#app/domain/audit/canonical-json.ts';
import { vkey } from '#app/domain/audit/checkpoint.ts';
import { readSignaturePlaces } from '#app/engine/approvals/signature.ts';
import { evidenceOfEvent } from '#app/engine/audit/evidence.ts';
import { placeEvents } from '#app/engine/audit/place-events.ts';
import { recordEvent } from '#app/engine/audit/record-event.ts';
import { decideApproval } from '#app/engine/commands/approvals/decide-approval.ts';
import { breakGlass } from '#app/engine/commands/control/break-glass.ts';
import { decideControlChange } from '#app/engine/commands/control/decide-control-change.ts';
import { perform } from '#app/engine/commands/perform.ts';
import { verifyEvidence } from '#app/features/audit/verifier/verify-evidence.ts';
import { createLogSigner } from '#app/platform/crypto.server.ts';
import { type ApprovalDesk, openApprovalDesk } from '#tests/integration/support/approval-desk.ts';
import type { TestMember } from '#tests/support/test-database.ts';

const signer = createLogSigner('a secret of this test alone', 'log.test');
const key = vkey(signer.name, signer.publicKey, (bytes) => new Uint8Array(createHash('sha256').update(bytes).digest()));
let desk: ApprovalDesk;
let ada: TestMember;
beforeAll(async () => {
  desk = await openApprovalDesk();
  ({ ada } = desk.people);
});
afterAll(() => desk.test.close());

const one = async <Row>(text: string, values: unknown[]): Promise<Row> => (await desk.test.owner.query(text, values)).rows[0] as Row;
type Event = { id: string; action: string; actor_name: string; payload: { signature: Record<string, unknown>; digest: string } };
const eventOf = (subject: string) =>
  one<Event>(`select * from quorate.audit_events where payload ->> 'change' = $1 or resource_id = $1 order by at desc, id desc limit 1`, [
    subject,
  ]);
const voteOf = (approval: string) =>
  one<object>('select meaning, zone, method from quorate.approval_votes where approval_id = $1', [approval]);

async function sign(approval: string, given: Partial<Parameters<typeof perform<typeof decideApproval.input, unknown, never>>[3]> = {}) {
  const { digest } = await one<{ digest: string }>('select action_digest as digest from quorate.approvals where id = $1', [approval]);
  const engine = { enqueueRun: async () => undefined };
  return perform(decideApproval, desk.principal(ada), { ...desk.deps, engine } as never, {
    approval,
    vote: 'approve',
    reason: '',
    digest,
    facts: {},
    ...given,
  });
}
const askFor = (approval: string, meaning: string) =>
  desk.test.owner.query('update quorate.approvals set meaning = $2 where id = $1', [approval, meaning]);

/** A change of the workspace's settings that the admin asks for. */
async function askChange(): Promise<string> {
  const [id, workspace] = [newId(), desk.workspaceId];
  const { reviews } = await one<{ reviews: boolean }>('select reviews_effects as reviews from quorate.workspaces where id = $1', [
    workspace,
  ]);
  const [before, after] = [{ reviewsEffects: reviews }, { reviewsEffects: !reviews }];
  const subject = canonicalJson({ kind: 'workspace_settings', workspace, resource: workspace, before, after, reason: 'As the board said' });
  await desk.test.arrange(workspace, async (client) => {
    await client.query(
      `insert into quorate.control_changes (id, workspace_id, kind, resource_id, subject, digest, requested_by, due_at)
       values ($1, $2, 'workspace_settings', $2, $3::text::json, encode(sha256(convert_to($3::text, 'UTF8')), 'hex'), $4, now() + interval '1 day')`,
      [id, workspace, subject, desk.people.admin.id],
    );
  });
  return id;
}
async function agree(change: string, given: object = {}) {
  await desk.test.prove(ada, change);
  const { digest } = await one<{ digest: string }>('select digest from quorate.control_changes where id = $1', [change]);
  return perform(decideControlChange, desk.principal(ada), desk.deps, { change, vote: 'approve', reason: '', digest, ...given });
}

/** The verifier's findings on an event, once the log has placed it. */
async function verified(event: string) {
  await desk.test.database.asWorker(desk.workspaceId, (db) => placeEvents(db, desk.workspaceId, signer, null));
  const evidence = await desk.as(desk.people.plain, (db) => evidenceOfEvent(db, signer, event));
  return verifyEvidence(JSON.parse(JSON.stringify(evidence)), { key });
}

describe('a vote on an approval', () => {
  test('holds its meaning, time, zone, proof of identity and digest in its entry, whose actor is the printed name', async () => {
    const approval = await desk.makeApproval();
    await desk.test.prove(ada, approval);
    await sign(approval, { meaning: 'reviewed', zone: 'Asia/Kolkata' });
    const event = await eventOf(approval);
    expect(event).toMatchObject({ action: 'approval.approved', actor_name: 'Ada' });
    const { voted_at } = await one<{ voted_at: Date }>('select voted_at from quorate.approval_votes where approval_id = $1', [approval]);
    expect(event.payload.signature).toEqual({
      meaning: 'reviewed',
      method: 'password',
      amr: ['pwd'],
      zone: 'Asia/Kolkata',
      digest: event.payload.digest,
      at: voted_at.toISOString(),
    });
    const report = await verified(event.id);
    expect(report.verdict).toBe('proven');
    expect(report.checks).toContainEqual({ code: 'signaturesBound', state: 'ok', values: { count: 1 } });
  });

  test('means what nobody had to think of: approved, rejected', async () => {
    const [yes, no] = [await desk.makeApproval(), await desk.makeApproval()];
    await sign(yes);
    await sign(no, { vote: 'reject', reason: 'No', meaning: 'approved' });
    expect(await voteOf(yes)).toEqual({ meaning: 'approved', zone: null, method: 'session' });
    expect(await voteOf(no)).toEqual({ meaning: 'rejected', zone: null, method: 'session' });
  });

  test('of which a meaning is asked takes the password whatever the risk, and no other meaning', async () => {
    const approval = await desk.makeApproval();
    await askFor(approval, 'responsible');
    await expect(sign(approval)).rejects.toMatchObject({ refusal: 'reauthenticate' });
    await desk.test.prove(ada, approval);
    await expect(sign(approval, { meaning: 'reviewed' })).rejects.toMatchObject({ refusal: 'meaning' });
    await sign(approval);
    expect(await voteOf(approval)).toEqual({ meaning: 'responsible', zone: null, method: 'password' });
  });

  test('has no meaning and no zone that are none', async () => {
    const approval = await desk.makeApproval();
    for (const given of [{ meaning: 'rejected' }, { meaning: 'seen' }, { zone: 'Nowhere/At all' }])
      await expect(sign(approval, given as never)).rejects.toMatchObject({ code: 'invalid_input' });
    const call = (meaning: string, zone: string) =>
      desk
        .as(ada, (db) =>
          db
            .selectFrom('quorate.approvals')
            .select((eb) =>
              eb
                .fn('quorate.vote_approval', ['id', eb.val('approve'), eb.val(''), 'action_digest', eb.val(meaning), eb.val(zone)])
                .as('status'),
            )
            .where('id', '=', approval)
            .execute(),
        )
        .catch((error) => error.code);
    expect(await call('rejected', 'UTC')).toBe('QV012');
    expect(await call('approved', `x'y`)).toBe('23514');
  });
});

test('a vote on a control change is verified against all that the change is', async () => {
  const change = await askChange();
  await agree(change, { meaning: 'responsible', zone: 'America/New_York' });
  const event = await eventOf(change);
  expect(event).toMatchObject({ action: 'workspace.configured', payload: { signature: { meaning: 'responsible', method: 'password' } } });
  const report = await verified(event.id);
  expect([report.verdict, report.checks.find(({ code }) => code === 'signaturesBound')?.values]).toEqual(['proven', { count: 1 }]);
});

test('who breaks the glass signs as responsible, with the digest of what they put into effect', async () => {
  const id = await askChange();
  const policy = await one<{ id: string; version: string }>(
    `select id, published_version_id as version from quorate.artifacts where workspace_id = $1 and kind = 'policy' and status = 'active' limit 1`,
    [desk.workspaceId],
  );
  const before = { status: 'active', versionId: policy.version };
  const subject = canonicalJson({
    kind: 'policy_pause',
    workspace: desk.workspaceId,
    resource: policy.id,
    before,
    after: { ...before, status: 'inactive' },
    reason: 'x',
  });
  await desk.test.owner.query(
    `alter table quorate.control_changes disable trigger user;
     update quorate.control_changes set kind = 'policy_pause', resource_id = '${policy.id}', subject = '${subject}',
       digest = encode(sha256(convert_to('${subject}', 'UTF8')), 'hex') where id = '${id}';
     alter table quorate.control_changes enable trigger user`,
  );
  const { admin } = desk.people;
  await desk.test.prove(admin, id, 'break_glass');
  const { digest } = await one<{ digest: string }>('select digest from quorate.control_changes where id = $1', [id]);
  await perform(breakGlass, desk.principal(admin), desk.deps, { change: id, reason: 'At night', hours: 1, digest, zone: 'Asia/Tokyo' });
  const event = await eventOf(id);
  expect(event.payload.signature).toMatchObject({ meaning: 'responsible', method: 'password', zone: 'Asia/Tokyo', digest });
  expect((await verified(event.id)).checks.map(({ code }) => code)).toContain('signaturesBound');
});

describe('the verifier', () => {
  /** An entry that whoever holds the login wrote: it is in the log, and says what was never signed. */
  async function forged(payload: object): Promise<string[]> {
    const id = newId();
    await desk.test.database.asWorker(desk.workspaceId, (db) =>
      recordEvent(db, {
        id,
        actor: { kind: 'worker', id: null, name: null },
        workspaceId: desk.workspaceId,
        entry: { action: 'approval.approved', resource: { kind: 'approval', id: newId() }, payload: payload as never },
      }),
    );
    const report = await verified(id);
    return report.checks.filter(({ state }) => state === 'failed').map(({ code }) => code);
  }

  test('names a signature that is on something else than its entry', async () => {
    const signature = { meaning: 'approved', method: 'password', zone: 'UTC', digest: 'a', at: new Date().toISOString() };
    expect(await forged({ digest: 'a', signature })).toEqual([]);
    expect(await forged({ digest: 'b', signature })).toEqual(['signatureUnbound']);
    expect(await forged({ digest: 'a', signature: { ...signature, meaning: 'seen' } })).toEqual(['signatureUnbound']);
    expect(await forged({ digest: 'a', signature: { ...signature, method: 'word of mouth' } })).toEqual(['signatureUnbound']);
    expect(await forged({ digest: 'a', signature: { ...signature, at: 'yesterday' } })).toEqual(['signatureUnbound']);
    const [before, after] = [{ reviewsEffects: true }, { reviewsEffects: false }];
    const change = { change: newId(), kind: 'workspace_settings', before, after, asked: 'x', subject: desk.workspaceId };
    expect(await forged({ ...change, digest: 'a', signature })).toEqual(['signatureUnbound']);
  });
});

describe('places in the log', () => {
  test('are shown to who may see the approval, and to nobody else', async () => {
    const approval = await desk.makeApproval();
    await sign(approval);
    const { id } = await eventOf(approval);
    const read = (member: TestMember) => desk.as(member, (db) => readSignaturePlaces(db, approval));
    expect(await read(ada)).toEqual([{ event: id, user: ada.id, place: null, checkpoint: null }]);
    await verified(id);
    const [placed] = await read(desk.people.initiator);
    expect(placed).toMatchObject({ event: id, place: expect.any(Number), checkpoint: expect.any(Number) });
    expect(placed?.checkpoint ?? 0).toBeGreaterThan(placed?.place ?? 0);
    // a member whose run it is not, and who sees only their own
    await desk.setRoles(desk.people.plain, ['user']);
    expect(await read(desk.people.plain)).toEqual([]);
    await desk.setRoles(desk.people.plain, ['user', 'auditor']);
    const { member, workspaceId } = desk.stranger;
    expect(await desk.as(member, (db) => readSignaturePlaces(db, approval), workspaceId)).toEqual([]);
    const change = await askChange();
    await agree(change);
    expect(await read(ada)).toHaveLength(1);
    expect(await desk.as(ada, (db) => readSignaturePlaces(db, change))).toMatchObject([{ user: ada.id }]);
  });
});

test('a person who is erased leaves no name and no zone, and the proof holds', async () => {
  const approval = await desk.makeApproval();
  const { ben } = desk.people;
  const engine = { enqueueRun: async () => undefined };
  const { digest } = await one<{ digest: string }>('select action_digest as digest from quorate.approvals where id = $1', [approval]);
  const given = { approval, vote: 'approve' as const, reason: '', digest, facts: {}, zone: 'Pacific/Chatham' };
  await perform(decideApproval, desk.principal(ben), { ...desk.deps, engine } as never, given);
  const { id } = await eventOf(approval);
  await verified(id);
  await desk.test.database.app((db) =>
    db.selectNoFrom((eb) => eb.fn('quorate.delete_account', [eb.val(ben.id), eb.val(ben.sessionId)]).as('done')).execute(),
  );
  expect(await one('select voter_name, zone, meaning from quorate.approval_votes where approval_id = $1', [approval])).toEqual({
    voter_name: '',
    zone: null,
    meaning: 'approved',
  });
  const kept = await one<{ text: string }>('select e::text as text from quorate.audit_events e where id = $1', [id]);
  expect(kept.text).not.toMatch(/Chatham|Ben/);
  expect((await verified(id)).verdict).toBe('proven');
});
