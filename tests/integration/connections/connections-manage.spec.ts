import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEntry } from '#app/contracts/audit-actions.ts';
import type { Db } from '#app/contracts/db.ts';
import type { PeerInspection } from '#app/contracts/peer.ts';
import { capabilityState } from '#app/domain/connections/capability-state.ts';
import { recordEvent } from '#app/engine/audit/record-event.ts';
import { addConnection } from '#app/engine/connections/add-connection.ts';
import { approveCapabilities, holdShown, withdrawCapability } from '#app/engine/connections/approve-capabilities.ts';
import { allowPersonalData, disconnect } from '#app/engine/connections/change-connection.ts';
import { fingerprintOf } from '#app/engine/connections/fingerprint.ts';
import { recordCheck, recordFailedCheck } from '#app/engine/connections/record-check.ts';
import { seedBuiltinConnections } from '#app/engine/connections/seed-builtin-connections.ts';
import { createTestDatabase, type TestDatabase, type TestMember, type TestWorkspace } from '#tests/support/test-database.ts';

let test: TestDatabase;
let workspace: TestWorkspace;
let builder: TestMember;
let approver: TestMember;
let plain: TestMember;
let both: TestMember;

beforeAll(async () => {
  test = await createTestDatabase();
  const made = await test.makeWorkspace({
    members: [
      { roles: ['user', 'builder'] },
      { roles: ['user', 'approver'] },
      { roles: ['user'] },
      { roles: ['user', 'builder', 'admin'] },
    ],
  });
  workspace = made;
  const [first, second, third, fourth] = made.members;
  if (!first || !second || !third || !fourth) throw new Error('no members');
  [builder, approver, plain, both] = [first, second, third, fourth];
});
afterAll(() => test.close());

function change<T>(member: TestMember, work: (db: Db) => Promise<{ result: T; event: AuditEntry }>): Promise<T> {
  return test.database.asMember({ userId: member.id, sessionId: member.sessionId, workspaceId: workspace.id }, async (db) => {
    const { result, event } = await work(db);
    await recordEvent(db, {
      id: newId(),
      actor: { kind: 'member', id: member.id, name: member.name },
      workspaceId: workspace.id,
      entry: event,
    });
    return result;
  });
}
const at = new Date('2026-11-20T10:00:00Z');
function offering(tools: Record<string, string>): PeerInspection {
  return {
    name: 'Stranger',
    version: '1',
    protocolVersion: '2026-07-28',
    capabilities: Object.entries(tools).map(([name, description]) => {
      const definition = { name, description };
      return {
        kind: 'tool',
        name,
        title: name,
        description,
        inputSchema: { type: 'object' },
        outputSchema: null,
        definition,
        fingerprint: fingerprintOf(definition),
      };
    }),
  };
}
async function connect(member: TestMember, tools: Record<string, string>, name = 'A server') {
  const id = newId();
  await change(member, (db) =>
    addConnection(
      db,
      {
        id,
        workspaceId: workspace.id,
        ownerId: member.id,
        kind: 'mcp',
        name,
        description: '',
        endpoint: 'https://example.com/mcp',
        sealedCredential: new Uint8Array([1, 2, 3]),
      },
      offering(tools),
      { newId, at },
    ),
  );
  return { id, name, workspaceId: workspace.id };
}
const capabilities = async (connectionId: string) => {
  const { rows } = await test.owner.query('select * from quorate.capabilities where connection_id = $1 order by name', [connectionId]);
  return rows as {
    id: string;
    name: string;
    fingerprint: string;
    approved_fingerprint: string | null;
    removed_at: Date | null;
    approved_definition: unknown;
    definition: unknown;
  }[];
};
const states = async (connectionId: string) =>
  Object.fromEntries((await capabilities(connectionId)).map((row) => [row.name, capabilityState(row)]));
const shown = async (connectionId: string) => (await capabilities(connectionId)).map(({ id, fingerprint }) => ({ id, fingerprint }));
const approve = async (
  db: Db,
  connection: Awaited<ReturnType<typeof connect>>,
  as: Awaited<ReturnType<typeof shown>>,
  { id: approverId }: TestMember,
) => approveCapabilities(db, connection, await holdShown(db, connection.id, as), { approverId, at });

describe('a connection', () => {
  it('is made by a builder with everything pending, under a name of its own in workflows', async () => {
    const connection = await connect(builder, { a: 'A', b: 'B' }, 'Ünïted Bank – Tools!');
    const again = await connect(builder, { a: 'A' }, 'united bank tools');
    expect(await states(connection.id)).toEqual({ a: 'pending', b: 'pending' });
    const { rows } = await test.owner.query(
      'select slug, status, personal_data_allowed from quorate.connections where id = any($1) order by slug',
      [[connection.id, again.id]],
    );
    expect(rows).toEqual([
      { slug: 'united-bank-tools', status: 'connected', personal_data_allowed: false },
      { slug: 'united-bank-tools-2', status: 'connected', personal_data_allowed: false },
    ]);
    await expect(connect(plain, { a: 'A' })).rejects.toThrow();
    await expect(connect(approver, { a: 'A' })).rejects.toThrow();
  });

  it('has what it offers approved by an approver, exactly as shown', async () => {
    const connection = await connect(builder, { a: 'A', b: 'B' });
    const [first, second] = await shown(connection.id);
    if (!first || !second) throw new Error('nothing is offered');
    await expect(change(builder, (db) => approve(db, connection, [first], builder))).rejects.toThrow();
    await expect(change(plain, (db) => approve(db, connection, [first], plain))).rejects.toThrow();
    await expect(change(approver, (db) => approve(db, connection, [first], builder))).rejects.toThrow();
    expect(await states(connection.id)).toEqual({ a: 'pending', b: 'pending' });
    const stale = { id: second.id, fingerprint: 'f'.repeat(64) };
    expect(await change(approver, (db) => approve(db, connection, [first, stale], approver))).toEqual({
      approved: 1,
      missed: 1,
    });
    expect(await states(connection.id)).toEqual({ a: 'approved', b: 'pending' });
    await expect(change(approver, (db) => approve(db, connection, [stale], approver))).rejects.toMatchObject({ code: 'conflict' });
    await change(approver, (db) => withdrawCapability(db, connection, first.id));
    expect(await states(connection.id)).toEqual({ a: 'pending', b: 'pending' });
  });

  it('has what is approved held, so that a check cannot write another definition in between', async () => {
    const connection = await connect(builder, { a: 'A' });
    const offered = await shown(connection.id);
    await change(approver, async (db) => {
      const held = await holdShown(db, connection.id, offered);
      const redefine = 'select from quorate.capabilities where connection_id = $1 for no key update nowait';
      await expect(test.owner.query(redefine, [connection.id])).rejects.toMatchObject({ code: '55P03' });
      return approveCapabilities(db, connection, held, { approverId: approver.id, at });
    });
    expect(await states(connection.id)).toEqual({ a: 'approved' });
    const [row] = await capabilities(connection.id);
    expect(row?.approved_definition).toEqual(row?.definition);
  });

  it('keeps what was approved beside what a later check finds', async () => {
    const connection = await connect(builder, { a: 'A', b: 'B', c: 'C' });
    const offered = await shown(connection.id);
    await change(approver, (db) => approve(db, connection, offered, approver));
    expect(
      await change(builder, (db) => recordCheck(db, connection, offering({ a: 'A', b: 'B, and more', d: 'D' }), { newId, at })),
    ).toEqual({ news: 3 });
    expect(await states(connection.id)).toEqual({ a: 'approved', b: 'changed', c: 'removed', d: 'pending' });
    expect((await capabilities(connection.id))[1]).toMatchObject({
      approved_definition: { name: 'b', description: 'B' },
      definition: { name: 'b', description: 'B, and more' },
    });
    expect(await change(builder, (db) => recordCheck(db, connection, offering({ a: 'A', b: 'B', c: 'C', d: 'D' }), { newId, at }))).toEqual(
      { news: 2 },
    );
    expect(await states(connection.id)).toEqual({ a: 'approved', b: 'approved', c: 'approved', d: 'pending' });
    await change(builder, (db) => recordFailedCheck(db, connection, { key: 'peerUnreachable', values: {}, retryable: true }, at));
    const { rows } = await test.owner.query('select status, last_error from quorate.connections where id = $1', [connection.id]);
    expect(rows).toEqual([{ status: 'error', last_error: { key: 'peerUnreachable', values: {} } }]);
    expect(await states(connection.id)).toMatchObject({ a: 'approved' });
  });

  it('gets personal data when two agree, and whoever may ask for it changes nothing else of it', async () => {
    const connection = await connect(builder, {});
    await expect(change(builder, (db) => allowPersonalData(db, connection, true, at))).rejects.toThrow();
    await expect(change(plain, (db) => allowPersonalData(db, connection, true, at))).rejects.toMatchObject({ code: 'not_found' });
    await expect(change(approver, (db) => allowPersonalData(db, connection, true, at))).rejects.toMatchObject({ code: 'forbidden' });
    await test.arrange(workspace.id, async (client) => {
      await client.query('update quorate.connections set personal_data_allowed = true where id = $1', [connection.id]);
    });
    const event: AuditEntry = { action: 'connection.checked', resource: { kind: 'connection', id: connection.id } };
    for (const values of [{ name: 'Other' }, { sealed_credential: null }, { status: 'disconnected' as const }]) {
      await expect(
        change(approver, async (db) => {
          await db.updateTable('quorate.connections').set(values).where('id', '=', connection.id).execute();
          return { result: null, event };
        }),
      ).rejects.toMatchObject({ code: 'forbidden' });
    }
    // What was allowed for one address must not serve another.
    for (const member of [builder, both]) {
      await expect(
        change(member, async (db) => {
          await db
            .updateTable('quorate.connections')
            .set({ endpoint: 'https://evil.example/mcp' })
            .where('id', '=', connection.id)
            .execute();
          return { result: null, event };
        }),
      ).rejects.toMatchObject({ code: 'forbidden' });
    }
    await change(builder, (db) => allowPersonalData(db, connection, false, at));
  });

  it('ends with its token, and frees its name', async () => {
    const connection = await connect(builder, { a: 'A' }, 'Ends soon');
    await expect(change(approver, (db) => disconnect(db, connection, at))).rejects.toThrow();
    await change(builder, (db) => disconnect(db, connection, at));
    const { rows } = await test.owner.query(
      'select status, sealed_credential, deleted_at is not null as gone from quorate.connections where id = $1',
      [connection.id],
    );
    expect(rows).toEqual([{ status: 'disconnected', sealed_credential: null, gone: true }]);
    await expect(change(builder, (db) => disconnect(db, connection, at))).rejects.toMatchObject({ code: 'not_found' });
    await connect(builder, {}, 'Ends soon');
  });
});

describe('the built-in connections', () => {
  it('wait when a builder adds them, stand approved when someone may, and are added once', async () => {
    const seed = (member: TestMember, approvedBy: string | null, kinds: readonly ('mcp' | 'a2a')[]) =>
      change(member, async (db) => {
        const { added } = await seedBuiltinConnections(db, {
          workspaceId: workspace.id,
          ownerId: member.id,
          approvedBy,
          newId,
          now: () => at,
          kinds,
        });
        return { result: added, event: { action: 'connection.builtinAdded', resource: { kind: 'workspace', id: workspace.id } } };
      });
    const [tools] = await seed(builder, null, ['mcp']);
    expect(new Set(Object.values(await states(tools?.id ?? '')))).toEqual(new Set(['pending']));
    const [copilot] = await seed(both, both.id, ['a2a']);
    expect(await states(copilot?.id ?? '')).toEqual({ assess_obligations: 'approved' });
    await expect(seed(builder, builder.id, ['mcp'])).resolves.toEqual([]);
  });
});
