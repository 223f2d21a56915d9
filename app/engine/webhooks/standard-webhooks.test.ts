import { expect, test } from 'vitest';
import { isWebhookSigned, signWebhook } from '#app/engine/webhooks/standard-webhooks.ts';

/** The test vector of Standard Webhooks' own libraries. */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const CALL = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', seconds: 1_614_265_330, body: '{"test": 2432232314}' };
const SIGNATURE = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';

test('signs as the vector of Standard Webhooks says', () => {
  expect(signWebhook(SECRET, CALL)).toBe(SIGNATURE);
});

test('one right signature among several is enough, and it covers id, time and body', () => {
  expect(isWebhookSigned(SECRET, CALL, `v1a,xyz v1,AAAA ${SIGNATURE}`)).toBe(true);
  for (const other of [
    { ...CALL, id: 'msg_2' },
    { ...CALL, seconds: CALL.seconds + 1 },
    { ...CALL, body: '{}' },
  ])
    expect(isWebhookSigned(SECRET, other, SIGNATURE)).toBe(false);
  expect(isWebhookSigned('whsec_AAAA', CALL, SIGNATURE)).toBe(false);
  expect(isWebhookSigned(SECRET, CALL, '')).toBe(false);
});
