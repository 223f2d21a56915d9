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
  expect(new Set(servers.map(credentialOf))).toEqual(new Set(['none', 'optional', 'needed']));
});
