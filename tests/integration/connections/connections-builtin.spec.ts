import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import { builtinConnections } from '#app/engine/connections/builtin-capabilities.ts';
import { startBuiltinPeers } from '#app/engine/connections/builtin-peers.ts';
import { createPeers, type Peers } from '#app/engine/connections/call-peer.ts';
import { createGuardedFetch } from '#app/platform/http/guarded-fetch.server.ts';

const TOKEN = 'a token of this process';
let builtin: Awaited<ReturnType<typeof startBuiltinPeers>>;
let guardedFetch: ReturnType<typeof createGuardedFetch>;
let peers: Peers;

beforeAll(async () => {
  builtin = await startBuiltinPeers({ host: '127.0.0.1', token: TOKEN });
  guardedFetch = createGuardedFetch({ allowedOrigins: () => [builtin.origin] });
  peers = createPeers({ fetch: guardedFetch, builtin: () => ({ origin: builtin.origin, token: TOKEN }) });
});
afterAll(async () => {
  await peers.close();
  await guardedFetch.close();
  await builtin.stop();
});

async function use(name: string, input: { [key: string]: Json }): Promise<{ [key: string]: Json }> {
  const connection = builtinConnections().find((candidate) => candidate.capabilities.some((capability) => capability.name === name));
  const capability = connection?.capabilities.find((candidate) => candidate.name === name);
  if (connection === undefined || capability === undefined) throw new Error(`nothing offers ${name}`);
  const { output } = await peers.call({
    peer: { kind: connection.kind, endpoint: connection.endpoint, credential: null },
    capability,
    input,
    idempotencyKey: 'run/step',
    timeoutMs: 10_000,
    signal: new AbortController().signal,
  });
  return output as { [key: string]: Json };
}

describe('the built-in peers over their protocols', () => {
  it('say of themselves what is seeded', async () => {
    for (const connection of builtinConnections()) {
      const inspection = await peers.inspect({ kind: connection.kind, endpoint: connection.endpoint, credential: null });
      expect(inspection.protocolVersion).toBe(connection.protocolVersion);
      const byName = (capabilities: readonly { name: string; fingerprint: string }[]) =>
        Object.fromEntries(capabilities.map(({ name, fingerprint }) => [name, fingerprint]));
      expect(byName(inspection.capabilities)).toEqual(byName(connection.capabilities));
    }
  });

  it('detect and redact personal data', async () => {
    const text = 'Mail alice@example.com, card 4111 1111 1111 1111, IBAN DE89 3704 0044 0532 0130 00.';
    expect(await use('detect_personal_data', { text })).toMatchObject({ risk: 'high', count: 3, kinds: ['email', 'iban', 'payment_card'] });
    expect(await use('detect_personal_data', { text: 'nothing' })).toMatchObject({ risk: 'low', count: 0, findings: [] });
    expect(await use('redact_text', { text })).toMatchObject({ text: 'Mail [email], card [payment_card], IBAN [iban].', redactions: 3 });
    expect(await use('redact_text', { text, kinds: ['email'], style: 'mask' })).toMatchObject({ redactions: 1 });
  });

  it('profile a table', async () => {
    const csv =
      'name;amount;day;email\n"Smith; John";10.5;2026-01-01;a@example.com\n"O""Neil";7;2026-02-01;\nX;;2026-03-01;b@example.com\n';
    const profile = await use('profile_csv', { csv });
    expect(profile).toMatchObject({ rows: 3, separator: ';', duplicateRows: 0, risk: 'medium' });
    expect(profile.columns).toMatchObject([
      { name: 'name', type: 'text', top: [{ value: 'Smith; John' }, { value: 'O"Neil' }, { value: 'X' }] },
      { name: 'amount', type: 'number', empty: 1, min: 7, max: 10.5, mean: 8.75 },
      { name: 'day', type: 'date', min: '2026-01-01', max: '2026-03-01' },
      { name: 'email', type: 'text', empty: 1, personalData: ['email'], top: [] },
    ]);
    await expect(use('profile_csv', { csv: 'a,"b' })).rejects.toMatchObject({
      failure: { key: 'peerToolError', values: { message: 'A quote opened in row 1 is never closed.' } },
    });
  });

  it('compute and compare dates', async () => {
    expect(await use('evaluate_arithmetic', { expression: 'round(amount * 1.19, 2)', variables: { amount: '100.05' } })).toEqual({
      result: 119.06,
      text: '119.06',
      exact: true,
    });
    expect(await use('evaluate_arithmetic', { expression: '1/3', places: 4 })).toMatchObject({ text: '0.3333' });
    await expect(use('evaluate_arithmetic', { expression: '1/0' })).rejects.toMatchObject({ failure: { key: 'peerToolError' } });
    expect(await use('compare_dates', { from: '2026-11-20', to: '2026-11-27', within_hours: 72, holidays: ['2026-11-26'] })).toEqual({
      order: 'before',
      days: 7,
      hours: 168,
      workingDays: 4,
      months: 0,
      years: 0,
      withinDeadline: false,
      deadline: '2026-11-23T00:00:00.000Z',
    });
    expect(await use('compare_dates', { from: '2024-02-29', to: '2025-02-28T12:00:00+02:00' })).toMatchObject({
      months: 12,
      years: 1,
      withinDeadline: null,
    });
    await expect(use('compare_dates', { from: '2026-02-30', to: '2026-03-01' })).rejects.toMatchObject({
      failure: { key: 'peerToolError' },
    });
  });

  it('screen a name', async () => {
    const list = 'Vladimir Putin|Путин, Владимир\nJohn Smith\nAcme Holdings Ltd';
    expect(await use('screen_name', { name: 'Владимир Путин', list })).toMatchObject({
      risk: 'high',
      matched: true,
      score: 1,
      compared: 3,
      matches: [{ alias: 'Vladimir Putin' }],
    });
    expect(await use('screen_name', { name: 'Jon Smyth', list: list.split('\n') })).toMatchObject({
      matched: true,
      matches: [{ entry: 'John Smith' }],
    });
    expect(await use('screen_name', { name: 'Maria Garcia', list })).toMatchObject({ risk: 'low', matched: false, matches: [] });
    await expect(use('screen_name', { name: 'X', list: '' })).rejects.toMatchObject({ failure: { key: 'peerToolError' } });
  });

  it('assess obligations', async () => {
    const output = await use('assess_obligations', {
      text: 'We will send patient records to a vendor in the United States.',
      jurisdictions: 'EU, US',
    });
    expect(output).toMatchObject({ risk: 'high', jurisdictions: ['EU', 'US'] });
    expect((output.obligations as { id: string }[]).map(({ id }) => id)).toEqual(
      expect.arrayContaining(['gdpr-44', 'gdpr-9', 'hipaa-164-504-e']),
    );
    await expect(use('assess_obligations', { text: ' ' })).rejects.toMatchObject({ failure: { key: 'peerTaskRejected' } });
  });

  it('refuse input that does not fit', async () => {
    await expect(use('screen_name', { name: 'X' })).rejects.toMatchObject({ failure: { key: 'peerInputRefused', retryable: false } });
    await expect(use('detect_personal_data', { text: 7 })).rejects.toMatchObject({ failure: { key: 'peerInputRefused' } });
  });
});

describe('the listener', () => {
  const ask = (headers: Record<string, string>, path = '/mcp', body = '{}') =>
    new Promise<number>((resolve, reject) => {
      const call = request(
        `${builtin.origin}${path}`,
        { method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        },
      );
      call.on('error', reject);
      call.end(body);
    });
  const authorization = `Bearer ${TOKEN}`;

  it('is on the loopback interface, for whoever has the token, and for no browser', async () => {
    expect(new URL(builtin.origin).hostname).toBe('127.0.0.1');
    expect(await ask({})).toBe(401);
    expect(await ask({ authorization: 'Bearer wrong' })).toBe(401);
    expect(await ask({ authorization, origin: 'https://evil.example' })).toBe(403);
    expect(await ask({ authorization, host: 'evil.example' })).toBe(403);
    expect(await ask({}, '/a2a/compliance-copilot')).toBe(401);
    expect(await ask({ authorization }, '/other')).toBe(404);
    expect(await ask({ authorization }, '/a2a/compliance-copilot', 'x'.repeat(5_000_000))).toBe(413);
  });
});
