/** A worker in a process of its own that a test may kill: calls its peer over HTTP and tells its parent when it works. */
import pg from 'pg';
import { v7 as newId } from 'uuid';
import type { Json } from '#app/contracts/json.ts';
import { PeerError } from '#app/engine/connections/peer.ts';
import { startRunWorker } from '#app/engine/runs/worker-loop.ts';
import { columnTypes } from '#app/platform/database/column-types.server.ts';
import type { AppLogin } from '#app/platform/database/database-login.server.ts';
import { openSession } from '#app/platform/database/process-proof.server.ts';
import { createRunQueue } from '#app/platform/queue/pg-boss-queue.server.ts';
import { memoryFiles } from '#tests/support/documents/memory-files.ts';
import { quietLog } from '#tests/support/quiet-log.ts';

const { login, peer } = JSON.parse(process.env.WORKER_SETTINGS ?? '{}') as { login: AppLogin; peer: string };
const pool = new pg.Pool({
  ...login,
  types: columnTypes,
  max: 5,
  onConnect: async (client) => {
    await openSession(client, login.processKey);
    await client.query('set role quorate_worker');
  },
});
pool.on('error', () => undefined);
const queue = await createRunQueue({ connection: { ...login }, log: quietLog, supervise: true, maxConnections: 3 });
const worker = await startRunWorker({
  statement: (query) => pool.query(query),
  queue,
  callPeer: async ({ input, idempotencyKey, signal }) => {
    try {
      const response = await fetch(peer, {
        method: 'POST',
        headers: { 'idempotency-key': idempotencyKey },
        body: JSON.stringify(input),
        signal,
      });
      if (response.status === 422)
        throw new PeerError({ key: 'peerInputRefused', values: { capability: 'x', message: 'no' }, retryable: false });
      return { output: (await response.json()) as Json, protocolVersion: '1' };
    } catch (cause) {
      if (cause instanceof PeerError) throw cause;
      throw new PeerError({ key: 'peerUnavailable', values: { connection: 'peer' }, retryable: true }, { cause });
    }
  },
  sealer: { seal: () => new Uint8Array(), open: () => '' },
  files: memoryFiles(),
  scanFile: async () => 'clean' as const,
  newId,
  clock: { now: () => new Date() },
  log: quietLog,
});
process.send?.(worker.workerId);
