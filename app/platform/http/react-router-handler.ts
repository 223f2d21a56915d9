import { Readable } from 'node:stream';
import { createRequestHandler } from '@react-router/express';
import type { NextFunction, Request, Response } from 'express';
import type { RouterContextProvider, ServerBuild } from 'react-router';
import { hostName, isLoopback } from '#app/domain/connections/loopback.ts';
import type { AppError } from '#app/domain/errors.ts';
import { ANONYMOUS_MAX_BYTES, FORM_MAX_BYTES, programMaxBytes } from '#app/domain/web/body-limits.ts';
import { isProgramPath } from '#app/domain/web/problem.ts';
import { type AnonymousBudget, createAnonymousBudget } from '#app/platform/http/anonymous-budget.ts';
import { BodyLimit, tooLarge } from '#app/platform/http/body-limit.ts';
import { answerProgram, type ProgramRoutes } from '#app/platform/http/program-routes.ts';
import { pathOf, refuse } from '#app/platform/http/request-guard.ts';
import { arrivalIn } from '#app/platform/http/web-app.ts';

/** How much of a refused body is read and thrown away, so that a browser sees the answer instead of a broken connection. */
const DISCARD_MAX_BYTES = 33_554_432;

/** Bytes that are thrown away cost that much less than bytes that are read. */
const DISCARD_DISCOUNT = 16;

/** A body of a program that is read before its call begins: most are far smaller. */
const SMALL_BODY_BYTES = 65_536;

/** The size limit of a form's body, and whether its sender is signed in. */
export type BodyAllowance = { known: boolean; maxBytes: number };

export type ReactRouterHandlerOptions = {
  origin: URL;
  /** A function in development, where the build changes; React Router prepares a fixed one once. */
  build: ServerBuild | (() => Promise<ServerBuild>);
  /** Finds the routes of programs, which are answered without the router; undefined where the build may change. */
  programs?: ProgramRoutes | undefined;
  context: (response: Response, body: { readonly refusal: AppError | null }) => RouterContextProvider;
  /** Asked before a byte of a form is read. */
  allowanceOf(form: { path: string; cookieHeader: string | null; large: boolean; address: string }): Promise<BodyAllowance>;
  /** The sentence for an address that has sent too many forms, in the reader's language. */
  tooManyForms(request: Request, seconds: number): Promise<string>;
};

/** `begin` starts a body that is read while it comes. */
type Arrived = { body: Readable; state: { readonly refusal: AppError | null }; begin?: () => void };
const states = new WeakMap<Response, Arrived['state']>();

/**
 * React Router behind a request that has been made safe: its address is the public origin whatever the proxy sent, and its body keeps the
 * limits of whoever sends it, which are checked before anything is parsed. The adapter reads nothing else of an Express request than what
 * stands below.
 */
export function reactRouterHandler(options: ReactRouterHandlerOptions) {
  const gate = { budget: createAnonymousBudget(), turn: createTurnstile(), drain: createDrain() };
  const handle = createRequestHandler({
    build: options.build,
    getLoadContext(_seen, response) {
      const state = states.get(response);
      if (state === undefined) throw new Error('a request without its body');
      return options.context(response, state);
    },
  });
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const program = options.programs?.(request.method, pathOf(request, options.origin)) ?? null;
    const small = program === null ? undefined : await readSmall(request, gate);
    const arrived = small === undefined ? await limitBody(request, response, gate, options) : small === null ? null : whole(small);
    if (arrived === null) return;
    const host = isLoopback(options.origin.hostname) ? (request.host ?? options.origin.host) : options.origin.host;
    const { port } = new URL(`${options.origin.protocol}//${host}`);
    const headers = Object.fromEntries(
      Object.entries({ ...request.headers, host }).filter(([name]) => !/^(?:x-forwarded-|forwarded$)/.test(name)),
    );
    if (program !== null && Buffer.isBuffer(small)) {
      const url = new URL(`${options.origin.protocol}//${host}${request.originalUrl}`);
      const body = request.method === 'GET' ? null : small;
      return answerProgram(program, {
        arrived: request,
        answer: response,
        url,
        headers,
        body,
        context: options.context(response, arrived.state),
      });
    }
    states.set(response, arrived.state);
    const seen = Object.assign(arrived.body, {
      app: { enabled: () => false },
      // The adapter takes only the port from here: everything after the first colon (an IPv6 host has more).
      get: (name: string) => (name.toLowerCase() === 'host' ? `host:${port}` : request.get(name)),
      headers,
      hostname: hostName(host),
      method: request.method,
      originalUrl: request.originalUrl,
      protocol: options.origin.protocol.slice(0, -1),
    });
    const handling = handle(seen as unknown as Request, response, next);
    // Only now is there a listener: a body refused earlier would leave its reader waiting forever.
    arrived.begin?.();
    await handling;
  };
}

type Gate = { budget: AnonymousBudget; turn: () => Promise<void>; drain: (request: Request) => Promise<void> };

/**
 * Lets one through in each turn of the event loop. Forms that come at the same moment would be parsed and drawn in one turn, which then
 * takes as long as all of them together.
 */
function createTurnstile(): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    const mine = last.then(() => new Promise<void>((go) => setImmediate(go)));
    last = mine;
    return mine;
  };
}

/** The body within its limits, or null when the request has been answered or its sender has gone. */
async function limitBody(request: Request, response: Response, gate: Gate, options: ReactRouterHandlerOptions): Promise<Arrived | null> {
  const contentType = request.get('Content-Type') ?? '';
  const announced = request.get('Content-Length');
  const length = announced === undefined ? null : Number(announced);
  const path = pathOf(request, options.origin);
  if (isProgramPath(path)) {
    await gate.turn();
    const maxBytes = programMaxBytes(path);
    if (length === null || length <= maxBytes) return streamed(request, new BodyLimit({ maxBytes, contentType }), gate);
    await gate.drain(request);
    refuse(response, 413, `The body has at most ${maxBytes / 1024} KB.`);
    return null;
  }
  if (request.method !== 'POST') return streamed(request, new BodyLimit({ maxBytes: 0, contentType }), gate);
  const large = length === null || length > ANONYMOUS_MAX_BYTES;
  const { address } = arrivalIn(response);
  const { known, maxBytes } = await options.allowanceOf({ path, cookieHeader: request.get('Cookie') ?? null, large, address });
  const fits = length === null || length <= maxBytes;
  if (known && fits) return streamed(request, new BodyLimit({ maxBytes, contentType }), gate);
  const wait = known ? 0 : gate.budget.begin(address);
  if (wait > 0) {
    await gate.drain(request);
    refuse(response.set('Retry-After', String(wait)), 429, await options.tooManyForms(request, wait));
    return null;
  }
  if (!fits) {
    if (!known) gate.budget.spend(address, Math.min(length, DISCARD_MAX_BYTES) / DISCARD_DISCOUNT);
    await gate.drain(request);
    await gate.turn();
    return whole(tooLarge(maxBytes));
  }
  const body = new BodyLimit({ maxBytes, contentType, onBytes: (bytes) => gate.budget.spend(address, bytes) });
  const read = await readWhole(request, body, gate);
  if (read === null) return null;
  await gate.turn();
  return whole(read);
}

/** The whole of a small body, or why it was refused; null when its sender has gone; undefined, and nothing read, where it may be large. */
async function readSmall(request: Request, gate: Gate): Promise<Buffer | AppError | null | undefined> {
  const { 'content-length': announced, 'transfer-encoding': encoding } = request.headers;
  if (encoding !== undefined) return undefined;
  const length = Number(announced ?? 0);
  if (length > SMALL_BODY_BYTES) return undefined;
  await gate.turn();
  if (length === 0) return Buffer.alloc(0);
  return readWhole(request, new BodyLimit({ maxBytes: FORM_MAX_BYTES, contentType: request.get('Content-Type') ?? '' }), gate);
}

/** A body that is read while it comes. */
function streamed(request: Request, body: BodyLimit, gate: Gate): Arrived {
  return {
    body,
    state: body,
    begin() {
      body.once('error', () => void gate.drain(request));
      request.on('error', (error) => body.destroy(error)).pipe(body);
    },
  };
}

/** A body that is there, or the refusal that reading it throws. */
function whole(read: Buffer | AppError): Arrived {
  const body = new Readable({
    read() {
      if (!Buffer.isBuffer(read)) return void this.destroy(read);
      this.push(read);
      this.push(null);
    },
  });
  // Where an address does not read its body, nobody is left to tell.
  body.on('error', () => undefined);
  return { body, state: { refusal: Buffer.isBuffer(read) ? null : read } };
}

/** The body to its end, or why it was refused; null when its sender has gone. */
function readWhole(request: Request, body: BodyLimit, gate: Gate): Promise<Buffer | AppError | null> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    body.on('data', (piece: Buffer) => pieces.push(piece));
    body.once('end', () => resolve(Buffer.concat(pieces)));
    body.once('error', () => void gate.drain(request).then(() => resolve(body.refusal)));
    request.once('close', () => {
      if (!request.complete) resolve(null);
    });
    request.on('error', () => resolve(null)).pipe(body);
  });
}

/**
 * Reads a body away, one piece of all such bodies in each turn: what fast senders have waiting would otherwise fill it. Resolves at the end,
 * or when the sender has gone or has sent too much.
 */
function createDrain(): (request: Request) => Promise<void> {
  const turn = createTurnstile();
  return (request) => {
    request.unpipe();
    if (request.complete || request.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      let seen = 0;
      request.once('close', resolve).once('end', resolve);
      request.on('data', (chunk: Buffer) => {
        seen += chunk.length;
        if (seen > DISCARD_MAX_BYTES) request.destroy();
        request.pause();
        void turn().then(() => request.resume());
      });
      request.resume();
    });
  };
}
