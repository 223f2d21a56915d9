import type { RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { problem, withProblems } from '#app/components/page/problem.server.ts';
import type { KeyAccess } from '#app/contracts/access.ts';
import type { ApiKeyScope } from '#app/contracts/people.ts';
import { keyContext, type Services, servicesContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { isTooDeep } from '#app/domain/web/json-depth.ts';

export type ApiArguments = { url: URL; context: Readonly<RouterContextProvider> };
export type ApiAccess = { access: KeyAccess; services: Services };

/** One answer to a program: a query checked against its schema, a body that its schema has made, failures as problems. */
export function answer<Query extends z.ZodType>(
  { url, context }: ApiArguments,
  query: Query,
  work: (query: z.output<Query>, found: ApiAccess) => Promise<unknown>,
): Promise<Response> {
  return withProblems(async () => {
    const parsed = query.safeParse(Object.fromEntries(url.searchParams));
    if (!parsed.success) return problem('invalid_input', z.prettifyError(parsed.error));
    const result = await work(parsed.data, { access: context.get(keyContext), services: context.get(servicesContext) });
    return result instanceof Response ? result : Response.json(result);
  });
}

/** A body that its schema has read and a key with this scope, or how the call is refused. */
export async function readBody<Body extends z.ZodType>(
  request: Request,
  context: Readonly<RouterContextProvider>,
  { scope, method, schema }: { scope: ApiKeyScope; method: 'POST' | 'PUT'; schema: Body },
): Promise<{ refused: Response } | { body: z.output<Body> }> {
  if (request.method !== method)
    return { refused: problem('invalid_input', `Use GET or ${method}.`, { status: 405, headers: { Allow: `GET, ${method}` } }) };
  if (!context.get(keyContext).key.scopes.includes(scope))
    return {
      refused: problem('forbidden', `This key lacks the scope ${scope}.`, {
        headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
      }),
    };
  const text = await request.text();
  const sent = parseJson(text);
  if (isTooDeep(sent)) return { refused: problem('invalid_input', 'The body is nested too deeply.') };
  const parsed = schema.safeParse(sent);
  return parsed.success ? { body: parsed.data } : { refused: problem('invalid_input', z.prettifyError(parsed.error)) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An id in the address; an invalid one finds nothing. */
export function idOf(text: string): string {
  const id = z.uuid().safeParse(text);
  if (!id.success) throw new AppError('not_found');
  return id.data;
}

/** A page of at most `limit` rows out of one more than that. */
export function pageOfRows<Row extends { id: string }, Item>(rows: Row[], limit: number, toItem: (row: Row) => Item) {
  const page = rows.slice(0, limit);
  return { data: page.map(toItem), next: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}
