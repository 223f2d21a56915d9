import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { LegacyCalls } from '#app/contracts/engine.ts';
import type { Log } from '#app/contracts/ports.ts';
import type { Statement } from '#app/engine/runs/run-store.ts';

/**
 * Cancelling a call in the revisions before 2026-07-28: a notification of its own that names the request. Ids count from one in every
 * client, and several may share a key: a session, which nothing else is kept of, tells them apart.
 */
const SESSION_HEADER = 'Mcp-Session-Id';
const VERSION_HEADER = 'MCP-Protocol-Version';
const CHANNEL = 'quorate_cancelled_calls';
/** Made once: to make a schema costs more than to use it, and each call asks. */
const uuid = z.uuid();
const cancelling = z.object({
  method: z.literal('notifications/cancelled'),
  params: z.object({ requestId: z.union([z.string(), z.number()]) }),
});

type Options = {
  statement: Statement;
  listen(channel: string, onMessage: (payload: string) => void): Promise<() => Promise<void>>;
  log: Log;
};

/**
 * One for a process. A notification may come to another process than the call that it cancels: who does not know the call tells all of them,
 * by a digest. A call costs no statement for that. What is told while the connection is lost reaches nobody, as the protocol allows.
 */
export function createLegacyCalls({ statement, listen, log }: Options): LegacyCalls {
  const underWay = new Map<string, AbortController>();
  let listening: Promise<() => Promise<void>> | undefined;
  const warn = (what: string) => (error: unknown) =>
    log.warn(what, { reason: error instanceof Error ? error.message.slice(0, 200) : String(error).slice(0, 200) });

  function listenOnce(): void {
    if (listening !== undefined) return;
    listening = listen(CHANNEL, (name) => underWay.get(name)?.abort());
    listening.catch((error: unknown) => {
      listening = undefined;
      warn('cancelled calls are not heard of')(error);
    });
  }

  return {
    open(request, keyId, id) {
      const session = sessionOf(request);
      if (session === null) return null;
      listenOnce();
      const controller = new AbortController();
      const name = nameOf(keyId, session, id);
      underWay.set(name, controller);
      return {
        signal: controller.signal,
        end() {
          if (underWay.get(name) === controller) underWay.delete(name);
        },
      };
    },
    cancel(request, keyId, body) {
      const session = sessionOf(request);
      if (session === null) return;
      const asked = cancelling.safeParse(body);
      if (!asked.success) return;
      const name = nameOf(keyId, session, asked.data.params.requestId);
      const known = underWay.get(name);
      if (known !== undefined) return known.abort();
      statement({ name: 'q_cancel_call', text: 'select pg_notify($1, $2)', values: [CHANNEL, name] }).catch(
        warn('a cancelled call was not announced'),
      );
    },
    async stop() {
      const leave = await listening?.catch(() => undefined);
      await leave?.();
    },
  };
}

const nameOf = (keyId: string, session: string, id: string | number) =>
  createHash('sha256')
    .update(JSON.stringify([keyId, session, id]))
    .digest('base64url');

/** The session that a request names, if it can be ours. */
function sessionOf(request: Request): string | null {
  const named = request.headers.get(SESSION_HEADER);
  return named === null ? null : (uuid.safeParse(named).data ?? null);
}

const initializes = (body: unknown) => typeof body === 'object' && body !== null && 'method' in body && body.method === 'initialize';

/** Gives a client a session with the answer to its `initialize`. */
export function withSession(request: Request, body: unknown, response: Response): Response {
  if (!response.ok || request.headers.has(VERSION_HEADER) || !initializes(body)) return response;
  const headers = new Headers(response.headers);
  headers.set(SESSION_HEADER, crypto.randomUUID());
  return new Response(response.body, { status: response.status, headers });
}
