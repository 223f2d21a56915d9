import type { RouterContextProvider } from 'react-router';
import type { Db } from '#app/contracts/db.ts';
import { directoryContext } from '#app/contracts/request-context.ts';
import { isTooDeep } from '#app/domain/web/json-depth.ts';
import { etagOf } from '#app/engine/directory/resources.ts';
import { ScimError } from '#app/engine/directory/scim-error.ts';

/** One call: `base`, the address of the workspace's SCIM; `id`, what the address names; null for the list. */
export type ScimCall = {
  request: Request;
  params: URLSearchParams;
  base: string;
  id: string | null;
  workspaceId: string;
  context: Readonly<RouterContextProvider>;
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
};

export const callOf = (context: Readonly<RouterContextProvider>) => {
  const { directory, read } = context.get(directoryContext);
  return { workspaceId: directory.workspace.id, read, context };
};

const JSON_BODY = /^application\/(?:scim\+)?json\s*(?:;|$)/i;

/** The body as it was sent. @throws ScimError for another type than JSON, or for what is none */
export async function readJson(request: Request): Promise<unknown> {
  if (!JSON_BODY.test(request.headers.get('Content-Type') ?? '')) throw new ScimError(415, 'Send application/scim+json.');
  const text = await request.text();
  const body = parsed(text);
  if (isTooDeep(body)) throw new ScimError(400, 'The body is nested too deeply.', 'invalidSyntax');
  return body;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ScimError(400, 'The body is no JSON.', 'invalidSyntax');
  }
}

/** Whether a condition of the header names this version (RFC 9110, section 13.1, by weak comparison). */
export function names(header: string | null, revision: number): boolean {
  return (header ?? '').split(',').some((one) => ['*', etagOf(revision)].includes(one.trim()));
}

/** @throws ScimError 412 where the caller has seen another version */
export function requireSeen(request: Request, revision: number): void {
  const seen = request.headers.get('If-Match');
  if (seen !== null && !names(seen, revision)) throw new ScimError(412, 'It has changed since.');
}

export const notAllowed = (allow: string) => new Response(null, { status: 405, headers: { Allow: allow } });

export const listOf = ({ total, startIndex, items }: { total: number; startIndex: number; items: unknown[] }) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  totalResults: total,
  startIndex,
  itemsPerPage: items.length,
  ...(items.length > 0 && { Resources: items }),
});
