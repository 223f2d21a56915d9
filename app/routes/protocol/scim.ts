import { requireDirectory } from '#app/features/provisioning/require-directory.server.ts';
import { serveScim } from '#app/features/provisioning/serve-scim.server.ts';
import type { Route } from './+types/scim';

export const middleware: Route.MiddlewareFunction[] = [requireDirectory];

export function loader({ request, url, params, context }: Route.LoaderArgs) {
  return serveScim({ request, url, params, context });
}

export function action({ request, url, params, context }: Route.ActionArgs) {
  return serveScim({ request, url, params, context });
}
