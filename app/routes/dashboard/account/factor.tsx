import { changeFactor } from '#app/features/auth/factor/change-factor-action.server.ts';
import { FactorSettingsPage } from '#app/features/auth/factor/factor-settings-page.tsx';
import { loadFactorSettings } from '#app/features/auth/factor/load-factor-settings.server.ts';
import type { Route } from './+types/factor';

export const handle = { i18n: ['account', 'validation'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadFactorSettings(context);
}

export function action(args: Route.ActionArgs) {
  return changeFactor(args);
}

export default function FactorSettings({ loaderData, actionData }: Route.ComponentProps) {
  return <FactorSettingsPage view={loaderData} answer={actionData} />;
}
