import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Language } from '#app/domain/languages.ts';
import type { Log } from '#app/domain/ports.ts';
import { type PageVariant, variantOf } from '#app/platform/http/page-variant.ts';
import { contentSecurityPolicy } from '#app/platform/http/security-headers.ts';
import { languageCookie } from '#app/platform/i18n/preference-cookies.server.ts';

export type KeptPagesOptions = {
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

type Encoding = 'br' | 'gzip' | 'identity';
type Kept = { until: number; policy: string; language: string; size: number; bodies: Record<Encoding, Body> };
type Body = { bytes: Buffer; tag: string };

/** A page that is drawn anew now and then tells today's date, and forgets whatever went wrong unseen. */
const KEPT_MS = 60 * 60_000;
/** How long a page that could not be kept is not tried again. */
const REFUSED_MS = 10_000;
const MAX_BYTES = 32 * 1024 * 1024;
const VARY = 'Accept-Encoding, Accept-Language, Cookie, Sec-GPC';
const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/**
 * Anonymous public pages, drawn once for everybody with the same language and settings, compressed once, and answered from memory. Each is
 * drawn from a request that is made of its variant, never from a visitor's own, so that nothing of one visitor can reach another. Gone
 * with the process, and so with each build.
 */
export function keptPages(options: KeptPagesOptions): RequestHandler {
  const now = options.now ?? Date.now;
  const pages = new Map<string, Promise<Kept | null>>();
  const sizes = new Map<string, number>();
  let total = 0;

  const drop = (key: string) => {
    total -= sizes.get(key) ?? 0;
    sizes.delete(key);
    pages.delete(key);
  };
  const draw = (variant: PageVariant): Promise<Kept | null> => {
    const drawing = drawPage(options, variant, now).catch((error: unknown) => {
      options.log.error('page could not be kept', { path: variant.address, error });
      return null;
    });
    pages.set(variant.key, drawing);
    void drawing.then((kept) => {
      if (pages.get(variant.key) !== drawing) return;
      if (kept === null) {
        setTimeout(() => pages.get(variant.key) === drawing && drop(variant.key), REFUSED_MS).unref();
        return;
      }
      sizes.set(variant.key, kept.size);
      total += kept.size;
      for (const oldest of sizes.keys()) {
        if (total <= (options.maxBytes ?? MAX_BYTES)) break;
        drop(oldest);
      }
    });
    return drawing;
  };
  const find = async (variant: PageVariant): Promise<Kept | null> => {
    const known = pages.get(variant.key);
    if (known === undefined) return draw(variant);
    const kept = await known;
    if (kept !== null && kept.until <= now() && pages.get(variant.key) === known) {
      drop(variant.key);
      return draw(variant);
    }
    return kept;
  };

  return async (request: Request, response: Response, next: NextFunction) => {
    try {
      const variant = await variantOf({ method: request.method, headers: request.headers, url: request.originalUrl }, options);
      const kept = variant === null ? null : await find(variant);
      if (variant === null || kept === null) return next();
      answer(request, response, variant, kept);
    } catch (error) {
      next(error);
    }
  };
}

/** Null for an answer that is not to be used again: not 200, with a cookie, with a part that failed, or no page at all. */
async function drawPage(options: KeptPagesOptions, variant: PageVariant, now: () => number): Promise<Kept | null> {
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
  // The policy is a header of the answer that a 304 stands for, so another policy is another answer.
  const digest = createHash('sha256').update(policy).update(bytes).digest('base64url').slice(0, 22);
  return {
    until: now() + KEPT_MS,
    policy,
    language: answered.headers.get('Content-Language') ?? 'en',
    size: bytes.length + br.length + gz.length,
    bodies: {
      identity: { bytes, tag: `"${digest}"` },
      gzip: { bytes: gz, tag: `"${digest}-gz"` },
      br: { bytes: br, tag: `"${digest}-br"` },
    },
  };
}

function answer(request: Request, response: Response, variant: PageVariant, kept: Kept): void {
  const encoding = encodingOf(request);
  const { bytes, tag } = kept.bodies[encoding];
  const headers: Record<string, string | number> = {
    'Content-Security-Policy': kept.policy,
    // A copy may be kept by the visitor's own browser, which asks each time whether it is still the one for them.
    'Cache-Control': 'private, no-cache',
    ETag: tag,
    Vary: VARY,
  };
  if (variant.chosenLanguage !== null) {
    headers['Set-Cookie'] = languageCookie(variant.chosenLanguage, variant.consent.gdpr ? 'visit' : 'year');
  }
  if (matches(request.headers['if-none-match'], tag)) {
    response.writeHead(304, headers).end();
    return;
  }
  if (encoding !== 'identity') headers['Content-Encoding'] = encoding;
  headers['Content-Type'] = 'text/html; charset=utf-8';
  headers['Content-Language'] = kept.language;
  headers['Content-Length'] = bytes.length;
  response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : bytes);
}

function encodingOf(request: Request): Encoding {
  const accepted = request.headers['accept-encoding'];
  if (accepted === undefined) return 'identity';
  // What nearly every browser sends, without the parser.
  if (!accepted.includes(';')) return /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : 'identity';
  return (request.acceptsEncodings('br', 'gzip', 'identity') || 'identity') as Encoding;
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
