import { GuidePage } from '#app/features/help/guide-page.tsx';
import { loadGuide } from '#app/features/help/load-help.server.ts';
import type { Route } from './+types/guide';

export const handle = { i18n: ['help', 'members'] };

export function loader({ context, params }: Route.LoaderArgs) {
  return loadGuide({ context, slug: params.guide });
}

export default function GuideRoute({ loaderData }: Route.ComponentProps) {
  return <GuidePage {...loaderData} />;
}
