import { isExpression, stripMark } from '#app/domain/workflows/mappings/expression-text.ts';
import {
  addressesOf,
  isAddress,
  MESSAGE_MAX_CHARACTERS,
  MESSAGE_MAX_MEMBERS,
  type MessageStep,
} from '#app/domain/workflows/steps/message-step.ts';
import { ExpressionError, evaluate, explanationOf } from '#app/engine/runs/expressions/evaluate.ts';
import { fail, flushPending, type Outcome, type RunExecution, STOP, succeed, writeLocal } from '#app/engine/runs/run-execution.ts';
import { isDry, noteLocally } from '#app/engine/runs/steps/dry/dry-run.ts';

/**
 * Notifies people, each once however often the step is walked, and continues. The notification has the step's name and a link to the run; the
 * text is the step's output, which only who may see the run reads. A test run notifies nobody but who started it. An address
 * that is no member's fails the step, and then nobody is notified.
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
    const members = await membersOf(execution, step);
    const message = { title: step.name, to: [...to], members, mail: step.mail };
    const sent = await deps.store.sendMessage(run, claim.attempt, path, message, flushPending(execution));
    if (sent.state === 'unknown' || sent.state === 'unseen')
      throw new ExpressionError({
        key: sent.state === 'unknown' ? 'messageNotMembers' : 'messageCannotSee',
        values: { addresses: sent.addresses.join(', ').slice(0, 300) },
      });
    if (sent.state !== 'sent') {
      execution.stop ??= { kind: sent.state };
      return STOP;
    }
    if (sent.recipients === 0) throw new ExpressionError({ key: 'messageNobody', values: {} });
    const output = { text, recipients: sent.recipients };
    const key = claim.mode === 'test' ? 'messageSentTest' : 'messageSent';
    const reason = { key, values: { number: sent.recipients } };
    writeLocal(execution, step, path, { status: 'success', reason, input: { to: [...to], members }, output, startedAt });
    return succeed(execution, step, output);
  } catch (error) {
    const why = explanationOf(error);
    writeLocal(execution, step, path, { status: 'error', error: why, startedAt });
    return fail(execution, step, path, why);
  }
}

/** Addresses as they are written, or as the expression gives them: a list, or one. Whether they are members', the database says. */
async function membersOf(execution: RunExecution, { members }: MessageStep): Promise<string[]> {
  if (!isExpression(members)) return addressesOf(members);
  const value = await evaluate(stripMark(members), execution.scope);
  const list: readonly unknown[] = value === null || value === undefined ? [] : Array.isArray(value) ? value : [value];
  const addresses = list.map((one) => (typeof one === 'string' ? one.trim() : ''));
  if (!addresses.every(isAddress)) throw new ExpressionError({ key: 'messageNoAddresses', values: {} });
  if (addresses.length > MESSAGE_MAX_MEMBERS)
    throw new ExpressionError({ key: 'messageManyMembers', values: { number: addresses.length, limit: MESSAGE_MAX_MEMBERS } });
  return addresses;
}

async function textOf(execution: RunExecution, { text }: MessageStep): Promise<string> {
  const value = isExpression(text) ? await evaluate(stripMark(text), execution.scope) : text;
  const words = typeof value === 'string' ? value.trim() : '';
  if (words === '') throw new ExpressionError({ key: 'messageNoText', values: {} });
  if (words.length > MESSAGE_MAX_CHARACTERS)
    throw new ExpressionError({ key: 'messageTooLong', values: { length: words.length, limit: MESSAGE_MAX_CHARACTERS } });
  return words;
}
