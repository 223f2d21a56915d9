import { requestContact } from '#app/features/public/contact/contact-action.server.ts';
import { PricingPage } from '#app/features/public/pricing-page.tsx';
import type { Route } from './+types/pricing';

export const handle = { i18n: ['public', 'offer', 'landing'] };

export function loader() {
  return null;
}

export function action(args: Route.ActionArgs) {
  return requestContact(args);
}

export default function Pricing({ actionData }: Route.ComponentProps) {
  return <PricingPage answer={actionData ?? null} />;
}
