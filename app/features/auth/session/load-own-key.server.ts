import type { RouterContextProvider } from 'react-router';
import { keyContext } from '#app/contracts/request-context.ts';

/** The rights of a key, for its holder. */
export function loadOwnKey(context: Readonly<RouterContextProvider>): Response {
  const { key } = context.get(keyContext);
  return Response.json({
    id: key.id,
    name: key.name,
    scopes: key.scopes,
    expiresAt: key.expiresAt?.toISOString() ?? null,
    workspace: key.workspace,
    member: key.user,
    roles: key.roles,
  });
}
