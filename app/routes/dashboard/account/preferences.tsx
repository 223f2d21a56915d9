import { loadPreferences } from '#app/features/account/load-preferences.server.ts';
import { PreferencesPage } from '#app/features/account/preferences-page.tsx';
import { savePreferencesAction } from '#app/features/account/save-preferences-action.server.ts';
import type { Route } from './+types/preferences';

export const handle = { i18n: ['account', 'validation'] };

export function loader({ context, request }: Route.LoaderArgs) {
  return loadPreferences(context, request);
}

export function action(args: Route.ActionArgs) {
  return savePreferencesAction(args);
}

export default function Preferences({ loaderData, actionData }: Route.ComponentProps) {
  return <PreferencesPage view={loaderData} lastResult={actionData} />;
}
