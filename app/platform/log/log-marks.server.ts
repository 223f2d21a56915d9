import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { Log, LogMark, LogMarks, LogSigner } from '#app/contracts/ports.ts';
import { checkpointOrigin } from '#app/domain/audit/checkpoint.ts';
import { signedBy } from '#app/domain/audit/succession.ts';
import { markFiles } from '#app/platform/log/log-mark-files.ts';

/** Newer heads are written this often at most: a log under load gets several a second. */
const WRITE_EVERY_MS = 1_000;

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest());

/**
 * Marks as files of the data directory (`log-marks/<workspace>`, mode 0600), each the signed note itself. A database that is rolled back
 * takes nothing of them along. Close it last: it writes what is new.
 */
export async function createLogMarks({
  dataDir,
  signer,
  log,
}: {
  dataDir: string;
  signer: LogSigner;
  log: Log;
}): Promise<LogMarks & { close(): Promise<void> }> {
  const { directory, mark: fileOf, accepted: acceptedFileOf } = markFiles(dataDir);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const latest = new Map<string, string>();
  const unwritten = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  /** Several processes keep the marks of one directory: an older state never replaces a newer one. */
  const flush = async () => {
    timer = undefined;
    for (const workspaceId of unwritten) {
      unwritten.delete(workspaceId);
      const [note, kept] = [latest.get(workspaceId) ?? '', await readText(fileOf(workspaceId))];
      if ((headOf(kept ?? '', workspaceId, signer)?.size ?? 0) < (headOf(note, workspaceId, signer)?.size ?? 0))
        await replaceFile(fileOf(workspaceId), note);
    }
  };
  let flushing = Promise.resolve();
  const flushSoon = () => {
    timer ??= setTimeout(() => {
      flushing = flushing.then(flush).catch((error) => log.error('a mark of a log could not be written', { error }));
    }, WRITE_EVERY_MS).unref();
  };

  return {
    async read(workspaceId): Promise<LogMark | null> {
      const text = latest.get(workspaceId) ?? (await readText(fileOf(workspaceId)));
      if (text === null) return null;
      const head = headOf(text, workspaceId, signer);
      if (head !== null) latest.set(workspaceId, text);
      const accepted = await readText(acceptedFileOf(workspaceId));
      return { head, accepted: accepted !== null && accepted === (await readText(fileOf(workspaceId))) };
    },
    advance(workspaceId, note) {
      latest.set(workspaceId, note);
      unwritten.add(workspaceId);
      flushSoon();
    },
    async replace(workspaceId, note) {
      await replaceFile(fileOf(workspaceId), note);
      latest.set(workspaceId, note);
      await rm(acceptedFileOf(workspaceId), { force: true });
    },
    async close() {
      clearTimeout(timer);
      await flushing;
      await flush();
    },
  };
}

/** Origin, size, root, an empty line, one signature, and the end. */
const CHECKPOINT_LINES = 6;

/** The head that a note states, when this instance signed it, by its key of now or by one before; null otherwise. */
function headOf(note: string, workspaceId: string, signer: LogSigner): { size: number; root: Uint8Array } | null {
  const [origin, size = '', root = ''] = note.split('\n');
  if (origin !== checkpointOrigin(signer.name, workspaceId) || !/^[1-9]\d{0,15}$/.test(size)) return null;
  const head = { origin, size: Number(size), root: new Uint8Array(Buffer.from(root, 'base64')) };
  return signedBy(note, head, signer, sha256) !== null && note.split('\n').length === CHECKPOINT_LINES ? head : null;
}

async function readText(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Whole or not at all, whenever the process is killed. */
async function replaceFile(file: string, text: string): Promise<void> {
  const next = `${file}.${process.pid}`;
  await writeFile(next, text, { mode: 0o600, flush: true });
  await rename(next, file);
}
