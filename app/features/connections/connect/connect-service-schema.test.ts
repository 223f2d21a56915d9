import { expect, test } from 'vitest';
import { connectServiceSchemas } from '#app/features/connections/connect/connect-service-schema.ts';

const given = { name: 'Orders', service: 'http', address: 'https://api.example.com/v1' } as const;

test.each(['', 'key-1', 'ann:secret', 'X-Api-Key: s3cret', 'Authorization: Token abc def'])('takes the credential "%s"', (token) => {
  expect(connectServiceSchemas.app.safeParse({ ...given, token }).success).toBe(true);
});

test.each(['two words', 'X-Api-Key: a\r\nHost: b', 'X Api: secret', 'schlüssel'])('refuses "%s"', (token) => {
  expect(connectServiceSchemas.app.safeParse({ ...given, token }).success).toBe(false);
});
