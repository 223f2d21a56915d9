import { createHash } from 'node:crypto';
import type { RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { problem, withProblems } from '#app/components/page/problem.server.ts';
import { keyContext, servicesContext } from '#app/contracts/request-context.ts';
import { readTilePath, type TilePath } from '#app/domain/proof/tile-path.ts';
import { readTile } from '#app/engine/proof/read-tile.ts';

type Args = {
  request: Request;
  url: URL;
  params: { workspace: string; '*'?: string | undefined };
  context: Readonly<RouterContextProvider>;
};
/**
 * One address of a workspace's log, after c2sp.org/tlog-tiles. A log that is not open, of another workspace or not there at all is the same
 * 404. What a tile holds never changes, so whoever has one need not ask again; the checkpoint is asked for each time.
 */
export function serveLog({ request, params, context }: Args): Promise<Response> {
  return withProblems(async () => {
    const path = readTilePath(params['*'] ?? '');
    const workspace = z.uuid().safeParse(params.workspace);
    // One spelling: a log has one address.
    if (path === null || !workspace.success || workspace.data !== workspace.data.toLowerCase()) return nothingHere();
    const { byKey, body } = await read(context, workspace.data, path);
    if (body === null) return nothingHere();
    const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
    const headers = {
      'Cache-Control': cacheFor(path, byKey),
      ETag: tag,
      ...(byKey ? { Vary: 'Authorization' } : { 'Access-Control-Allow-Origin': '*' }),
    };
    if (knows(request.headers.get('If-None-Match'), tag)) return new Response(null, { status: 304, headers });
    const type = path.kind === 'checkpoint' ? 'text/plain; charset=utf-8' : 'application/octet-stream';
    return new Response(new Uint8Array(body), {
      headers: { ...headers, 'Content-Type': type, 'Content-Length': String(body.length) },
    });
  });
}

async function read(context: Readonly<RouterContextProvider>, workspace: string, path: TilePath) {
  const key = keyOf(context);
  const { access } = context.get(servicesContext);
  const work = (db: Parameters<Parameters<typeof access.asNobody>[0]>[0]) => readTile(db, workspace, path);
  return { byKey: key !== null, body: key === null ? await access.asNobody(work) : await key.read(work) };
}

/** Null: the caller showed no key. */
function keyOf(context: Readonly<RouterContextProvider>) {
  try {
    return context.get(keyContext);
  } catch {
    return null;
  }
}

function cacheFor(path: TilePath, byKey: boolean): string {
  const who = byKey ? 'private' : 'public';
  return path.kind === 'checkpoint' ? `${who}, no-cache` : `${who}, max-age=31536000, immutable`;
}

const knows = (header: string | null, tag: string) =>
  (header ?? '').split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag);

const nothingHere = () => problem('not_found', 'There is no such thing here, or it is not open to you.');
