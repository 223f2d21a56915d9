import { subscribeNewsletter } from '#app/features/public/contact/newsletter-action.server.ts';
import { NewsletterPage } from '#app/features/public/contact/newsletter-page.tsx';
import type { Route } from './+types/newsletter';

export const handle = { i18n: ['public'] };

export function loader() {
  return null;
}

export function action(args: Route.ActionArgs) {
  return subscribeNewsletter(args);
}

export default function Newsletter({ actionData }: Route.ComponentProps) {
  return <NewsletterPage answer={actionData ?? null} />;
}
