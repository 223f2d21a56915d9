import { z } from 'zod';

/** A task to route by hand, as the address carries it. */
export type TypedRoute = { task: string; step: 'tool' | 'agent'; connection: string; inputs: string };

const INPUT_NAME = /^[\p{L}_][\p{L}\p{N}_.-]{0,63}$/u;
const routeSchema = z.object({
  task: z.string().trim().min(1).max(500),
  step: z.enum(['tool', 'agent']),
  connection: z.string().max(48),
  inputs: z.array(z.string().regex(INPUT_NAME)).max(50),
});

/** The request as typed; null when nothing was asked, or when it cannot be used, and `fault` then names the field. */
export function readRouteRequest(params: URLSearchParams) {
  const text = (name: string, most: number) => params.get(name)?.trim().slice(0, most) ?? '';
  const typed: TypedRoute = {
    task: text('task', 2_000),
    step: params.get('step') === 'agent' ? 'agent' : 'tool',
    connection: text('connection', 60),
    inputs: text('inputs', 2_000),
  };
  const asked = params.has('task');
  const parsed = routeSchema.safeParse({ ...typed, inputs: typed.inputs.split(/[\s,;]+/u).filter(Boolean) });
  const fault = !asked || parsed.success ? null : parsed.error.issues[0]?.path[0] === 'task' ? ('task' as const) : ('inputs' as const);
  return {
    typed,
    fault,
    request:
      asked && parsed.success
        ? { ...parsed.data, connection: parsed.data.connection === '' ? null : parsed.data.connection, capability: null }
        : null,
  };
}
