import { sql } from 'kysely';
import { data, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { memberContext } from '#app/contracts/request-context.ts';

const DELIVERY_PAGE_SIZE = 50;

export type DeliveryRow = {
  id: string;
  kind: 'mail' | 'webhook';
  /** The address of a mail; of a webhook its origin alone, because a path may be a secret. */
  target: string;
  status: 'pending' | 'success' | 'failed';
  attempts: number;
  createdAt: string;
  nextAttemptAt: string | null;
  lastError: string | null;
};

/** Mails and webhooks of the workspace, newest first: their state, never their content. */
export async function loadDeliveries({ url, context }: { url: URL; context: Readonly<RouterContextProvider> }) {
  const { member, read } = context.get(memberContext);
  if (!member.roles.includes('admin') && !member.roles.includes('auditor')) throw data({ code: 'forbidden' }, { status: 403 });
  const before = z.uuid().safeParse(url.searchParams.get('before')).data;
  const rows = await read((db) => {
    let query = db.selectFrom('quorate.deliveries as d').where('d.workspace_id', '=', member.workspace.id);
    if (before !== undefined)
      query = query.where(
        sql<boolean>`(d.created_at, d.id) < (select b.created_at, b.id from quorate.deliveries b where b.id = ${before}::uuid)`,
      );
    return query
      .orderBy('d.created_at', 'desc')
      .orderBy('d.id', 'desc')
      .limit(DELIVERY_PAGE_SIZE + 1)
      .select(['d.id', 'd.kind', 'd.target', 'd.status', 'd.attempts', 'd.created_at', 'd.next_attempt_at', 'd.last_error'])
      .execute();
  });
  const page = rows.slice(0, DELIVERY_PAGE_SIZE);
  return {
    next: rows.length > DELIVERY_PAGE_SIZE ? (page.at(-1)?.id ?? null) : null,
    rows: page.map(
      (row): DeliveryRow => ({
        id: row.id,
        kind: row.kind,
        target: row.kind === 'webhook' ? originOf(row.target) : row.target,
        status: row.status,
        attempts: row.attempts,
        createdAt: row.created_at.toISOString(),
        nextAttemptAt: row.status === 'pending' && row.attempts > 0 ? row.next_attempt_at.toISOString() : null,
        lastError: row.last_error,
      }),
    ),
  };
}

const originOf = (address: string) => (URL.canParse(address) ? new URL(address).origin : '');
