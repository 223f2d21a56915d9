import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import express, { type RequestHandler } from 'express';
import { LRUCache } from 'lru-cache';
import { isLanguage } from '#app/domain/web/languages.ts';
import { NAMESPACES } from '#app/platform/i18n/namespaces.ts';

/** A page names some six of them. */
const MOST_NAMESPACES = 16;
/** Characters that are kept, a few megabytes: a set of namespaces a page and language. */
const MOST_CHARACTERS = 4_000_000;

/**
 * `GET /assets/texts/<language>/<namespace>+<namespace>….json`: the texts of several namespaces as one file, `{ "<namespace>": { … } }`, since a
 * page would otherwise send a request for each. A single one is a file of its own, as the build made it. Anything else is left to the next.
 */
export function textFiles(assets: string, setHeaders: (response: ServerResponse) => void): RequestHandler {
  const joined = new LRUCache<string, string>({ maxSize: MOST_CHARACTERS });
  const router = express.Router();
  router.get('/texts/:language/:file', (request, response, next) => {
    const { language, file } = request.params;
    const names = file.endsWith('.json') ? file.slice(0, -'.json'.length).split('+') : [];
    if (!isLanguage(language) || names.length < 2 || names.length > MOST_NAMESPACES) return next();
    // In one order alone: each other one would be a file more to keep.
    const known = NAMESPACES.filter((namespace) => names.includes(namespace)).toSorted();
    if (known.join('+') !== names.join('+')) return next();
    const name = `${language}/${file}`;
    const read = (namespace: string) => readFileSync(join(assets, 'texts', language, `${namespace}.json`), 'utf8');
    const text = joined.get(name) ?? `{${names.map((namespace) => `${JSON.stringify(namespace)}:${read(namespace)}`).join()}}`;
    joined.set(name, text, { size: text.length });
    setHeaders(response);
    response.set('Cache-Control', 'public, max-age=31536000, immutable').type('json').send(text);
  });
  return router;
}
