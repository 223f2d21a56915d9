import { changePictureAction } from '#app/features/account/profile/change-picture-action.server.ts';
import { loadProfile } from '#app/features/account/profile/load-profile.server.ts';
import { PicturePage } from '#app/features/account/profile/picture-page.tsx';
import type { Route } from './+types/picture';

export const handle = { i18n: ['account', 'inputs', 'validation'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadProfile(context);
}

export function action(args: Route.ActionArgs) {
  return changePictureAction(args);
}

export default function Picture({ loaderData, actionData }: Route.ComponentProps) {
  return <PicturePage view={loaderData} lastResult={actionData} />;
}
