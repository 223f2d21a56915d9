import type { Json } from '#app/contracts/json.ts';

type Values = { [key: string]: Json };

/** One request to a partner's interface. `path` is relative to the connection's address; empty query values are left out. */
export type AppRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  query?: Record<string, string | number | undefined>;
  headers?: Record<string, string>;
  /** Sent as JSON, unless the headers name another content type. */
  body?: Json;
  /** The statuses that are an answer, where it is not the successful ones. */
  expects?(status: number): boolean;
  /** Of a check: that something answers is enough, be it a page or a redirect, which is not followed. */
  anyAnswer?: true;
  /** Goes out without the connection's credential: what answers there is not whom it belongs to. */
  withoutCredential?: true;
};

/** Status and headers of an answer. Cookies are left out: they would let whoever reads the run act as the connection. */
export type AppResponse = { status: number; headers: { [name: string]: string } };

/** One thing that can be done at a partner. `request` says how, `output` what of the answer a step gets. */
export type AppCapability = {
  name: string;
  title: string;
  description: string;
  /** Whether the partner's data changes by it: part of the pinned definition. */
  effect: 'reads' | 'writes';
  inputSchema: Values;
  outputSchema: Values;
  request(input: Values): AppRequest;
  output?(answer: Json, response: AppResponse): Json;
  /** The answer can be anything: if it is not JSON, it is taken as text; `plain`: only where it says that it is no page. */
  answersText?: 'plain' | 'any';
};

/**
 * How to speak to one partner. `check` is a request that needs a valid credential and changes nothing. `checkOrigin`: the partner's own service
 * answers it at another of its addresses; null for an instance of one's own.
 */
export type AppAdapter = {
  headers(credential: string | null): Record<string, string>;
  check: AppRequest;
  checkOrigin?(address: URL): { origin: string; path: string } | null;
  capabilities: readonly AppCapability[];
};

export const text = (title: string, more: Values = {}): Values => ({ type: 'string', title, ...more });
export const whole = (title: string, minimum: number, maximum: number): Values => ({ type: 'integer', title, minimum, maximum });
export const anyObject = (title: string): Values => ({ type: 'object', title });
export const list = (title: string): Values => ({ type: 'array', title, items: { type: 'object' } });

/** A closed object schema. */
export function fields(properties: { [name: string]: Values }, required: readonly string[] = []): Values {
  return { type: 'object', properties, required: [...required], additionalProperties: false };
}
/** The schema of a partner's answer, which may gain fields: it names those that a step can rely on. */
export function answer(properties: { [name: string]: Values }): Values {
  return { type: 'object', properties };
}

/** One path segment from a step's value: it cannot leave its place. */
export function segment(value: Json | undefined): string {
  return encodeURIComponent(String(value ?? '')).replaceAll('.', '%2E');
}

export function queryValue(value: Json | undefined): string | number | undefined {
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

/** `user:password` as Basic, anything else as a bearer token. */
export function basicOrBearer(credential: string | null): Record<string, string> {
  if (credential === null) return {};
  return {
    authorization: credential.includes(':') ? `Basic ${Buffer.from(credential).toString('base64')}` : `Bearer ${credential}`,
  };
}
