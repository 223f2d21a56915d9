/**
 * What can go wrong on the backend's side, one at a time. Chosen for one request (header), for one browser (cookie) or for a
 * whole process (`QUORATE_SCENARIO`); the narrower choice wins.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

export const SCENARIOS = [
  'none',
  'wrong-password',
  'unconfirmed',
  'weak-password',
  'rate-limited',
  'session-not-found',
  'slow',
  'unavailable',
  'network-cut',
  'profile-missing',
] as const;
export type Scenario = (typeof SCENARIOS)[number];

/** What each one does, for the page where they are chosen. */
export const SCENARIO_EFFECTS: Record<Scenario, string> = {
  none: 'Everything works.',
  'wrong-password': 'Signing in answers 400 invalid_credentials.',
  unconfirmed: 'Signing in answers 400 email_not_confirmed.',
  'weak-password': 'A new password answers 422 weak_password with the reasons length, characters and pwned.',
  'rate-limited': 'Signing in, signing up and every mail answer 429.',
  'session-not-found': 'Whoever asks for a page has been signed out elsewhere; the user and a refresh answer session_not_found.',
  slow: 'Every call to the backend takes 5 seconds.',
  unavailable: 'Every call to the backend answers 503.',
  'network-cut': 'Every call to the backend ends without an answer.',
  'profile-missing': 'Reading a profile answers 406 PGRST116.',
};

export const SCENARIO_COOKIE = 'quorate_scenario';
export const SCENARIO_HEADER = 'x-quorate-scenario';
export const SCENARIO_VARIABLE = 'QUORATE_SCENARIO';

const chosen = new AsyncLocalStorage<Scenario>();

export function readScenario(value: string | undefined | null): Scenario | null {
  return SCENARIOS.find((known) => known === value) ?? null;
}

/** The scenario of the request under way, or that of the process. */
export function currentScenario(): Scenario {
  return chosen.getStore() ?? readScenario(process.env[SCENARIO_VARIABLE]) ?? 'none';
}

/** Runs the work, and all that it calls, in a scenario. */
export function inScenario<T>(scenario: Scenario, work: () => T): T {
  return chosen.run(scenario, work);
}

/** What a request asks for by its header or its browser's cookie; null when it asks for nothing. */
export function scenarioOf(headers: { cookie?: string | undefined; [SCENARIO_HEADER]?: string | string[] | undefined }): Scenario | null {
  const header = headers[SCENARIO_HEADER];
  const cookie = new RegExp(`(?:^|;\\s*)${SCENARIO_COOKIE}=([\\w-]+)`).exec(headers.cookie ?? '')?.[1];
  return readScenario(typeof header === 'string' ? header : undefined) ?? readScenario(cookie);
}
