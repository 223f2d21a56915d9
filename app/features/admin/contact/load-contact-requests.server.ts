import { sql } from 'kysely';
import type { RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { requireOperator } from '#app/features/admin/contact/require-operator.server.ts';

const PAGE_SIZE = 50;
const STATES = ['new', 'answered', 'all'] as const;

export type ContactTopic = 'sales' | 'demo' | 'privacy' | 'other';
export type ContactRow = { id: string; topic: ContactTopic; name: string; company: string; createdAt: string; answered: boolean };

/** Messages to the operator, newest first: the unanswered ones, unless `state` asks for others. */
export async function loadContactRequests({ url, context }: { url: URL; context: Readonly<RouterContextProvider> }) {
  const { read } = await requireOperator(context);
  const state = z.enum(STATES).catch('new').parse(url.searchParams.get('state'));
  const before = z.uuid().safeParse(url.searchParams.get('before')).data;
  const rows = await read((db) => {
    let query = db.selectFrom('quorate.contact_requests as c');
    if (state !== 'all') query = query.where('c.answered_at', state === 'new' ? 'is' : 'is not', null);
    if (before !== undefined)
      query = query.where(
        sql<boolean>`(c.created_at, c.id) < (select b.created_at, b.id from quorate.contact_requests b where b.id = ${before}::uuid)`,
      );
    return query
      .orderBy('c.created_at', 'desc')
      .orderBy('c.id', 'desc')
      .limit(PAGE_SIZE + 1)
      .select(['c.id', 'c.topic', 'c.name', 'c.company', 'c.created_at', 'c.answered_at'])
      .execute();
  });
  const page = rows.slice(0, PAGE_SIZE);
  return {
    state,
    next: rows.length > PAGE_SIZE ? (page.at(-1)?.id ?? null) : null,
    rows: page.map(
      (row): ContactRow => ({
        id: row.id,
        topic: topicOf(row.topic),
        name: row.name,
        company: row.company,
        createdAt: row.created_at.toISOString(),
        answered: row.answered_at !== null,
      }),
    ),
  };
}
export type ContactList = Awaited<ReturnType<typeof loadContactRequests>>;

export function topicOf(stored: string): ContactTopic {
  return stored === 'sales' || stored === 'demo' || stored === 'privacy' ? stored : 'other';
}
