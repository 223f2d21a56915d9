/** Kill -9 at any moment of the very first start, each time of a directory of its own. */
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { freshDataDirectory } from '#tests/support/running-server.ts';
import { createInstance, type Instance } from '#tests/survival/support/instance.ts';
import { byChance, keepResult, killCount } from '#tests/survival/support/kills.ts';
import { expectProvenLog } from '#tests/survival/support/nothing-lost.ts';
import { signIn } from '#tests/survival/support/person.ts';
import { postmastersOf, processesOf } from '#tests/survival/support/processes.ts';
import { until } from '#tests/survival/support/until.ts';

const KILLS = killCount(1);

let instance: Instance | undefined;
afterEach(async () => {
  await instance?.remove();
  instance = undefined;
});

async function measureFirstStart(): Promise<number> {
  instance = await createInstance({}, await freshDataDirectory());
  const began = performance.now();
  await instance.start();
  const took = performance.now() - began;
  await instance.remove();
  return took;
}

test(`the start after each of ${KILLS} first starts that were killed makes the demo whole, once`, { timeout: 1_200_000 }, () =>
  byChance(async (chance) => {
    const began = performance.now();
    const wholeMs = await measureFirstStart();
    const nextStartMs: number[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      instance = await createInstance({}, await freshDataDirectory());
      const { process: child } = await instance.spawn();
      const ended = once(child, 'exit');
      // one moment in each slice of the start, so that none is left out
      const at = wholeMs * ((kill + chance.next()) / KILLS);
      await pause(at);
      child.kill('SIGKILL');
      await ended;
      const again = performance.now();
      const server = await instance.start();
      nextStartMs.push(performance.now() - again);
      const when = `killed after ${Math.round(at)} ms`;
      expect(postmastersOf(instance.dataDirectory), when).toHaveLength(1);
      const [stands] = await instance.query(
        `select (select count(*)::int from auth.users) as users, (select count(*)::int from quorate.workspaces) as workspaces,
          (select count(*)::int from quorate.workspaces where is_demo) as demos, (select count(*)::int from quorate.members) as members,
          (select count(*)::int from quorate.connections) as connections,
          (select count(*)::int from quorate.artifacts where kind = 'policy') as policies, (select count(*)::int from quorate.artifacts where kind = 'workflow') as workflows`,
      );
      expect(stands, when).toEqual({ users: 4, workspaces: 1, demos: 1, members: 4, connections: 2, policies: 3, workflows: 3 });
      const runs = await instance.query(
        'select status, count(*)::int as runs, count(distinct request_key)::int as keys from quorate.runs group by status order by status',
      );
      expect(runs, when).toEqual([
        { status: 'cancelled', runs: 1, keys: 1 },
        { status: 'completed', runs: 4, keys: 4 },
        { status: 'failed', runs: 2, keys: 2 },
        { status: 'waiting', runs: 2, keys: 2 },
      ]);
      await expectProvenLog(instance);
      const accounts = await server.demoAccounts();
      expect(accounts.map(({ roles }) => roles.at(-1)).sort(), when).toEqual(['admin', 'approver', 'auditor', 'builder']);
      expect(accounts.every((account) => Object.keys(account).sort().join() === 'email,name,password,roles')).toBe(true);
      expect(statSync(join(instance.dataDirectory, 'demo-accounts.json')).mode & 0o777, when).toBe(0o600);
      for (const account of accounts) {
        const person = await signIn(instance.origin, account);
        const page = await person.get('/dashboard');
        await page.body?.cancel();
        expect(page.status, `${when}: ${account.email}`).toBe(200);
      }
      expect(await server.stop(), when).toBe(0);
      const { dataDirectory } = instance;
      await until('the end of every process', () => processesOf(dataDirectory).length === 0, 15_000);
      await instance.remove();
    }
    keepResult('kill -9 of the first start', {
      kills: KILLS,
      seed: chance.seed,
      wholeFirstStartMs: Math.round(wholeMs),
      nextStartWorked: KILLS,
      slowestNextStartMs: Math.round(Math.max(...nextStartMs)),
      databasesLeftBehind: 0,
      seconds: Math.round((performance.now() - began) / 1_000),
    });
  }),
);
