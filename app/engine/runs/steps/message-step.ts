import { isExpression, stripMark } from '#app/domain/workflows/mappings/expression-text.ts';
import { MESSAGE_MAX_CHARACTERS, type MessageStep } from '#app/domain/workflows/steps/message-step.ts';
import { ExpressionError, evaluate, explanationOf } from '#app/engine/runs/expressions/evaluate.ts';
import { fail, flushPending, type Outcome, type RunExecution, STOP, succeed, writeLocal } from '#app/engine/runs/run-execution.ts';
import { isDry, noteLocally } from '#app/engine/runs/steps/dry/dry-run.ts';

/**
 * Notifies people, each once however often the step is walked, and continues. The notification has the step's name and a link to the run; the
 * text is the step's output, which only who may see the run reads. A test run notifies nobody but who started it.
 */
export async function runMessageStep(execution: RunExecution, step: MessageStep, path: string): Promise<Outcome> {
  const { deps, run, claim } = execution;
  const startedAt = deps.clock.now();
  try {
    const text = await textOf(execution, step);
    if (isDry(execution)) {
      const noted = { reason: { key: 'dryMessage', values: {} }, input: { to: [...step.to] }, output: { text, recipients: 0 } };
      return noteLocally(execution, step, path, noted);
    }
    const to = claim.mode === 'test' ? (['starter'] as const) : step.to;
    const sent = await deps.store.sendMessage(run, claim.attempt, path, { title: step.name, to: [...to] }, flushPending(execution));
    if (sent.state !== 'sent') {
      execution.stop ??= { kind: sent.state };
      return STOP;
    }
    if (sent.recipients === 0) throw new ExpressionError({ key: 'messageNobody', values: {} });
    const output = { text, recipients: sent.recipients };
    const key = claim.mode === 'test' ? 'messageSentTest' : 'messageSent';
    const reason = { key, values: { number: sent.recipients } };
    writeLocal(execution, step, path, { status: 'success', reason, input: { to: [...to] }, output, startedAt });
    return succeed(execution, step, output);
  } catch (error) {
    const why = explanationOf(error);
    writeLocal(execution, step, path, { status: 'error', error: why, startedAt });
    return fail(execution, step, path, why);
  }
}

async function textOf(execution: RunExecution, { text }: MessageStep): Promise<string> {
  const value = isExpression(text) ? await evaluate(stripMark(text), execution.scope) : text;
  const words = typeof value === 'string' ? value.trim() : '';
  if (words === '') throw new ExpressionError({ key: 'messageNoText', values: {} });
  if (words.length > MESSAGE_MAX_CHARACTERS)
    throw new ExpressionError({ key: 'messageTooLong', values: { length: words.length, limit: MESSAGE_MAX_CHARACTERS } });
  return words;
}
