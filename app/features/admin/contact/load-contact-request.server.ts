import { data, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { isLanguage, LANGUAGE_NAMES } from '#app/domain/web/languages.ts';
import { topicOf } from '#app/features/admin/contact/load-contact-requests.server.ts';
import { requireOperator } from '#app/features/admin/contact/require-operator.server.ts';

/** One request with all its words. 404 for an id that is none. */
export async function loadContactRequest(context: Readonly<RouterContextProvider>, id: string) {
  const { read, member } = await requireOperator(context);
  const row = z.uuid().safeParse(id).success
    ? await read((db) =>
        db
          .selectFrom('quorate.contact_requests as c')
          .leftJoin('quorate.members as m', (join) =>
            join.onRef('m.user_id', '=', 'c.answered_by').on('m.workspace_id', '=', member.workspace.id),
          )
          .where('c.id', '=', id)
          .select([
            'c.id',
            'c.topic',
            'c.name',
            'c.email',
            'c.company',
            'c.message',
            'c.language',
            'c.sharing_refused',
            'c.created_at',
            'c.answered_at',
            'm.name as answered_by',
          ])
          .executeTakeFirst(),
      )
    : undefined;
  if (row === undefined) throw data({ code: 'not_found' }, { status: 404 });
  return {
    id: row.id,
    topic: topicOf(row.topic),
    name: row.name,
    email: row.email,
    company: row.company,
    message: row.message,
    language: isLanguage(row.language) ? LANGUAGE_NAMES[row.language] : row.language,
    sharingRefused: row.sharing_refused,
    createdAt: row.created_at.toISOString(),
    answeredAt: row.answered_at?.toISOString() ?? null,
    answeredBy: row.answered_by,
  };
}
export type ContactRequest = Awaited<ReturnType<typeof loadContactRequest>>;
