import { expect } from 'vitest';

/** A page of another origin reads nothing of this answer: what anybody may read has no cookie, and pages are not even that. */
export function expectClosedToOrigins(path: string, headers: Headers): void {
  expect(headers.get('Access-Control-Allow-Credentials'), path).toBeNull();
  const allowed = headers.get('Access-Control-Allow-Origin');
  if (/^\/(?:api|mcp|a2a|hooks|callbacks|log|\.well-known)\//.test(path)) expect([null, '*'], path).toContain(allowed);
  else expect(allowed, path).toBeNull();
}
