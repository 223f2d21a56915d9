import { expect, test } from 'vitest';
import { agentPresence, IDLE_AFTER_MS } from '#app/domain/connections/agent-presence.ts';

const now = new Date('2026-11-20T12:00:00Z');
const ago = (ms: number) => new Date(now.getTime() - ms);

test('an agent stands in one of the specified words', () => {
  expect(agentPresence({ status: 'error', busy: 1, lastCallAt: now }, now)).toBe('offline');
  expect(agentPresence({ status: 'connected', busy: 1, lastCallAt: null }, now)).toBe('processing');
  expect(agentPresence({ status: 'connected', busy: 0, lastCallAt: ago(IDLE_AFTER_MS - 1) }, now)).toBe('online');
  expect(agentPresence({ status: 'connected', busy: 0, lastCallAt: ago(IDLE_AFTER_MS) }, now)).toBe('idle');
  expect(agentPresence({ status: 'connected', busy: 0, lastCallAt: null }, now)).toBe('idle');
});
