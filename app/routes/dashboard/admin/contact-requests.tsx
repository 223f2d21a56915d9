import { ContactRequestsPage } from '#app/features/admin/contact/contact-requests-page.tsx';
import { loadContactRequests } from '#app/features/admin/contact/load-contact-requests.server.ts';
import type { Route } from './+types/contact-requests';

export const handle = { i18n: ['admin'] };

export function loader({ url, context }: Route.LoaderArgs) {
  return loadContactRequests({ url, context });
}

export default function ContactRequests({ loaderData }: Route.ComponentProps) {
  return <ContactRequestsPage list={loaderData} />;
}
