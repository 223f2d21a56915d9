import { createHash } from 'node:crypto';
import type { RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';

/** Nothing of a file runs, is loaded or reaches the page's origin, whatever it holds. */
const SANDBOX =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * A file of a run, for whoever sees the run. `?view`: a page that a step has made is shown instead of saved. A content that is no longer what
 * its row says is not given out. @throws AppError not_found
 */
export async function downloadFile(context: Readonly<RouterContextProvider>, id: string, url: URL): Promise<Response> {
  const file = z.uuid().safeParse(id);
  if (!file.success) throw new AppError('not_found');
  const row = await context
    .get(memberContext)
    .read((db) =>
      db
        .selectFrom('quorate.run_files')
        .where('id', '=', file.data)
        .select(['name', 'media_type', 'sha256', 'stored_name', 'step_path'])
        .executeTakeFirst(),
    );
  if (row === undefined) throw new AppError('not_found');
  const { files, log } = context.get(servicesContext);
  const stored = await files.get(row.stored_name);
  if (stored === null) throw new AppError('not_found');
  if (createHash('sha256').update(stored.content).digest('hex') !== row.sha256) {
    log.error('a file is not what its row says', { file: file.data });
    throw new AppError('not_found');
  }
  const shown = url.searchParams.has('view') && row.step_path !== null && row.media_type.startsWith('text/html');
  return new Response(Buffer.from(stored.content), {
    headers: {
      'Content-Type': row.media_type,
      'Content-Disposition': `${shown ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeName(row.name)}`,
      'Content-Security-Policy': SANDBOX,
      'Cache-Control': 'private, no-store',
    },
  });
}

/** RFC 8187: what encodeURIComponent leaves and a header may not hold is encoded as well. */
const encodeName = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
