import { loadOperator } from '#app/features/public/contact/load-operator.server.ts';
import { LegalPage } from '#app/features/public/legal-page.tsx';
import type { Route } from './+types/imprint';

export const handle = { i18n: ['public', 'legal'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadOperator(context);
}

export default function Imprint({ loaderData }: Route.ComponentProps) {
  return <LegalPage document="imprint" operator={loaderData.operator} />;
}
