import { loadOperator } from '#app/features/public/contact/load-operator.server.ts';
import { LegalPage } from '#app/features/public/legal-page.tsx';
import type { Route } from './+types/cookies';

export const handle = { i18n: ['public', 'legal'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadOperator(context);
}

export default function Cookies({ loaderData }: Route.ComponentProps) {
  return <LegalPage document="cookies" operator={loaderData.operator} />;
}
