import { expect, it } from 'vitest';
import { catalogueSchema, credentialOf, remoteOf } from '#app/features/marketplace/catalogue-schema.ts';
import { loadCatalogueFile } from '#app/features/marketplace/load-marketplace.server.ts';

it('holds at least 100 servers, each whole and named once', async () => {
  const { servers } = catalogueSchema.parse(await loadCatalogueFile());
  expect(servers.length).toBeGreaterThanOrEqual(100);
  expect(new Set(servers.map(({ name }) => name)).size).toBe(servers.length);
});

it('offers an address only where Quorate can speak to it', async () => {
  const { servers } = catalogueSchema.parse(await loadCatalogueFile());
  const remotes = servers.map(remoteOf).filter((remote) => remote !== null);
  expect(remotes.length).toBeGreaterThan(20);
  for (const remote of remotes) expect(remote).toMatch(/^https:\/\//);
  expect(new Set(servers.map(credentialOf))).toEqual(new Set(['none', 'optional', 'needed', 'oauth', 'local']));
});

it('says how each server wants to know who calls, and of none to enter a key where there is only a sign-in or no connection', async () => {
  const { servers } = catalogueSchema.parse(await loadCatalogueFile());
  for (const server of servers) {
    const credential = credentialOf(server);
    if (credential === 'needed') expect(server.auth).toMatch(/key|token|password|basic|credentials/i);
    if (credential === 'needed' || credential === 'oauth') expect(remoteOf(server)).not.toBeNull();
    if (/^oauth2(?: \(.*\))?$/.test(server.auth) && remoteOf(server) !== null) expect(credential).toBe('oauth');
  }
  const [sample] = servers;
  if (sample === undefined) throw new Error('no server');
  const sse = { ...sample, remotes: [{ type: 'sse' as const, url: 'https://old.example/sse' }] };
  expect(remoteOf(sse)).toBe('https://old.example/sse');
});
