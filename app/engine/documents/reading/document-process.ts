/**
 * The process that reads documents and writes Word documents. Its first thread watches; the second, which alone touches a file, has given up what leads to a socket, a
 * program or a file of others before a library is loaded (decision 43). One job, and it ends.
 */
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import type { DocxAnswer, DocxJob } from '#app/engine/documents/docx-document.ts';
import { closeWaysOut } from '#app/engine/documents/reading/close-ways-out.ts';
import type { ReadAnswer, ReadJob } from '#app/engine/documents/reading/reading-limits.ts';

const MEMORY_MB = 256;
const CPU_MS = 30_000;
const LOOK_MS = 20;

if (isMainThread) watch();
else await read();

/** Counts processor time, not the clock, so that a busy machine fails no file; and ends when our process is gone. */
function watch(): void {
  process.on('disconnect', () => process.exit());
  const answer = (message: ReadAnswer | DocxAnswer) => process.send?.(message, () => process.exit());
  process.once('message', (job: ReadJob | DocxJob) => {
    const worker = new Worker(new URL(import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
      stdout: true,
      stderr: true,
    });
    const timer = setInterval(() => {
      const { user, system } = process.cpuUsage();
      if ((user + system) / 1_000 > CPU_MS) answer({ ok: false, key: 'readTookTooLong', values: {} });
    }, LOOK_MS);
    worker.on('message', (message: ReadAnswer | DocxAnswer) => answer(message));
    worker.on('error', (error: NodeJS.ErrnoException) => {
      clearInterval(timer);
      answer({ ok: false, key: error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'readTooMuchMemory' : 'readBroken', values: {} });
    });
    worker.postMessage(job);
  });
  process.send?.('ready');
}

async function read(): Promise<void> {
  const port = parentPort;
  if (port === null) return;
  closeWaysOut();
  port.once('message', async (job: ReadJob | DocxJob) => {
    try {
      if ('docx' in job) {
        const { docxDocument, stopClock } = await import('#app/engine/documents/docx-document.ts');
        stopClock();
        return port.postMessage({ ok: true, content: await docxDocument(job.docx) } satisfies DocxAnswer);
      }
      const { extract } = await import('#app/engine/documents/reading/extract.ts');
      port.postMessage({ ok: true, content: await extract(job) } satisfies ReadAnswer);
    } catch (error) {
      const refused = error as { name?: unknown; key?: unknown; values?: Record<string, string | number> };
      const known = refused.name === 'ReadRefused' && typeof refused.key === 'string';
      port.postMessage({ ok: false, key: known ? String(refused.key) : 'readBroken', values: known ? (refused.values ?? {}) : {} });
    }
  });
}
