import { type LoaderFunctionArgs, redirect } from 'react-router';
import { authContext, clientContext, servicesContext } from '#app/contracts/request-context.ts';
import { needsSecondFactor } from '#app/features/auth/factor/second-factor.server.ts';
import { factorPath, HOME_PATH, signInPath } from '#app/features/auth/session/return-path.ts';

/** A workspace that is used from its own networks alone, for who comes from elsewhere; and their other workspaces. */
export async function loadElsewhere({ url, context }: LoaderFunctionArgs) {
  const { user } = context.get(authContext);
  if (user === null) throw redirect(signInPath(HOME_PATH));
  if (await needsSecondFactor(context, user)) throw redirect(factorPath(HOME_PATH));
  const { address } = context.get(clientContext);
  const { id: userId, sessionId } = user;
  const memberships = await context.get(servicesContext).access.membershipsOf({ userId, sessionId, countUpTo: 0, address });
  const closed = memberships.find(({ workspace }) => workspace.id === url.searchParams.get('workspace'));
  if (closed?.owesSession !== 'address') throw redirect(HOME_PATH);
  return {
    address,
    workspace: closed.workspace.name,
    others: memberships
      .filter(({ owesSession }) => owesSession !== 'address')
      .map(({ workspace }) => ({ id: workspace.id, name: workspace.name })),
  };
}
export type ElsewhereView = Awaited<ReturnType<typeof loadElsewhere>>;
