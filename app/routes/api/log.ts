import { serveLog } from '#app/features/audit/proof/serve-log.server.ts';
import { requireKey } from '#app/features/auth/session/require-key.server.ts';
import type { Route } from './+types/log';

const opensKey = requireKey('audit:read');

/** A key is asked for nobody who shows none: the log may be open to everybody. */
export const middleware: Route.MiddlewareFunction[] = [
  (args, next) => (args.request.headers.has('Authorization') ? opensKey(args, next) : next()),
];

export function loader(args: Route.LoaderArgs) {
  return serveLog(args);
}
