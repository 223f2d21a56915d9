import type { LoaderFunctionArgs } from 'react-router';
import { data } from 'react-router';
import { z } from 'zod';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';

/**
 * The picture of a person, for whoever shares a workspace with them; for everyone else there is none (404). The browser may keep it, but
 * asks each time, so that leaving a workspace or signing out ends it.
 */
export async function serveAvatar({ request, params, context }: LoaderFunctionArgs): Promise<Response> {
  const { read } = context.get(memberContext);
  const user = z.uuid().safeParse(params.user);
  if (!user.success) throw notFound();
  const row = await read((db) =>
    db.selectFrom('quorate.avatars').select(['file_name', 'media_type', 'digest']).where('user_id', '=', user.data).executeTakeFirst(),
  );
  if (row === undefined) throw notFound();
  const headers = { ETag: `"${row.digest}"`, 'Cache-Control': 'private, no-cache' };
  if (isKnown(request.headers.get('If-None-Match'), row.digest)) return new Response(null, { status: 304, headers });
  const file = await context.get(servicesContext).files.get(row.file_name);
  if (file === null) throw notFound();
  return new Response(Buffer.from(file.content), {
    headers: {
      ...headers,
      // The type found in the bytes, not the one that the sender or the store names.
      'Content-Type': row.media_type,
      'Content-Security-Policy': 'sandbox',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}

function isKnown(header: string | null, digest: string): boolean {
  return (header ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === `"${digest}"`);
}

function notFound() {
  return data({ code: 'not_found' }, { status: 404 });
}
