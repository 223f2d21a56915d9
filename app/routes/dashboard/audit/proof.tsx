import { loadProof } from '#app/features/audit/proof/load-proof.server.ts';
import { ProofPage } from '#app/features/audit/proof/proof-page.tsx';
import { saveProof } from '#app/features/audit/proof/save-proof.server.ts';
import type { Route } from './+types/proof';

export const handle = { i18n: ['audit', 'control', 'validation'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadProof(context);
}

export function action(args: Route.ActionArgs) {
  return saveProof(args);
}

export default function Proof({ loaderData, actionData }: Route.ComponentProps) {
  return <ProofPage loaded={loaderData} lastResult={actionData} />;
}
