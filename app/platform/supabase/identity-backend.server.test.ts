import { expect, test } from 'vitest';
import { createIdentityBackend } from '#app/platform/supabase/identity-backend.server.ts';

const asked = { cookieHeader: null, secure: true, clientAddress: '203.0.113.7', language: 'fr' };

/** The headers of a call for this request. */
async function headersOf(mode: 'hosted' | 'embedded'): Promise<Headers> {
  let seen = new Headers();
  const fetch: typeof globalThis.fetch = async (input, init) => {
    seen = new Request(input, init).headers;
    return Response.json({}, { status: 400 });
  };
  const options = { url: 'https://project.invalid', key: 'publishable', fetch };
  const identity = createIdentityBackend(mode === 'hosted' ? { mode, ...options } : { mode, ...options, jwtSecret: 'secret' });
  await identity.openClient(asked).client.auth.signInWithPassword({ email: 'ada@example.com', password: 'any' });
  return seen;
}

test('a hosted project is told whose address asks, so that its limits are not shared by all who come through this server', async () => {
  expect((await headersOf('hosted')).get('Sb-Forwarded-For')).toBe('203.0.113.7');
});

test('the embedded service is told the language alone', async () => {
  const headers = await headersOf('embedded');
  expect(headers.get('X-Quorate-Language')).toBe('fr');
  expect(headers.has('Sb-Forwarded-For')).toBe(false);
});
