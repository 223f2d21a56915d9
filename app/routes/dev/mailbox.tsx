import { loadMailboxPage } from '#app/features/mailbox/load-mailbox.server.ts';
import { MailboxPage } from '#app/features/mailbox/mailbox-page.tsx';
import type { Route } from './+types/mailbox';

export const handle = { i18n: ['mail'] };

export async function loader(args: Route.LoaderArgs) {
  return { mails: await loadMailboxPage(args) };
}

export default function Mailbox({ loaderData }: Route.ComponentProps) {
  return <MailboxPage mails={loaderData.mails} />;
}
