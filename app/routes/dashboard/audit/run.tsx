import { loadRunProof } from '#app/features/audit/load-run-proof.server.ts';
import { RunProofPage } from '#app/features/audit/run-proof-page.tsx';
import type { Route } from './+types/run';

export const handle = { i18n: ['audit'] };

export function loader({ params, context }: Route.LoaderArgs) {
  return loadRunProof({ params, context });
}

export default function Run({ loaderData }: Route.ComponentProps) {
  return <RunProofPage proof={loaderData} />;
}
