import { expect, test, vi } from 'vitest';
import { createRunWatcher } from '#app/engine/runs/waiting/run-changes.ts';
import { quietLog } from '#tests/support/quiet-log.ts';

const WORKSPACE = '00000000-0000-7000-8000-000000000001';
const ref = (n: number) => ({ runId: `run-${n}`, workspaceId: WORKSPACE });

/** A database that says of each run what `marks` holds, and keeps what it was asked. */
function createDatabase() {
  const marks = new Map<string, string>();
  const asked: { name: string; runs: string[] }[] = [];
  return {
    marks,
    asked,
    async statement({ name, values }: { name: string; values: unknown[] }) {
      const runs = (values[name === 'q_watch' ? 2 : 1] ?? []) as string[];
      asked.push({ name, runs });
      return { rows: runs.map((run_id) => ({ run_id, mark: marks.get(run_id) ?? 'waiting 1' })) };
    },
  };
}

test('a run is registered before it is read, and many at once by one statement each', async () => {
  const database = createDatabase();
  const watcher = createRunWatcher({ ...database, listen: async () => async () => undefined, log: quietLog });
  const heard: string[] = [];
  for (let n = 0; n < 100; n += 1) watcher.watch(ref(n), (change) => heard.push(change));
  await vi.waitFor(() => expect(heard).toHaveLength(100));
  expect(database.asked.map(({ name, runs }) => [name, runs.length])).toEqual([
    ['q_watch', 100],
    ['q_changes', 100],
  ]);
  await watcher.stop();
});

test('where this process drives runs itself, one that has ended soon is never registered, until another process tells of one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  const database = createDatabase();
  let tellFromElsewhere: (payload: string) => void = () => undefined;
  const watcher = createRunWatcher({
    ...database,
    listen: async (_, onMessage) => {
      tellFromElsewhere = onMessage;
      return async () => undefined;
    },
    log: quietLog,
    registerAfterMs: 25,
  });
  const heard: string[] = [];
  const registered = () => database.asked.filter(({ name }) => name === 'q_watch').flatMap(({ runs }) => runs);
  const endOfFirst = watcher.watch(ref(1), (change) => heard.push(change));
  watcher.tell(new Map([['run-1', 'completed']]));
  endOfFirst();
  const endOfSecond = watcher.watch(ref(2), () => undefined);
  await vi.advanceTimersByTimeAsync(30);
  await vi.waitFor(() => expect(registered()).toEqual(['run-2']));
  expect(heard).toEqual(['completed']);
  tellFromElsewhere('run-2 completed');
  endOfSecond();
  watcher.watch(ref(3), () => undefined);
  await vi.waitFor(() => expect(registered()).toEqual(['run-2', 'run-3']));
  await watcher.stop();
  vi.useRealTimers();
});

test('a run that this process drives is registered only when it lasts', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  const database = createDatabase();
  const options = { ...database, listen: async () => async () => undefined, log: quietLog };
  const watcher = createRunWatcher({ ...options, registerAfterMs: 100, lookMs: 2_000 });
  const registered = () => database.asked.filter(({ name }) => name === 'q_watch').flatMap(({ runs }) => runs);
  const heard: string[] = [];
  for (const n of [1, 2, 3]) watcher.watch(ref(n), (change) => heard.push(`${n} ${change}`));
  // Begun here, begun elsewhere, begun here and joined by someone who has heard nothing yet.
  watcher.tell(new Map([['run-1', 'processing'] as const, ['run-2', 'pending'] as const, ['run-3', 'processing'] as const]));
  watcher.watch(ref(3), (change) => heard.push(`joined ${change}`));
  await vi.advanceTimersByTimeAsync(150);
  await vi.waitFor(() => expect(heard).toContain('joined waiting'));
  expect(registered()).toEqual(['run-2', 'run-3']);
  await vi.advanceTimersByTimeAsync(2_000);
  await vi.waitFor(() => expect(registered()).toEqual(['run-2', 'run-3', 'run-1']));
  await watcher.stop();
  vi.useRealTimers();
});

test('who begins to wait for a run that has just ended is told of it', async () => {
  const watcher = createRunWatcher({
    ...createDatabase(),
    listen: async () => async () => undefined,
    log: quietLog,
    registerAfterMs: 60_000,
  });
  const heard: string[] = [];
  for (let n = 1; n <= 1_001; n += 1) watcher.tell(new Map([[`run-${n}`, 'completed']]));
  watcher.tell(new Map([['run-1001', 'journal']]));
  // The first is unknown by now: it is read when it is registered.
  for (const n of [1, 1_001]) watcher.watch(ref(n), (change) => heard.push(`${n} ${change}`));
  await vi.waitFor(() => expect(heard).toEqual(['1001 completed']));
  await watcher.stop();
});

test('a registration that fails is made up for by the next look, and news of this process come all the same', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const database = createDatabase();
  let away = true;
  const watcher = createRunWatcher({
    statement: (query) => (away ? Promise.reject(new Error('away')) : database.statement(query)),
    listen: async () => async () => undefined,
    log: quietLog,
    lookMs: 1_000,
  });
  const heard: string[] = [];
  watcher.watch(ref(1), (change) => heard.push(change));
  watcher.tell(new Map([['run-1', 'processing']]));
  expect(heard).toEqual(['processing']);
  await vi.advanceTimersByTimeAsync(1_000);
  away = false;
  await vi.advanceTimersByTimeAsync(1_000);
  await vi.waitFor(() => expect(heard).toEqual(['processing', 'waiting']));
  expect(database.asked.map(({ name }) => name)).toContain('q_watch');
  await watcher.stop();
  vi.useRealTimers();
});

test('a look costs the same however many wait, and each has its turn', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const database = createDatabase();
  const watcher = createRunWatcher({ ...database, listen: async () => async () => undefined, log: quietLog, lookMs: 1_000 });
  const told = new Set<number>();
  for (let n = 0; n < 600; n += 1)
    watcher.watch(ref(n), (change) => {
      if (change === 'unknown') told.add(n);
    });
  await vi.waitFor(() => expect(database.asked.at(-1)).toMatchObject({ name: 'q_changes', runs: { length: 600 } }));
  for (let n = 0; n < 600; n += 1) database.marks.set(`run-${n}`, 'completed 2');
  const before = database.asked.length;
  for (let look = 0; look < 3; look += 1) await vi.advanceTimersByTimeAsync(1_000);
  await vi.waitFor(() => expect(told.size).toBe(600));
  expect(database.asked.slice(before).map(({ runs }) => runs.length)).toEqual([250, 250, 250]);
  await watcher.stop();
  vi.useRealTimers();
});
