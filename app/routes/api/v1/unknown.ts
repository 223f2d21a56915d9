import { problem } from '#app/components/page/problem.server.ts';
import { requireKey } from '#app/features/auth/session/require-key.server.ts';
import type { Route } from './+types/unknown';

export const middleware: Route.MiddlewareFunction[] = [requireKey()];

const noSuchAddress = () => problem('not_found', 'There is no such address. See /api/v1/openapi.json.');

export function loader() {
  return noSuchAddress();
}

export function action() {
  return noSuchAddress();
}
