import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { Log } from '#app/contracts/ports.ts';
import type { Language } from '#app/domain/web/languages.ts';
import { type PageVariant, variantOf } from '#app/platform/http/page-variant.ts';
import { contentSecurityPolicy } from '#app/platform/http/security-headers.ts';
import { languageCookie } from '#app/platform/i18n/preference-cookies.server.ts';

export type PageCacheOptions = {
  log: Log;
  secure: boolean;
  /** Name of the session's cookie: who shows one neither gets nor fills a kept page. */
  sessionCookie: string;
  languageOf(cookie: string | null, header: string): Promise<Language>;
  /** Draws the page to its end, without a nonce, from this request alone. */
  render(address: string, headers: Record<string, string>): Promise<globalThis.Response>;
  now?: () => number;
  maxBytes?: number;
};

export type HeaderLine = readonly [name: string, value: string];
type Encoding = 'br' | 'gzip' | 'identity';
type Kept = { until: number; policy: string; language: string; size: number; bodies: Record<Encoding, Body> };
/** `text`: the bytes as Latin-1, which node sends with the headers in one piece, at less than half the cost of a buffer of its own. */
type Body = { text: string; length: number; tag: string };

/** A page that is drawn again now and then tells today's date, and forgets whatever went wrong unseen. */
const KEPT_MS = 60 * 60_000;
/** How long a page that could not be cached is not tried again. */
const REFUSED_MS = 10_000;
const MAX_REFUSED = 1_000;
const MAX_VARIANTS = 1_000;
const MAX_BYTES = 32 * 1024 * 1024;
const VARY = 'Accept-Encoding, Accept-Language, Cookie, Sec-GPC';
const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

export type PageCache = {
  /** Answers from memory alone, with these headers added; false, and nothing done, where the page is not cached yet or must not be. */
  answerAtOnce(request: IncomingMessage, response: ServerResponse, headers: readonly HeaderLine[]): boolean;
  /** Draws and keeps the page first where it must; everything else is left to the next handler. */
  handle: RequestHandler;
};

/**
 * Anonymous public pages, drawn once for everyone with the same language and settings, compressed once, and answered from memory. Each is
 * drawn from a request that is made of its variant, never from a visitor's own, so that nothing of one visitor can reach another. Gone with
 * the process, and so with each build.
 */
export function createPageCache(options: PageCacheOptions): PageCache {
  const now = options.now ?? Date.now;
  const variantFor = rememberVariants(options);
  const pages = new LRUCache<string, Kept>({ maxSize: options.maxBytes ?? MAX_BYTES, sizeCalculation: ({ size }) => size });
  const drawing = new Map<string, Promise<Kept | null>>();
  const refused = new LRUCache<string, number>({ max: MAX_REFUSED });

  const present = (variant: PageVariant): Kept | null => {
    const kept = pages.get(variant.key);
    return kept !== undefined && kept.until > now() ? kept : null;
  };
  const draw = async (variant: PageVariant): Promise<Kept | null> => {
    try {
      const kept = await drawPage(options, variant, now);
      if (kept !== null) pages.set(variant.key, kept);
      else refused.set(variant.key, now() + REFUSED_MS);
      return kept;
    } catch (error) {
      options.log.error('page could not be kept', { path: variant.address, error });
      return null;
    } finally {
      drawing.delete(variant.key);
    }
  };
  /** One drawing serves all who wait for the same page. */
  const find = (variant: PageVariant): Kept | Promise<Kept | null> | null => {
    const kept = present(variant) ?? drawing.get(variant.key);
    if (kept !== undefined) return kept;
    if ((refused.get(variant.key) ?? 0) > now()) return null;
    refused.delete(variant.key);
    const under = draw(variant);
    drawing.set(variant.key, under);
    return under;
  };

  return {
    answerAtOnce(request, response, headers) {
      const variant = variantFor.known(request);
      const kept = variant === null ? null : present(variant);
      if (variant === null || kept === null) return false;
      for (const [name, value] of headers) if (name !== 'Content-Security-Policy') response.setHeader(name, value);
      answer(request, response, variant, kept, options.secure);
      return true;
    },
    async handle(request: Request, response: Response, next: NextFunction) {
      try {
        const variant = await variantFor.find(request);
        const kept = variant === null ? null : await find(variant);
        if (variant === null || kept === null) return next();
        answer(request, response, variant, kept, options.secure);
      } catch (error) {
        next(error);
      }
    },
  };
}

/** Variants are pure functions of five strings, so those that were found are at hand without being read again. */
function rememberVariants(options: PageCacheOptions) {
  const known = new LRUCache<string, PageVariant>({ max: MAX_VARIANTS });
  const keyOf = ({ url, headers }: IncomingMessage) =>
    `${url}\n${headers.cookie ?? ''}\n${headers['accept-language'] ?? ''}\n${headers['sec-gpc'] ?? ''}\n${headers.authorization === undefined}`;
  return {
    known: (request: IncomingMessage) => (isReading(request) ? (known.get(keyOf(request)) ?? null) : null),
    async find(request: Request): Promise<PageVariant | null> {
      if (!isReading(request)) return null;
      const variant = await variantOf({ url: request.originalUrl, headers: request.headers }, options);
      if (variant === null) return null;
      known.set(keyOf(request), variant);
      return variant;
    },
  };
}

function isReading({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Null for an answer that is not to be used again: not 200, with a cookie, with a part that failed, or no page at all. */
async function drawPage(options: PageCacheOptions, variant: PageVariant, now: () => number): Promise<Kept | null> {
  const answered = await options.render(variant.address, variant.headers);
  const control = answered.headers.get('Cache-Control') ?? '';
  const usable =
    answered.status === 200 &&
    !answered.headers.has('Set-Cookie') &&
    !/no-store/i.test(control) &&
    /^text\/html\b/.test(answered.headers.get('Content-Type') ?? '');
  if (!usable) {
    await answered.body?.cancel();
    return null;
  }
  const html = await answered.text();
  const bytes = Buffer.from(html);
  const [br, gz] = await Promise.all([
    compressBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
    compressGzip(bytes, { level: 9 }),
  ]);
  const policy = contentSecurityPolicy({ scripts: inlineScriptHashes(html), secure: options.secure, development: false });
  // The policy is a header of the answer behind a 304, so another policy is another answer.
  const digest = createHash('sha256').update(policy).update(bytes).digest('base64url').slice(0, 22);
  return {
    until: now() + KEPT_MS,
    policy,
    language: answered.headers.get('Content-Language') ?? 'en',
    size: bytes.length + br.length + gz.length,
    bodies: {
      identity: bodyOf(bytes, `"${digest}"`),
      gzip: bodyOf(gz, `"${digest}-gz"`),
      br: bodyOf(br, `"${digest}-br"`),
    },
  };
}

function bodyOf(bytes: Buffer, tag: string): Body {
  return { text: bytes.toString('latin1'), length: bytes.length, tag };
}

function answer(request: IncomingMessage, response: ServerResponse, variant: PageVariant, kept: Kept, secure: boolean): void {
  const encoding = encodingOf(request);
  const { text, length, tag } = kept.bodies[encoding];
  const headers: Record<string, string | number> = {
    'Content-Security-Policy': kept.policy,
    // The visitor's own browser may keep a copy, but asks each time whether it is still current.
    'Cache-Control': 'private, no-cache',
    ETag: tag,
    Vary: VARY,
  };
  if (variant.chosenLanguage !== null) {
    headers['Set-Cookie'] = `${languageCookie(variant.chosenLanguage, variant.consent.gdpr ? 'visit' : 'year')}${secure ? '; Secure' : ''}`;
  }
  if (matches(request.headers['if-none-match'], tag)) {
    response.writeHead(304, headers).end();
    return;
  }
  if (encoding !== 'identity') headers['Content-Encoding'] = encoding;
  headers['Content-Type'] = 'text/html; charset=utf-8';
  headers['Content-Language'] = kept.language;
  headers['Content-Length'] = length;
  response.writeHead(200, headers);
  if (request.method === 'HEAD') response.end();
  else response.end(text, 'latin1');
}

function encodingOf(request: IncomingMessage): Encoding {
  const accepted = request.headers['accept-encoding'];
  if (accepted === undefined) return 'identity';
  // The form nearly every browser sends, parsed without the full parser.
  if (!accepted.includes(';')) return /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : 'identity';
  const refused = (name: string) => new RegExp(`(?:^|,)\\s*${name}\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$)`, 'i').test(accepted);
  return (['br', 'gzip'] as const).find((name) => new RegExp(`(?:^|,)\\s*${name}\\b`, 'i').test(accepted) && !refused(name)) ?? 'identity';
}

function matches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === tag || one.trim() === '*');
}

/**
 * The sources of a policy that lets exactly these scripts run. Safe because the page holds no text of any visitor: each script in it is
 * ours. Data blocks (JSON-LD) are no scripts to the policy and need none.
 */
export function inlineScriptHashes(html: string): string[] {
  const hashes = new Set<string>();
  for (const [, attributes = '', code = ''] of html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/gi)) {
    if (/\bsrc=/.test(attributes) || /type="application\//.test(attributes) || code === '') continue;
    hashes.add(`'sha256-${createHash('sha256').update(code).digest('base64')}'`);
  }
  return [...hashes];
}
