import { data, type LoaderFunctionArgs } from 'react-router';
import { shownWorkspaceName } from '#app/components/text/shipped-texts.server.ts';
import type { AuthorizationRequest } from '#app/contracts/clients/authorization.ts';
import type { ApiKeyScope } from '#app/contracts/people.ts';
import { memberContext, membershipsContext, servicesContext } from '#app/contracts/request-context.ts';
import { scopesWithin } from '#app/domain/people/api-key-scopes.ts';
import { workspaceOf } from '#app/domain/people/served-resource.ts';

export type AuthorizeView =
  | { kind: 'over'; error: string | null }
  | { kind: 'elsewhere'; client: string; resource: string; path: string; workspace: { id: string; name: string } | null }
  | { kind: 'ask'; id: string; request: AuthorizationRequest; workspace: string; scopes: ApiKeyScope[]; days: number };

/** How long a client may act before it asks again. */
export const CLIENT_DAYS = 90;

type Args = Pick<LoaderFunctionArgs, 'request' | 'context'> & { params: { request?: string | undefined } };

/** The request under way in this browser, or null. */
export function requestAt({ request, params, context }: Args): Promise<AuthorizationRequest | null> {
  return context.get(servicesContext).authorization.readRequest(params.request ?? '', request.headers.get('Cookie'));
}

/** The question of a client, in the workspace that it is about; why there is nothing to answer otherwise. */
export async function loadAuthorize(args: Args & { url: URL }) {
  const { url, context } = args;
  const asked = await requestAt(args);
  if (asked === null) {
    const error = url.searchParams.get('error');
    return data<AuthorizeView>({ kind: 'over', error: error !== null && /^[a-z_]{1,40}$/.test(error) ? error : null }, { status: 404 });
  }
  const { member } = context.get(memberContext);
  const { name, resource } = { name: asked.client.name, resource: asked.resource };
  if (!isHere(asked, member.workspace)) {
    const meant = context.get(membershipsContext).find(({ workspace }) => isHere(asked, workspace))?.workspace;
    const workspace = meant === undefined ? null : { id: meant.id, name: meant.name };
    return data<AuthorizeView>({ kind: 'elsewhere', client: name, resource, path: url.pathname, workspace });
  }
  const within = scopesWithin(member.roles);
  return data<AuthorizeView>({
    kind: 'ask',
    id: context.get(servicesContext).newId(),
    request: asked,
    workspace: shownWorkspaceName(context),
    scopes: asked.scopes.filter((scope) => within.includes(scope)),
    days: CLIENT_DAYS,
  });
}

/** Whether the request is about this workspace. */
export function isHere({ resource }: AuthorizationRequest, workspace: { id: string; slug: string }): boolean {
  const meant = workspaceOf(resource);
  return meant === null || meant === workspace.slug || meant === workspace.id;
}
