import { AsyncLocalStorage } from 'node:async_hooks';
import { z } from 'zod';
import type { GuardedFetch } from '#app/contracts/ports.ts';

/**
 * One request and what came back, as text; credentials are taken out before anything is kept. Times in milliseconds. `status` is
 * that of HTTP: null where there was no answer, or where the line knows none, as between a process and its child.
 */
export type Frame = {
  method: string;
  url: string;
  requestHeaders: [string, string][];
  requestBody: string;
  status: number | null;
  responseHeaders: [string, string][];
  responseBody: string;
  tookMs: number;
};

const frameSchema: z.ZodType<Frame> = z.object({
  method: z.string(),
  url: z.string(),
  requestHeaders: z.array(z.tuple([z.string(), z.string()])),
  requestBody: z.string(),
  status: z.number().nullable(),
  responseHeaders: z.array(z.tuple([z.string(), z.string()])),
  responseBody: z.string(),
  tookMs: z.number(),
});

/** The frames of a journal row; none where it holds none. */
export function readFrames(value: unknown): Frame[] {
  return z.array(frameSchema).safeParse(value).data ?? [];
}

/** Characters kept of one body, and frames of one call: a test run's journal is not an archive. */
const MAX_BODY = 32_768;
const MAX_FRAMES = 12;
const SECRET_HEADER = /authorization|cookie|key|token|secret|password/i;
const HIDDEN = '•••';

type Recording = { frames: Frame[]; secret: string | null };
const recordings = new AsyncLocalStorage<Recording>();

/** Runs a call so that its requests go into `frames`; without a list it just runs. */
export function keepFrames<T>(frames: Frame[] | undefined, secret: string | null, call: () => Promise<T>): Promise<T> {
  return frames === undefined ? call() : recordings.run({ frames, secret }, call);
}

/** The fetch of all peers: keeps what passes while someone has asked for it. */
export function recordingFetch(fetch: GuardedFetch): GuardedFetch {
  return async (input, init) => {
    const recording = recordings.getStore();
    if (recording === undefined || recording.frames.length >= MAX_FRAMES) return fetch(input, init);
    const begun = performance.now();
    const frame: Frame = {
      method: (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase(),
      url: hidden(input instanceof Request ? input.url : String(input), recording.secret),
      requestHeaders: headersOf(new Headers(init?.headers ?? (input instanceof Request ? input.headers : {})), recording.secret),
      requestBody: typeof init?.body === 'string' ? hidden(init.body, recording.secret).slice(0, MAX_BODY) : '',
      status: null,
      responseHeaders: [],
      responseBody: '',
      tookMs: 0,
    };
    recording.frames.push(frame);
    try {
      const response = await fetch(input, init);
      frame.status = response.status;
      frame.responseHeaders = headersOf(response.headers, recording.secret);
      if (response.body === null) return response;
      // Kept as the caller reads it: its end may never come.
      if (response.headers.get('content-type')?.startsWith('text/event-stream') === true)
        return new Response(response.body.pipeThrough(keepingStream(frame, recording.secret)), response);
      const text = await response.text();
      frame.responseBody = hidden(text, recording.secret).slice(0, MAX_BODY);
      return new Response(text, { status: response.status, headers: response.headers });
    } finally {
      frame.tookMs = Math.round(performance.now() - begun);
    }
  };
}

function keepingStream(frame: Frame, secret: string | null): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  let text = '';
  return new TransformStream({
    transform(chunk, controller) {
      if (text.length < MAX_BODY) {
        text += decoder.decode(chunk, { stream: true });
        frame.responseBody = hidden(text, secret).slice(0, MAX_BODY);
      }
      controller.enqueue(chunk);
    },
  });
}

/**
 * The same for a line that is no HTTP: keeps what is sent while someone has asked for it, and answers what is to be called with the answer;
 * null: nobody has asked.
 */
export function recordMessage(sent: { method: string; url: string; body: string }): ((answer: string) => void) | null {
  const recording = recordings.getStore();
  if (recording === undefined || recording.frames.length >= MAX_FRAMES) return null;
  const { frames, secret } = recording;
  const begun = performance.now();
  const frame: Frame = {
    method: sent.method,
    url: hidden(sent.url, secret),
    requestHeaders: [],
    requestBody: hidden(sent.body, secret).slice(0, MAX_BODY),
    status: null,
    responseHeaders: [],
    responseBody: '',
    tookMs: 0,
  };
  frames.push(frame);
  return (answer) => {
    frame.responseBody = hidden(answer, secret).slice(0, MAX_BODY);
    frame.tookMs = Math.round(performance.now() - begun);
  };
}

function headersOf(headers: Headers, secret: string | null): [string, string][] {
  return [...headers].map(([name, value]) => [
    name,
    SECRET_HEADER.test(name) && name !== 'idempotency-key' ? HIDDEN : hidden(value, secret),
  ]);
}

/** Storable text without the credential, wherever a peer may repeat it. */
function hidden(text: string, secret: string | null): string {
  const shown = text.toWellFormed().replaceAll('\u0000', '\uFFFD');
  return secret === null || secret.length < 4 ? shown : shown.replaceAll(secret, HIDDEN);
}
