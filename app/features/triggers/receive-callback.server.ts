import type { RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { problem, withProblems } from '#app/components/page/problem.server.ts';
import { clientContext, servicesContext } from '#app/contracts/request-context.ts';
import { addressBlock } from '#app/domain/web/address-block.ts';
import { countFailure } from '#app/engine/limits/count-failure.ts';
import { takeLimit } from '#app/engine/limits/take-limit.ts';
import { readEventBody, receiveEvent } from '#app/engine/runs/receive-event.ts';

type Params = { run: string; step: string; signature: string };

/** Calls of one address in a minute: it takes one event, and its sender may have to say it again. */
const PACE = { name: 'callbackPace', max: 30, windowSeconds: 60 };

/**
 * Takes in the event that a step of a run waits for, or will: 202, also when it comes again, where nothing changes. 410 once the step has gone on
 * without it. The address is its own proof; an unknown one and a forged one answer the same, and count against who calls.
 */
export function receiveCallback({
  request,
  params,
  context,
}: {
  request: Request;
  params: Params;
  context: Readonly<RouterContextProvider>;
}): Promise<Response> {
  return withProblems(async () => {
    const { access, engine } = context.get(servicesContext);
    const { run, step, signature } = params;
    if (!z.uuid().safeParse(run).success || !engine.callbacks.isSigned(run, step, signature)) {
      const wait = await countFailure(access.asNobody, 'wrongCallbacks', addressBlock(context.get(clientContext).address));
      if (wait > 0) return problem('over_limit', 'Too many calls.', { headers: { 'Retry-After': String(wait) } });
      return problem('not_found', 'There is no such address.');
    }
    const pause = await access.asNobody((db) => takeLimit(db, PACE, `${run}/${step}`));
    if (pause > 0) return problem('over_limit', 'Too many calls.', { headers: { 'Retry-After': String(pause) } });
    const body = readEventBody(await request.text());
    if (body === undefined) return problem('invalid_input', 'The body is no JSON, or is nested too deeply.');
    const state = await access.asNobody((db) => receiveEvent(db, engine, { runId: run, stepId: step, body }));
    if (state === 'unknown') return problem('not_found', 'There is no such address.');
    if (state === 'late') return problem('conflict', 'The step no longer waits for an event.', { status: 410 });
    return Response.json({ state }, { status: 202, headers: { 'Cache-Control': 'no-store' } });
  });
}
