/** Writes one evidence pack in a process of its own and says what that took: time and memory of nothing else are in the figures. */
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type PackQuestion, readPackScope } from '#app/engine/packs/pack-scope.ts';
import { packNote } from '#app/engine/packs/sign-pack.ts';
import { writePack } from '#app/engine/packs/write-pack.ts';
import { writePackCsv } from '#app/engine/packs/write-pack-csv.ts';
import { createLogSigner } from '#app/platform/crypto.server.ts';
import { createDatabase } from '#app/platform/database/database.server.ts';
import type { AppLogin } from '#app/platform/database/database-login.server.ts';
import { quietLog } from '#tests/support/quiet-log.ts';

export type PackTask = {
  login: AppLogin;
  who: { userId: string; sessionId: string; workspaceId: string };
  question: PackQuestion;
  at: string;
  signer: { secret: string; name: string };
  kind: 'pack' | 'csv';
  file: string;
};
/** `grownMb`: the most that the process held, above what it held before it began. */
export type PackMeasured = { seconds: number; grownMb: number; fileMb: number };

const MB = 1024 * 1024;

async function measure({ login, who, question, at, signer: key, kind, file }: PackTask): Promise<PackMeasured> {
  const database = createDatabase({ login, log: quietLog });
  const signer = createLogSigner(key.secret, key.name);
  const read = <T>(work: Parameters<typeof database.asMember<T>>[1]) => database.asMember<T>(who, work, { readOnly: true });
  const workspace = { id: who.workspaceId, name: 'Measured' };
  const scope = await read((db) => readPackScope(db, { question, workspace, at: new Date(at) }));
  if (scope === null) throw new Error('there is no such law');
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 20);
  const started = performance.now();
  const pieces =
    kind === 'csv'
      ? writePackCsv(read, scope)
      : writePack({
          ...{ read, scope, log: signer, origin: 'https://quorate.example' },
          words: (control) => ({ title: control, text: control }),
          sign: (digest) => packNote(signer, who.workspaceId, digest),
        });
  await pipeline(Readable.from(pieces), createWriteStream(file));
  const seconds = (performance.now() - started) / 1000;
  clearInterval(watch);
  await database.close();
  return { seconds, grownMb: (Math.max(most, process.memoryUsage.rss()) - before) / MB, fileMb: (await stat(file)).size / MB };
}

const task: PackTask = JSON.parse(process.argv[2] ?? '{}');
process.stdout.write(`${JSON.stringify(await measure(task))}\n`);
