import { loadPack } from '#app/features/audit/packs/load-pack.server.ts';
import { PackPage } from '#app/features/audit/packs/pack-page.tsx';
import type { Route } from './+types/packs';

export const handle = { i18n: ['packs', 'audit', 'actions', 'compliance'] };

export function loader({ url, context }: Route.LoaderArgs) {
  return loadPack({ url, context });
}

export default function Packs({ loaderData }: Route.ComponentProps) {
  return <PackPage loaded={loaderData} />;
}
