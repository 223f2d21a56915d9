import type { ApiKeyScope } from '#app/contracts/people.ts';

/** Addresses that programs call with a person's rights: MCP of a workspace, A2A of a workspace's workflow, the API. */
const SERVED = /^\/(?:mcp\/[^/]+|a2a\/[^/]+\/[^/]+|api\/v1)$/;

/** Whether tokens can be made out for this address of the instance (RFC 8707: absolute, without a fragment). */
export function isServedResource(resource: string, origin: string): boolean {
  if (!URL.canParse(resource)) return false;
  const { origin: of, pathname, search, hash } = new URL(resource);
  return of === new URL(origin).origin && search === '' && hash === '' && SERVED.test(pathname.replace(/\/$/, ''));
}

/** The slug of the workspace that a resource belongs to; null: the API, which serves whichever the person chooses. */
export function workspaceOf(resource: string): string | null {
  return /^\/(?:mcp|a2a)\/([^/]+)/.exec(new URL(resource).pathname)?.[1] ?? null;
}

/** The resource that an address belongs to, as a path; null: no programs are served there. */
export function resourceAt(pathname: string): string | null {
  return /^\/(?:mcp\/[^/]+|a2a\/[^/]+\/[^/]+|api\/v1)(?=\/|$)/.exec(pathname)?.[0] ?? null;
}

/** Whether an address lies within the resource that a token was made out for. */
export function isWithinResource(pathname: string, resource: string): boolean {
  const within = new URL(resource).pathname.replace(/\/$/, '');
  return pathname === within || pathname.startsWith(`${within}/`);
}

/** The scopes of a client that names none. */
export function leastScopes(resource: string, origin: string): ApiKeyScope[] {
  const starts = isServedResource(resource, origin) && workspaceOf(resource) !== null;
  return starts ? ['runs:read', 'runs:start'] : ['runs:read'];
}
