import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Json } from '#app/contracts/json.ts';
import { FILE_MAX_BYTES, plainFileName } from '#app/domain/documents/run-file.ts';
import { stripMark } from '#app/domain/workflows/mappings/expression-text.ts';
import type { ReadDocumentStep } from '#app/domain/workflows/steps/read-document-step.ts';
import { runInClosedProcess } from '#app/engine/documents/reading/closed-process.ts';
import type { ReadAnswer, ReadContent } from '#app/engine/documents/reading/reading-limits.ts';
import { ExpressionError, evaluate, explanationOf } from '#app/engine/runs/expressions/evaluate.ts';
import { fail, type Outcome, type RunExecution, STOP, succeed, writeLocal } from '#app/engine/runs/run-execution.ts';

type Opened = { name: string; sha256: string; content: Uint8Array };

/** A value that names a file: its id, what a step or an input gives for one, or the content itself. */
const namedSchema = z.union([
  z.uuid().transform((file) => ({ file })),
  z.object({ file: z.uuid() }),
  z.object({ name: z.string(), base64: z.base64() }),
]);

const refuse = (key: string, values: Record<string, string | number> = {}): never => {
  throw new ExpressionError({ key, values });
};

/** Reads a file in a process of its own, after whoever scans files has let it pass, and continues with what is in it. */
export async function runReadDocumentStep(execution: RunExecution, step: ReadDocumentStep, path: string): Promise<Outcome> {
  const startedAt = execution.deps.clock.now();
  let input: { [name: string]: Json } | null = null;
  try {
    const { name, sha256, content } = await openFile(execution, await evaluate(stripMark(step.file), execution.scope));
    const described = { name, size: content.length, sha256 };
    input = described;
    const scanned = await execution.deps.scanFile(described, content, execution.signal);
    if (scanned !== 'clean') refuse(scanned === 'refused' ? 'readNotAccepted' : 'readNotScanned', { name });
    const answer = await runInClosedProcess<ReadAnswer>({ name, content }, execution.signal);
    if (!answer.ok) return refuse(answer.key, { name, ...answer.values });
    const output = { ...described, ...(answer.content as ReadContent & { [name: string]: Json }) };
    const { cut } = answer.content;
    const reason = cut === null ? { key: 'documentRead', values: { name } } : { key: 'documentReadInPart', values: { name, ...cut } };
    writeLocal(execution, step, path, { status: 'success', reason, input, output, startedAt });
    return succeed(execution, step, output);
  } catch (error) {
    if (execution.signal.aborted) {
      execution.stop ??= { kind: 'cancelled' };
      return STOP;
    }
    const why = explanationOf(error);
    writeLocal(execution, step, path, { status: 'error', error: why, input, startedAt });
    return fail(execution, step, path, why);
  }
}

async function openFile({ deps, run, claim }: RunExecution, value: Json): Promise<Opened> {
  const named = namedSchema.safeParse(value);
  if (!named.success) return refuse('readNoFile');
  if ('base64' in named.data) {
    const content = Buffer.from(named.data.base64, 'base64');
    if (content.length > FILE_MAX_BYTES) refuse('readTooLarge', { size: content.length, limit: FILE_MAX_BYTES });
    return { name: plainFileName(named.data.name), sha256: sha256Of(content), content };
  }
  const row = await deps.store.findFile(run, claim.attempt, named.data.file);
  const stored = row === null ? null : await deps.files.get(row.storedName);
  if (row === null || stored === null) return refuse('readFileGone');
  if (sha256Of(stored.content) !== row.sha256) return refuse('readFileChanged', { name: row.name });
  return { name: row.name, sha256: row.sha256, content: stored.content };
}

const sha256Of = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');
