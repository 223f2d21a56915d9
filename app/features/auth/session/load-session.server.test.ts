import { RouterContextProvider } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AuthClient, RequestAuth } from '#app/contracts/identity.ts';
import { authContext, type Services, servicesContext } from '#app/contracts/request-context.ts';
import { loadSession } from '#app/features/auth/session/load-session.server.ts';
import { quietLog } from '#tests/support/quiet-log.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Row = { id: string; role: string; display_name: string | null };
let people = 0;

/** A page of someone whose profile the data API answers as `read` says. */
function pageOf(read: () => Promise<{ data: Row | null; error: { code: string; message: string } | null }>, id = `person-${++people}`) {
  const context = new RouterContextProvider();
  const client = { from: () => ({ select: () => ({ eq: () => ({ single: read }) }) }) } as unknown as AuthClient;
  const user = { id, email: 'ada@example.com', sessionId: 'session' };
  context.set(authContext, { client, user, token: { expiresAt: 0, assurance: 'aal1' } } as RequestAuth);
  context.set(servicesContext, { log: quietLog, now: () => new Date(), engine: {} } as unknown as Services);
  const load = async () => (await loadSession(context, new Request('http://localhost/'))).profile;
  return { id, load };
}
const row = (id: string) => ({ data: { id, role: 'admin', display_name: 'Ada' }, error: null });

test('a page waits two seconds for a profile, shows the least, and does not wait again with the next', async () => {
  const { id, load } = pageOf(() => new Promise(() => {}));
  const first = load();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await first).toEqual({ role: 'user', name: null });
  expect(await load()).toEqual({ role: 'user', name: null });
  await vi.advanceTimersByTimeAsync(10_001);
  expect(await pageOf(async () => row(id), id).load()).toEqual({ role: 'admin', name: 'Ada' });
});

test('who is known keeps the name, and not the role, while the data API is away', async () => {
  const { id, load } = pageOf(async () => row('x'));
  expect(await load()).toEqual({ role: 'admin', name: 'Ada' });
  await vi.advanceTimersByTimeAsync(60_001);
  const failing = pageOf(async () => ({ data: null, error: { code: '', message: 'fetch failed' } }), id);
  expect(await failing.load()).toEqual({ role: 'user', name: 'Ada' });
});

test('a profile that is not there is the least one', async () => {
  expect(await pageOf(async () => ({ data: null, error: { code: 'PGRST116', message: '' } })).load()).toEqual({ role: 'user', name: null });
});

test('who has no session costs no look at anything', async () => {
  const context = new RouterContextProvider();
  context.set(authContext, { user: null, token: null } as RequestAuth);
  expect(await loadSession(context, new Request('http://localhost/auth'))).toMatchObject({ user: null, profile: null });
});
