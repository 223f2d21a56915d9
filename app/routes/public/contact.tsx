import { requestContact } from '#app/features/public/contact/contact-action.server.ts';
import { ContactPage } from '#app/features/public/contact/contact-page.tsx';
import type { Route } from './+types/contact';

export const handle = { i18n: ['public', 'offer'] };

export function loader() {
  return null;
}

export function action(args: Route.ActionArgs) {
  return requestContact(args);
}

export default function Contact({ actionData }: Route.ComponentProps) {
  return <ContactPage answer={actionData ?? null} />;
}
