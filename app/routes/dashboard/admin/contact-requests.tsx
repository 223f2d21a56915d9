import { ContactRequestsPage } from '#app/features/admin/contact-requests-page.tsx';
import { loadContactRequests } from '#app/features/admin/load-contact-requests.server.ts';
import type { Route } from './+types/contact-requests';

export const handle = { i18n: ['admin'] };

export function loader({ url, context }: Route.LoaderArgs) {
  return loadContactRequests({ url, context });
}

export default function ContactRequests({ loaderData }: Route.ComponentProps) {
  return <ContactRequestsPage list={loaderData} />;
}
