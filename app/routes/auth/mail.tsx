import { privatePage } from '#app/components/page/private-page.server.ts';
import { loadMail } from '#app/features/auth/mail/load-mail.server.ts';
import { signInByMail } from '#app/features/auth/mail/mail-action.server.ts';
import { MailPage } from '#app/features/auth/mail/mail-page.tsx';
import type { Route } from './+types/mail';

export const handle = { i18n: ['auth', 'validation'] };

export const middleware: Route.MiddlewareFunction[] = [privatePage];

export function loader(args: Route.LoaderArgs) {
  return loadMail(args);
}

export function action(args: Route.ActionArgs) {
  return signInByMail(args);
}

export default function Mail({ loaderData, actionData }: Route.ComponentProps) {
  return <MailPage view={loaderData} answer={actionData} />;
}
