import { type EntryContext, RouterContextProvider } from 'react-router';
import { expect, test } from 'vitest';
import handleRequest from '#app/entry.server.tsx';

test('a page, whose nonce is for one answer, is kept by no shared cache and used again by none', async () => {
  const asked = new Request('http://localhost/', { method: 'HEAD' });
  const page = (headers: HeadersInit) => handleRequest(asked, 200, new Headers(headers), {} as EntryContext, new RouterContextProvider());
  expect((await page({})).headers.get('Cache-Control')).toBe('private, no-cache');
  expect((await page({ 'Cache-Control': 'private, no-store' })).headers.get('Cache-Control')).toBe('private, no-store');
});
