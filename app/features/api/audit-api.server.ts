import { sql } from 'kysely';
import { type ApiArguments, answer, pageOfRows } from '#app/features/api/answer.server.ts';
import { apiEvent, pageQuery } from '#app/features/api/api-schemas.server.ts';
import { historyRefused, isHistory } from '#app/features/api/history.server.ts';

/** The audit log, newest first, as far as the key's member may see it, and of others the last days alone. */
export const listAuditApi = (args: ApiArguments) =>
  answer(args, pageQuery, async ({ limit, cursor }, { access }) => {
    const { key } = access;
    const all = key.roles.includes('auditor') || key.roles.includes('admin');
    const rows = await access.read(async (db) => {
      if (all && cursor !== undefined && (await isHistory(db, 'audit_events', cursor))) return null;
      let query = db.selectFrom('quorate.audit_events as e').where('e.workspace_id', '=', key.workspace.id);
      // The database shows nobody else's entries; said here too, it finds these few without reading everyone's.
      if (!all) query = query.where('e.actor_id', '=', key.user.id);
      if (cursor !== undefined)
        query = query.where(sql<boolean>`(e.at, e.id) < (select b.at, b.id from quorate.audit_events b where b.id = ${cursor}::uuid)`);
      return query
        .orderBy('e.at', 'desc')
        .orderBy('e.id', 'desc')
        .limit(limit + 1)
        .select([
          'e.id',
          'e.at',
          'e.actor_kind',
          'e.actor_id',
          'e.actor_name',
          'e.action',
          'e.resource_kind',
          'e.resource_id',
          'e.resource_name',
          'e.leaf_index',
        ])
        .execute();
    });
    if (rows === null) return historyRefused();
    return pageOfRows(rows, limit, (row) =>
      apiEvent.parse({
        id: row.id,
        at: row.at.toISOString(),
        actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
        action: row.action,
        resource: { kind: row.resource_kind, id: row.resource_id, name: row.resource_name },
        leafIndex: row.leaf_index,
      }),
    );
  });
