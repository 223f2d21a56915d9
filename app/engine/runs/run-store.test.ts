import { expect, it } from 'vitest';
import { createRunStore } from '#app/engine/runs/run-store.ts';
import { quietLog } from '#tests/support/quiet-log.ts';

const RUN = { runId: 'r', workspaceId: 'w' };

/** A store whose first two statements fail with this SQLSTATE. */
function storeFailing(code: string) {
  let times = 0;
  const statement = async () => {
    times += 1;
    if (times <= 2) throw Object.assign(new Error('refused'), { code });
    return { rows: [{ a: { state: 'ok' } }] };
  };
  return { store: createRunStore({ statement, log: quietLog, signal: new AbortController().signal }), asked: () => times };
}

it.each([
  ['too many connections', '53300'],
  ['a full disk', '53100'],
  ['a disk that fails', '58030'],
  ['a server that has become a replica', '25006'],
])('says a result again until it is kept: %s', async (_, code) => {
  const { store, asked } = storeFailing(code);
  expect(await store.finishStep(RUN, 1, 'pay', { status: 'success' }, [])).toEqual({ state: 'ok' });
  expect(asked()).toBe(3);
});

it('says nothing again that the database refuses for good', async () => {
  const { store, asked } = storeFailing('23514');
  await expect(store.finishStep(RUN, 1, 'pay', { status: 'success' }, [])).rejects.toMatchObject({ code: '23514' });
  expect(asked()).toBe(1);
});
