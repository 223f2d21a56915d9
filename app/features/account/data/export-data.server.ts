import { sql } from 'kysely';
import type { LoaderFunctionArgs } from 'react-router';
import type { Json } from '#app/contracts/json.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { readCookie } from '#app/platform/i18n/preference-cookies.server.ts';

/** All of one's personal data as one JSON file: never a hash, a token or a password. */
export async function exportOwnData({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const { read } = context.get(memberContext);
  const { rows } = await read((db) => sql<{ exported: { [key: string]: Json } }>`select quorate.export_own_data() as exported`.execute(db));
  const at = context.get(servicesContext).now().toISOString();
  const file = { format: 'quorate.account/1', exportedAt: at, ...rows[0]?.exported, consent: readCookie(request, 'consent') };
  return new Response(JSON.stringify(file, null, 2), {
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Disposition': `attachment; filename="quorate-account-${at.slice(0, 10)}.json"`,
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}
