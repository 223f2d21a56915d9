import { loadMailbox } from '#app/features/mailbox/load-mailbox.server.ts';
import type { Route } from './+types/mailbox-json';

export async function loader({ context }: Route.LoaderArgs) {
  return Response.json(await loadMailbox(context), { headers: { 'Cache-Control': 'no-store' } });
}
