import type { RouterContextProvider } from 'react-router';
import { problem, withProblems } from '#app/components/page/problem.server.ts';
import { keyContext, requestIdContext, servicesContext } from '#app/contracts/request-context.ts';
import type { Caller, ServingDeps } from '#app/engine/serving/caller.ts';

/** Programs of other sites do not call from a page: a browser says where it comes from, and only ourselves may. */
function isForeign(request: Request, origin: string): boolean {
  const from = request.headers.get('Origin');
  return from !== null && from !== origin && from !== new URL(request.url).origin;
}

/** Serves the workspace in the address, by its short name or id, to a key of that workspace. Any other is not found, whether it exists or not. */
export function reachWorkspace(
  { request, workspace, context }: { request: Request; workspace: string; context: Readonly<RouterContextProvider> },
  serve: (caller: Caller, deps: ServingDeps) => Promise<Response>,
): Promise<Response> {
  return withProblems(async () => {
    const access = context.get(keyContext);
    const services = context.get(servicesContext);
    if (isForeign(request, services.origin)) return problem('forbidden', 'Pages of other sites may not call this address.');
    const { id, slug } = access.key.workspace;
    if (workspace !== slug && workspace !== id) return problem('not_found', 'There is no such workspace for this key.');
    return serve(access, { ...services, requestId: context.get(requestIdContext) });
  }, new URL(request.url).pathname);
}
