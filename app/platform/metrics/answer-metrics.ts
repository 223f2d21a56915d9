import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { EXPOSITION_TYPE, type Family, writeExposition } from '#app/domain/metrics/exposition.ts';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** True for `Authorization: Bearer <token>`, in a time that tells nothing of it. */
export function bears(request: IncomingMessage, token: string): boolean {
  const [, given = ''] = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '') ?? [];
  return timingSafeEqual(digest(given), digest(token));
}

/** Tells the figures to whoever has the token. 401 to anybody else. */
export async function answerMetrics(
  request: IncomingMessage,
  response: ServerResponse,
  { token, read }: { token: string; read: () => Promise<readonly Family[]> },
): Promise<void> {
  response.setHeader('Cache-Control', 'no-store');
  if (!bears(request, token)) {
    response.writeHead(401, { 'WWW-Authenticate': 'Bearer', 'Content-Type': 'text/plain; charset=utf-8' });
    return void response.end('The token of QUORATE_METRICS_TOKEN is needed.\n');
  }
  const text = writeExposition(await read());
  response.writeHead(200, { 'Content-Type': EXPOSITION_TYPE });
  response.end(text);
}
