import { saveGroups } from '#app/features/admin/sign-in/groups-action.server.ts';
import { GroupsPage } from '#app/features/admin/sign-in/groups-page.tsx';
import { loadGroups } from '#app/features/admin/sign-in/load-sign-in.server.ts';
import type { Route } from './+types/groups';

export const handle = { i18n: ['admin', 'control', 'members', 'validation'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadGroups(context);
}

export function action(args: Route.ActionArgs) {
  return saveGroups(args);
}

export default function Groups({ loaderData, actionData }: Route.ComponentProps) {
  return <GroupsPage groups={loaderData} answer={actionData} />;
}
