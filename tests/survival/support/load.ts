/** People who start runs all the time, over HTTP, and write down which of them were acknowledged. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { full } from '#tests/survival/support/kills.ts';
import type { Person } from '#tests/survival/support/person.ts';

export type Load = {
  /** Runs whose start the product has confirmed. */
  acknowledged: string[];
  /** How many starts were not confirmed. */
  refused(): number;
  stop(): Promise<void>;
};

const PEOPLE = 3;
/** In full as fast as two processors can; elsewhere as fast as leaves some of them to others. */
const PAUSE_MS = full ? 60 : 400;

/** Posts the run's form; answers the run's id, or null when nothing was confirmed. Throws on an answer that no kill explains. */
export async function startRunBy(person: Person, workspaceId: string, workflow: string, key: string): Promise<string | null> {
  const answer = await person
    .post(`/dashboard/workflows/${workflow}/run`, { _mode: 'live', _key: key, _revision: '0', workspace: workspaceId })
    .catch(() => null);
  if (answer === null) return null;
  await answer.body?.cancel();
  const run = /\/dashboard\/runs\/([0-9a-f-]{36})$/.exec(answer.headers.get('location') ?? '')?.[1];
  if (answer.status === 303 && run !== undefined) return run;
  // 5xx: not acknowledged, and said so
  if (answer.status >= 500) return null;
  throw new Error(`a start was answered ${answer.status} ${answer.headers.get('location') ?? ''}`);
}

/** Who gets no answer posts the same form again, as a person would: it may have started its run all the same. */
export function startLoad(person: Person, workspaceId: string, workflow: string): Load {
  const acknowledged: string[] = [];
  let refused = 0;
  let offering = true;
  const people = Array.from({ length: PEOPLE }, async () => {
    let key = randomUUID();
    while (offering) {
      const run = await startRunBy(person, workspaceId, workflow, key);
      if (run === null) refused += 1;
      else {
        acknowledged.push(run);
        key = randomUUID();
      }
      await pause(PAUSE_MS);
    }
  });
  // a fault is told by `stop`, not while nobody waits for it
  const ended = Promise.all(people);
  ended.catch(() => undefined);
  return {
    acknowledged,
    refused: () => refused,
    async stop() {
      offering = false;
      await ended;
    },
  };
}
