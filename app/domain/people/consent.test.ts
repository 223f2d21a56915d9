import { expect, test } from 'vitest';
import { consentValue, readConsent } from '#app/domain/people/consent.ts';

test('a choice is read back as it was written', () => {
  for (const choice of [
    { gdpr: true, ccpa: false },
    { gdpr: false, ccpa: true },
  ])
    expect(readConsent(consentValue(choice), null)).toEqual({ ...choice, signal: false, chosen: true });
});

test('the signal of the browser stands above the choice', () => {
  expect(readConsent('gdpr=off ccpa=off', '1')).toEqual({ gdpr: false, ccpa: true, signal: true, chosen: true });
  expect(readConsent(null, '0').ccpa).toBe(false);
});

test.each(['', 'gdpr=on', 'gdpr=maybe ccpa=on', 'nonsense'])('what cannot be read is no choice: %s', (cookie) => {
  expect(readConsent(cookie, null)).toEqual({ gdpr: false, ccpa: false, signal: false, chosen: false });
});
