import { expect, test } from 'vitest';
import { createFairStatements } from '#app/engine/runs/fair-statements.ts';

test('statements of workspaces are made in turn, so many at a time, and a failure keeps nobody', async () => {
  const made: string[] = [];
  let running = 0;
  let most = 0;
  const statement = createFairStatements(async ({ name }) => {
    made.push(name);
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    if (name === 'a3') throw new Error('refused');
    return { rows: [name] };
  }, 2);
  const ask = (workspace: string, n: number) => statement({ name: `${workspace}${n}`, text: '', values: [workspace] });
  const answers = await Promise.allSettled([...[1, 2, 3, 4, 5, 6].map((n) => ask('a', n)), ask('b', 1), ask('b', 2)]);
  expect(made).toEqual(['a1', 'a2', 'a3', 'b1', 'a4', 'b2', 'a5', 'a6']);
  expect(most).toBe(2);
  expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(1);
});
