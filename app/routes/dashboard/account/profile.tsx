import { loadProfile } from '#app/features/account/profile/load-profile.server.ts';
import { ProfilePage } from '#app/features/account/profile/profile-page.tsx';
import { saveName } from '#app/features/account/profile/save-name-action.server.ts';
import type { Route } from './+types/profile';

export const handle = { i18n: ['account', 'validation'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadProfile(context);
}

export function action(args: Route.ActionArgs) {
  return saveName(args);
}

export default function Profile({ loaderData, actionData }: Route.ComponentProps) {
  return <ProfilePage view={loaderData} lastResult={actionData} />;
}
