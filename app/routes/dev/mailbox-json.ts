import { loadMailboxJson } from '#app/features/mailbox/load-mailbox.server.ts';
import type { Route } from './+types/mailbox-json';

export async function loader(args: Route.LoaderArgs) {
  return Response.json(await loadMailboxJson(args), { headers: { 'Cache-Control': 'no-store' } });
}
