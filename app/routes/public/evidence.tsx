import { EvidencePage } from '#app/features/public/evidence/evidence-page.tsx';
import { loadEvidence } from '#app/features/public/evidence/load-evidence.server.ts';
import type { Route } from './+types/evidence';

export const handle = { i18n: ['public', 'evidence', 'landing'] };

export function loader() {
  return loadEvidence();
}

export default function Evidence({ loaderData }: Route.ComponentProps) {
  return <EvidencePage evidence={loaderData} />;
}
