import { describe, expect, it } from 'vitest';
import { isLoopback } from '#app/domain/loopback.ts';
import { isOwnHost } from '#app/platform/http/request-guard.ts';

describe('the host of a request', () => {
  it.each([
    ['http://localhost:3000', 'localhost:3000', true],
    ['http://localhost:3000', '127.0.0.1:3000', true],
    ['http://localhost:3000', '[::1]:3000', true],
    ['http://localhost:3000', 'evil.example', false],
    ['http://localhost:3000', 'localhost.evil.example:3000', false],
    ['http://localhost:3000', '', false],
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
