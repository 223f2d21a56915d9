import type { Statement } from '#app/engine/runs/run-store.ts';

/**
 * The same statements, `atOnce` at a time, those of different workspaces in turn: a thousand runs of one in flight do not make the
 * next statement of another wait for a thousand. A statement's workspace is its first value.
 */
export function createFairStatements(statement: Statement, atOnce: number): Statement {
  const waiting = new Map<string, (() => void)[]>();
  let running = 0;
  function next(): void {
    while (running < atOnce) {
      const first = waiting.entries().next().value;
      if (first === undefined) return;
      const [workspace, queue] = first;
      const start = queue.shift();
      // to the end of the line, where it has more to say
      waiting.delete(workspace);
      if (queue.length > 0) waiting.set(workspace, queue);
      running += 1;
      start?.();
    }
  }
  return (query) => {
    const { promise, resolve, reject } = Promise.withResolvers<{ rows: unknown[] }>();
    const workspace = String(query.values[0] ?? '');
    const queue = waiting.get(workspace) ?? [];
    queue.push(() => {
      statement(query)
        .then(resolve, reject)
        .finally(() => {
          running -= 1;
          next();
        });
    });
    waiting.set(workspace, queue);
    next();
    return promise;
  };
}
