import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { describe, expect, it } from 'vitest';
import { isLoopback } from '#app/domain/connections/loopback.ts';
import { guardRequest, isOwnHost } from '#app/platform/http/request-guard.ts';

describe('the host of a request', () => {
  it.each([
    ['http://localhost:3000', 'localhost:3000', true],
    ['http://localhost:3000', '127.0.0.1:3000', true],
    ['http://localhost:3000', '[::1]:3000', true],
    ['http://localhost:3000', 'evil.example', false],
    ['http://localhost:3000', 'localhost.evil.example:3000', false],
    ['http://localhost:3000', '', false],
    ['http://localhost:3000', 'localhost:99999', false],
    ['https://quorate.example', 'quorate.example:99999', false],
    ['https://quorate.example', 'quorate.example', true],
    ['https://quorate.example', 'quorate.example:443', true],
    ['https://quorate.example', 'quorate.example:8443', false],
    ['https://quorate.example', 'localhost', false],
    ['https://quorate.example', 'quorate.example@evil.example', false],
    ['https://quorate.example', 'quorate.example/x', false],
  ])('of %s, %s: %s', (origin, host, own) => {
    expect(isOwnHost(host, new URL(origin))).toBe(own);
  });

  it('knows what only this machine reaches', () => {
    for (const own of ['localhost', '127.0.0.1', '127.9.9.9', '::1', '[::1]', '::ffff:127.0.0.1', 'LOCALHOST'])
      expect(isLoopback(own)).toBe(true);
    for (const other of ['', '10.0.0.1', '127.0.0.1.example', 'localhost.example', '0.0.0.0', '::', '1270.0.0.1'])
      expect(isLoopback(other)).toBe(false);
  });
});

const FORM = 'application/x-www-form-urlencoded';

describe('a posted form', () => {
  it.each([
    ['application/x-www-form-urlencoded', 200],
    ['application/x-www-form-urlencoded;charset=UTF-8', 200],
    ['Multipart/Form-Data; boundary=x', 200],
    ['text/plain', 415],
    ['application/json', 415],
    ['multipart/form-data-not', 415],
    [undefined, 415],
  ])('of the type %s: %i', async (type, status) => {
    expect(await postTo('/dashboard/account', type)).toBe(status);
  });

  it.each(['/mcp/somewhere', '/a2a/somewhere/something', '/a2a'])('is no matter of what programs send to %s', async (path) => {
    expect(await postTo(path, 'application/json')).toBe(200);
  });

  it.each(['/api/../dashboard/account', '/mcp/%2e%2e/auth/sign-out', '/a2a/.%2E/auth/sign-out'])(
    'is one at the address that %s comes to',
    async (path) => {
      expect(await postTo(path, FORM, { 'Sec-Fetch-Site': 'cross-site' })).toBe(403);
    },
  );

  it.each([
    ['http://localhost:3000', 200],
    ['https://localhost:3000', 403],
    ['http://localhost:9999', 403],
    ['https://evil.example', 403],
    ['null', 403],
  ])('from %s: %i', async (sender, status) => {
    expect(await postTo('/preferences/appearance', FORM, { Host: 'localhost:3000', Origin: sender })).toBe(status);
  });
});

/** Posts to a server that does nothing but guard; answers the status. */
async function postTo(path: string, type: string | undefined, more: Record<string, string> = {}): Promise<number | undefined> {
  const app = express()
    .use(guardRequest(new URL('http://localhost:3000')))
    .use((_request, response) => void response.end());
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    return await new Promise((resolve, reject) => {
      const headers = type === undefined ? more : { 'Content-Type': type, ...more };
      const call = request({ host: '127.0.0.1', port, path, method: 'POST', headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      call.once('error', reject);
      call.end('a=b');
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
