import { seedBuiltinConnections } from '#app/engine/connections/seed-builtin-connections.ts';
import type { DemoSeed } from '#app/engine/demo/demo-seed.ts';

/** The built-in peers as connections: the builder connects them, the approver accepts what they offer. */
export async function seedDemoConnections(seed: DemoSeed): Promise<void> {
  const { workspaceId, workspaceName, builder, approver, newId, now } = seed;
  const standing = await builder.read((db) => db.selectFrom('quorate.connections').where('deleted_at', 'is', null).select('id').execute());
  if (standing.length === 0) {
    await builder.change(async (db) => {
      await seedBuiltinConnections(db, { workspaceId, ownerId: builder.userId, approvedBy: null, newId, now });
      return {
        result: null,
        event: {
          action: 'connection.created',
          resource: { kind: 'workspace', id: workspaceId, name: workspaceName },
          payload: { builtin: true },
        },
      };
    });
  }
  const pending = await approver.read((db) =>
    db
      .selectFrom('quorate.capabilities')
      .where('approved_fingerprint', 'is', null)
      .where('removed_at', 'is', null)
      .select(['id', 'name', 'fingerprint', 'definition'])
      .execute(),
  );
  if (pending.length === 0) return;
  await approver.change(async (db) => {
    for (const capability of pending) {
      await db
        .updateTable('quorate.capabilities')
        .set({
          approved_fingerprint: capability.fingerprint,
          approved_definition: JSON.stringify(capability.definition),
          approved_by: approver.userId,
          approved_at: now(),
        })
        .where('id', '=', capability.id)
        .where('fingerprint', '=', capability.fingerprint)
        .execute();
    }
    // They run inside this process: nothing leaves the machine.
    await db
      .updateTable('quorate.connections')
      .set({ personal_data_allowed: true, updated_at: now() })
      .where('endpoint', 'like', 'builtin:%')
      .execute();
    return {
      result: null,
      event: {
        action: 'capability.approved',
        resource: { kind: 'workspace', id: workspaceId, name: workspaceName },
        payload: { capabilities: pending.map(({ name, fingerprint }) => ({ name, fingerprint })) },
      },
    };
  });
}
