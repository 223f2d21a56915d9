import { answerContactAction } from '#app/features/admin/contact/answer-contact-action.server.ts';
import { ContactRequestPage } from '#app/features/admin/contact/contact-request-page.tsx';
import { loadContactRequest } from '#app/features/admin/contact/load-contact-request.server.ts';
import type { Route } from './+types/contact-request';

export const handle = { i18n: ['admin'] };

export function loader({ context, params }: Route.LoaderArgs) {
  return loadContactRequest(context, params.request);
}

export function action(args: Route.ActionArgs) {
  return answerContactAction(args);
}

export default function ContactRequest({ loaderData }: Route.ComponentProps) {
  return <ContactRequestPage request={loaderData} />;
}
