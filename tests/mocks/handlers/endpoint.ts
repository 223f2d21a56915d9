/** What every handler shares: the gateway's key, the chosen scenario, the body, and refusals as answers. */
import { delay, type HttpHandler, HttpResponse, http } from 'msw';
import type { MockBackend } from '#tests/mocks/mock-backend.ts';
import { MockRefusal, refusalResponse, refusals } from '#tests/mocks/mock-refusal.ts';
import type { Challenge } from '#tests/mocks/mock-types.ts';
import { currentScenario, type Scenario } from '#tests/mocks/scenarios.ts';

const SLOW_MS = 5_000;

export type Asked = {
  request: Request;
  url: URL;
  params: Readonly<Record<string, string>>;
  /** The object that was sent; empty for a list, whose objects are `rows`. */
  body: Readonly<Record<string, unknown>>;
  rows: readonly Readonly<Record<string, unknown>>[];
  scenario: Scenario;
};
/** A body to answer with 200, or a whole response. */
export type Answered = Record<string, unknown> | Response;

type Method = 'get' | 'post' | 'put' | 'delete' | 'patch';

/** A handler for one address below the project's. Without the publishable or the secret key nothing is answered. */
export function endpoint(
  mock: MockBackend,
  method: Method,
  path: string,
  work: (asked: Asked) => Promise<Answered> | Answered,
): HttpHandler {
  return http[method](`${mock.settings.url}${path}`, async ({ request, params }) => {
    const scenario = currentScenario();
    if (scenario === 'slow') await delay(SLOW_MS);
    if (scenario === 'network-cut') return HttpResponse.error();
    if (scenario === 'unavailable') return HttpResponse.json({ message: 'Service Unavailable' }, { status: 503 });
    const key = request.headers.get('apikey');
    if (!path.includes('.well-known') && key !== mock.settings.publishableKey && key !== mock.settings.secretKey)
      return HttpResponse.json({ message: key === null ? 'No API key found in request' : 'Invalid API key' }, { status: 401 });
    try {
      await mock.forgetRemovedFactors();
      const { body, rows } = await readBody(request);
      const texts = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
      const answer = await work({ request, url: new URL(request.url), params: texts, body, rows, scenario });
      return answer instanceof Response ? answer : HttpResponse.json(answer);
    } catch (error) {
      if (error instanceof MockRefusal) return refusalResponse(error, request);
      throw error;
    }
  });
}

async function readBody(request: Request): Promise<Pick<Asked, 'body' | 'rows'>> {
  const text = request.method === 'GET' ? '' : await request.text();
  if (text === '') return { body: {}, rows: [{}] };
  try {
    const value: unknown = JSON.parse(text);
    const rows = Array.isArray(value) ? value : [value];
    if (rows.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row)))
      return { body: Array.isArray(value) ? {} : rows[0], rows };
  } catch {
    throw new MockRefusal(400, 'bad_json', 'Could not parse request body as JSON');
  }
  throw new MockRefusal(400, 'bad_json', 'Could not parse request body as JSON');
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
export const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

/** An e-mail as the service takes it; refuses what is none. */
export function emailOf(value: unknown): string {
  const email = textOf(value).trim().toLowerCase();
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) throw refusals.invalid('Unable to validate email address: invalid format');
  return email;
}

/** How the asking browser will prove itself; null without PKCE. */
export function challengeOf(body: Readonly<Record<string, unknown>>): Challenge | null {
  const challenge = textOf(body.code_challenge);
  if (challenge === '') return null;
  return { challenge, method: textOf(body.code_challenge_method).toLowerCase() === 'plain' ? 'plain' : 's256' };
}
