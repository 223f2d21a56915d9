import type { Json } from '#app/contracts/json.ts';
import { HTTP_METHODS, isExpected, isHeaderName, isHeaderValue, STATUSES } from '#app/domain/connections/http-api.ts';
import {
  type AppAdapter,
  type AppCapability,
  type AppRequest,
  answer,
  anyObject,
  basicOrBearer,
  fields,
  text,
  whole,
} from '#app/engine/connections/apps/app-adapter.ts';
import { PeerError } from '#app/engine/connections/peer.ts';
import { quoted } from '#app/engine/connections/peer-failure.ts';

/** `Name: value`. The space tells it from `user:password`. */
const HEADER_CREDENTIAL = /^([A-Za-z0-9-]{1,60}): (.+)$/;

const values = (title: string) => ({ type: 'object', title, additionalProperties: { type: ['string', 'number', 'boolean'] } });
const common = {
  path: text('Path', { pattern: '^/[^?#\\\\\\s]*$', examples: ['/'] }),
  query: values('Query'),
  headers: { ...values('Headers'), propertyNames: { pattern: '^[A-Za-z0-9_-]+$' } },
  expect: text('Expected statuses', { pattern: STATUSES.source }),
};
const TITLES: Readonly<Record<(typeof HTTP_METHODS)[number], string>> = {
  get: 'Reads what is at a path.',
  post: 'Sends a body to a path.',
  put: 'Puts a body in the place of what is at a path.',
  patch: 'Changes a part of what is at a path.',
  delete: 'Deletes what is at a path.',
};

/** Any HTTP API, below the connection's address. Its capabilities are the methods. */
export const http: AppAdapter = {
  headers(credential): Record<string, string> {
    const [, name, value] = credential?.match(HEADER_CREDENTIAL) ?? [];
    const mayStand = name !== undefined && (isHeaderName(name) || /^(?:authorization|cookie)$/i.test(name));
    return mayStand && value !== undefined ? { [name.toLowerCase()]: value } : basicOrBearer(credential);
  },
  // Whatever it says to a bare address, as long as it stands and does not refuse the credential.
  check: { method: 'GET', path: '', expects: (status) => status < 500 && status !== 401 && status !== 403, anyAnswer: true },
  capabilities: HTTP_METHODS.map(
    (method): AppCapability => ({
      name: method,
      title: method.toUpperCase(),
      description: TITLES[method],
      effect: method === 'get' ? 'reads' : 'writes',
      inputSchema: fields(method === 'get' ? common : { ...common, body: { title: 'Body' } }, ['path']),
      outputSchema: answer({ status: whole('Status', 100, 599), headers: anyObject('Headers'), body: { title: 'Body' } }),
      request: (input) => requestOf(method.toUpperCase() as AppRequest['method'], input),
      answersText: 'any',
      output: (body, { status, headers }) => ({ status, headers, body }),
    }),
  ),
};

function requestOf(method: AppRequest['method'], input: { [key: string]: Json }): AppRequest {
  const headers = Object.fromEntries(Object.entries(textsOf(input.headers)).map(([name, value]) => [name.toLowerCase(), value]));
  const refused = Object.entries(headers).find(([name, value]) => !isHeaderName(name) || !isHeaderValue(value))?.[0];
  if (refused !== undefined)
    throw new PeerError({
      key: 'peerInputRefused',
      values: { capability: method, message: quoted(`headers/${refused} is set by the connection, or is no header`) },
      retryable: false,
    });
  const expect = typeof input.expect === 'string' ? input.expect : '';
  return {
    method,
    path: String(input.path ?? ''),
    query: textsOf(input.query),
    headers,
    ...(input.body === undefined ? {} : { body: input.body }),
    expects: (status) => isExpected(status, expect),
  };
}

function textsOf(value: Json | undefined): Record<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, String(one)]));
}
