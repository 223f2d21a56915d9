/** 10,000 people are provisioned over HTTP in under 60 s, as a first run of a directory does: one call each, some at a time. */
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDirectoryToken } from '#app/engine/directory/directory-token.ts';
import { createInstance, type Instance } from '#tests/survival/support/instance.ts';

const PEOPLE = 10_000;
const AT_ONCE = 8;

let instance: Instance;
beforeAll(async () => {
  instance = await createInstance();
  await instance.start();
}, 120_000);
afterAll(() => instance?.remove(), 60_000);

test('10,000 people are there in under a minute, are found, and put into a group', async () => {
  const [{ id, slug, admin } = { id: '', slug: '', admin: '' }] = await instance.query<{ id: string; slug: string; admin: string }>(
    `select w.id, w.slug, (select user_id from quorate.members m where m.workspace_id = w.id and 'admin' = any (roles)) as admin
     from quorate.workspaces w where w.is_demo`,
  );
  const { secret, prefix, hash } = createDirectoryToken();
  await instance.query(
    `with made as (insert into quorate.directory_tokens (id, workspace_id, name, prefix, token_hash, created_by, expires_at)
       values ($1, $2, 'Directory', $3, $4, $5, now() + interval '1 day') returning 1)
     insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id)
       select gen_random_uuid(), $2, 'system', 'test.arranged', 'workspace', $2::text from made`,
    [newId(), id, prefix, hash, admin],
  );
  const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/scim+json' };
  const call = (method: string, path: string, body?: unknown) =>
    fetch(`${instance.origin}/scim/v2/${slug}${path}`, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });

  const waiting = Array.from({ length: PEOPLE }, (_, index) => index);
  const made: string[] = [];
  const began = performance.now();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const userName = `person${next}@corp.example`;
        const answer = await call('POST', '/Users', {
          userName,
          externalId: `e-${next}`,
          displayName: `Person ${next}`,
          name: { givenName: 'Person', familyName: String(next) },
          emails: [{ value: userName, type: 'work', primary: true }],
          active: true,
        });
        expect(answer.status).toBe(201);
        made.push(((await answer.json()) as { id: string }).id);
      }
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  process.stdout.write(
    `10,000 people in ${seconds.toFixed(1)} s, ${((1_000 * seconds) / PEOPLE).toFixed(2)} ms each, ${AT_ONCE} at a time\n`,
  );
  expect(seconds).toBeLessThan(60);

  const foundAt = performance.now();
  const found = await call('GET', `/Users?filter=${encodeURIComponent('userName eq "PERSON7777@corp.example"')}`);
  expect(await found.json()).toMatchObject({ totalResults: 1 });
  process.stdout.write(`one found by its user name in ${(performance.now() - foundAt).toFixed(0)} ms\n`);
  const groupAt = performance.now();
  const group = await call('POST', '/Groups', { displayName: 'Everybody', members: made.map((value) => ({ value })) });
  expect(group.status).toBe(201);
  process.stdout.write(`a group of all of them in ${(performance.now() - groupAt).toFixed(0)} ms\n`);
  const last = await call('GET', `/Users?startIndex=${PEOPLE - 9}&count=10&attributes=userName`);
  expect(await last.json()).toMatchObject({ totalResults: PEOPLE, itemsPerPage: 10 });
}, 180_000);
