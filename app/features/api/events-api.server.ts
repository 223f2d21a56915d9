import { problem, withProblems } from '#app/components/page/problem.server.ts';
import { AppError } from '#app/domain/errors.ts';
import { sendRunEvent } from '#app/engine/commands/runs/send-run-event.ts';
import { readEventBody } from '#app/engine/runs/receive-event.ts';
import { type ApiArguments, idOf } from '#app/features/api/answer.server.ts';
import { performAsKey } from '#app/perform.server.ts';

type Send = Pick<ApiArguments, 'context'> & { request: Request; params: { run: string; step: string } };

/** Takes in the event that a step of a run waits for, or will: 202 once, 409 when one has come, 410 once the step has gone on without it. */
export function sendEventApi({ request, context, params }: Send): Promise<Response> {
  return withProblems(async () => {
    if (request.method !== 'POST') return problem('invalid_input', 'Use POST.', { status: 405, headers: { Allow: 'POST' } });
    const body = readEventBody(await request.text());
    if (body === undefined) return problem('invalid_input', 'The body is no JSON, or is nested too deeply.');
    try {
      await performAsKey(context, sendRunEvent, { run: idOf(params.run), step: params.step, body });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
      if (error.values.what === 'late') return problem('conflict', 'The step no longer waits for an event.', { status: 410 });
      return problem('conflict', 'An event has come for this step.');
    }
    return Response.json({ state: 'received' }, { status: 202, headers: { 'Cache-Control': 'no-store' } });
  });
}
