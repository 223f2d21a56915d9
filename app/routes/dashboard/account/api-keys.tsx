import { ApiKeysPage } from '#app/features/account/keys/api-keys-page.tsx';
import { loadKeyList } from '#app/features/account/keys/load-key-list.server.ts';
import type { Route } from './+types/api-keys';

export const handle = { i18n: ['account'] };

export function loader({ url, context }: Route.LoaderArgs) {
  return loadKeyList({ url, context }, 'own');
}

export default function ApiKeys({ loaderData }: Route.ComponentProps) {
  return <ApiKeysPage view={loaderData} />;
}
