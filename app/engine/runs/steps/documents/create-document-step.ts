import { createHash } from 'node:crypto';
import type { RunFile } from '#app/domain/documents/run-file.ts';
import type { CreateDocumentStep } from '#app/domain/workflows/steps/create-document-step.ts';
import type { DocxAnswer, DocxJob } from '#app/engine/documents/docx-document.ts';
import { type MadeDocument, makeDocument } from '#app/engine/documents/make-document.ts';
import { runInClosedProcess } from '#app/engine/documents/reading/closed-process.ts';
import { ExpressionError, evaluate, explanationOf } from '#app/engine/runs/expressions/evaluate.ts';
import { fail, flushPending, type Outcome, type RunExecution, STOP, succeed, writeLocal } from '#app/engine/runs/run-execution.ts';
import { isDry } from '#app/engine/runs/steps/dry/dry-run.ts';

/**
 * Makes a file, and continues with what names it. Its row comes first, so that a kill leaves no content that nothing names; walked again, the
 * step makes the file anew under the id that it has. A dry run loses it when it ends.
 */
export async function runCreateDocumentStep(execution: RunExecution, step: CreateDocumentStep, path: string): Promise<Outcome> {
  const startedAt = execution.deps.clock.now();
  try {
    const made = await makeDocument(
      step,
      (expression) => evaluate(expression, execution.scope),
      (document) => writeDocx(document, execution.signal),
    );
    const kept = await keepDocument(execution, path, made);
    if (kept === null) return STOP;
    const reason = { key: isDry(execution) ? 'documentMadeDry' : 'documentMade', values: { name: kept.name, size: kept.size } };
    writeLocal(execution, step, path, { status: 'success', reason, output: kept, startedAt });
    return succeed(execution, step, kept);
  } catch (error) {
    if (execution.signal.aborted) {
      execution.stop ??= { kind: 'cancelled' };
      return STOP;
    }
    const why = explanationOf(error);
    writeLocal(execution, step, path, { status: 'error', error: why, startedAt });
    return fail(execution, step, path, why);
  }
}

async function writeDocx(docx: DocxJob['docx'], signal: AbortSignal): Promise<Uint8Array> {
  const answer = await runInClosedProcess<DocxAnswer>({ docx }, signal);
  if (!answer.ok) throw new ExpressionError({ key: 'documentNotMade', values: {} });
  return answer.content;
}

/** Null: `execution.stop` says why. */
async function keepDocument(execution: RunExecution, path: string, { name, mediaType, content }: MadeDocument): Promise<RunFile | null> {
  const { deps, run, claim } = execution;
  const described = { name, mediaType, size: content.length, sha256: createHash('sha256').update(content).digest('hex') };
  const storedName = `runs/${run.workspaceId}/${deps.newId()}`;
  const kept = await deps.store.keepFile(run, claim.attempt, path, { id: deps.newId(), storedName, ...described }, flushPending(execution));
  if (kept.state === 'full') throw new ExpressionError({ key: 'documentRunFull', values: {} });
  if (kept.state !== 'kept') {
    execution.stop ??= { kind: kept.state };
    return null;
  }
  await deps.files.put({ name: storedName, ownerId: run.workspaceId, mediaType, content });
  return { file: kept.id, ...described };
}
