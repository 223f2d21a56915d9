import { z } from 'zod';

/**
 * Cancelling a call in the revisions before 2026-07-28: a notification of its own that names the request. Ids count from one in every
 * client, and several may share a key: a session, which nothing else is kept of, tells them apart. Calls are known to the process that
 * serves them.
 */
const SESSION_HEADER = 'Mcp-Session-Id';
const VERSION_HEADER = 'MCP-Protocol-Version';
const initializing = z.object({ method: z.literal('initialize') });
const cancelling = z.object({
  method: z.literal('notifications/cancelled'),
  params: z.object({ requestId: z.union([z.string(), z.number()]) }),
});

const underWay = new Map<string, AbortController>();
const nameOf = (keyId: string, session: string, id: string | number) => JSON.stringify([keyId, session, id]);

/** The session that a request names, if it can be one of ours. */
const sessionOf = (request: Request): string | null => z.uuid().safeParse(request.headers.get(SESSION_HEADER)).data ?? null;

/** A signal that is aborted when the client cancels this call; `end` forgets the call. Without a session nothing can. */
export function openCall(request: Request, keyId: string, id: string | number): { signal: AbortSignal; end(): void } {
  const session = sessionOf(request);
  const controller = new AbortController();
  if (session === null) return { signal: controller.signal, end: () => undefined };
  const name = nameOf(keyId, session, id);
  underWay.set(name, controller);
  return {
    signal: controller.signal,
    end() {
      if (underWay.get(name) === controller) underWay.delete(name);
    },
  };
}

/** Aborts the call that this request cancels, where it is such a notification; `body` is the request's. */
export function cancelCall(request: Request, keyId: string, body: unknown): void {
  const session = sessionOf(request);
  const asked = cancelling.safeParse(body);
  if (session !== null && asked.success) underWay.get(nameOf(keyId, session, asked.data.params.requestId))?.abort();
}

/** Gives a client a session with the answer to its `initialize`. */
export function withSession(request: Request, body: unknown, response: Response): Response {
  if (!response.ok || request.headers.has(VERSION_HEADER) || !initializing.safeParse(body).success) return response;
  const headers = new Headers(response.headers);
  headers.set(SESSION_HEADER, crypto.randomUUID());
  return new Response(response.body, { status: response.status, headers });
}
