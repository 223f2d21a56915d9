import { loadMailbox } from '#app/features/mailbox/load-mailbox.server.ts';
import { MailboxPage } from '#app/features/mailbox/mailbox-page.tsx';
import type { Route } from './+types/mailbox';

export const handle = { i18n: ['mail'] };

export async function loader({ context }: Route.LoaderArgs) {
  return { mails: await loadMailbox(context) };
}

export default function Mailbox({ loaderData }: Route.ComponentProps) {
  return <MailboxPage mails={loaderData.mails} />;
}
