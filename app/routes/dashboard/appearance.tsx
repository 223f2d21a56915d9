import { loadAppearance } from '#app/features/appearance/appearance.server.ts';
import { AppearancePage } from '#app/features/appearance/appearance-page.tsx';
import type { Route } from './+types/appearance';

export const handle = { i18n: ['appearance'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadAppearance(context);
}

export default function AppearanceRoute({ loaderData }: Route.ComponentProps) {
  return <AppearancePage appearance={loaderData} />;
}
