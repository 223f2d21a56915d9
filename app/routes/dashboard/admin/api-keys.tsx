import { WorkspaceApiKeysPage } from '#app/features/account/keys/api-keys-page.tsx';
import { loadKeyList } from '#app/features/account/keys/load-key-list.server.ts';
import type { Route } from './+types/api-keys';

export const handle = { i18n: ['account'] };

export function loader({ url, context }: Route.LoaderArgs) {
  return loadKeyList({ url, context }, 'all');
}

export default function WorkspaceApiKeys({ loaderData }: Route.ComponentProps) {
  return <WorkspaceApiKeysPage view={loaderData} />;
}
