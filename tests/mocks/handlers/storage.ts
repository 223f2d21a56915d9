import { type HttpHandler, HttpResponse, http } from 'msw';
import { recordOf, textOf } from '#tests/mocks/handlers/endpoint.ts';
import type { MockBackend } from '#tests/mocks/mock-backend.ts';

/** Files of private buckets, for whoever holds the secret key: make a bucket, put, get, list, remove. */
export function storageHandlers(mock: MockBackend): HttpHandler[] {
  const at = (path: string) => `${mock.settings.url}/storage/v1${path}`;
  const nameOf = (request: Request) => new URL(request.url).pathname.split('/').slice(5).map(decodeURIComponent).join('/');
  const bucketOf = (params: Readonly<Record<string, unknown>>) => mock.buckets.get(String(params.bucket));
  return [
    http.post(at('/bucket'), async ({ request }) => {
      if (!isOwner(mock, request)) return refusal('403', 'Unauthorized', 'new row violates row-level security policy');
      const name = textOf(recordOf(await request.json()).name);
      if (mock.buckets.has(name)) return refusal('409', 'Duplicate', 'The resource already exists');
      mock.buckets.set(name, new Map());
      return HttpResponse.json({ name });
    }),
    http.post(at('/object/list/:bucket'), async ({ request, params }) => {
      const bucket = bucketOf(params);
      if (!isOwner(mock, request) || bucket === undefined) return HttpResponse.json([]);
      const { prefix, limit, offset } = recordOf(await request.json());
      const names = [...bucket.keys()].filter((name) => name.startsWith(`${textOf(prefix)}/`)).sort();
      const page = names.slice(Number(offset ?? 0), Number(offset ?? 0) + Number(limit ?? 100));
      return HttpResponse.json(page.map((name) => ({ name: name.slice(textOf(prefix).length + 1) })));
    }),
    http.post(at('/object/:bucket/*'), async ({ request, params }) => {
      const bucket = bucketOf(params);
      if (!isOwner(mock, request) || bucket === undefined) return refusal('404', 'Bucket not found', 'Bucket not found');
      const name = nameOf(request);
      if (bucket.has(name)) return refusal('409', 'Duplicate', 'The resource already exists');
      bucket.set(name, {
        mediaType: request.headers.get('Content-Type') ?? 'application/octet-stream',
        cacheControl: request.headers.get('Cache-Control') ?? '',
        content: new Uint8Array(await request.arrayBuffer()),
      });
      return HttpResponse.json({ Id: name, Key: `${params.bucket}/${name}` });
    }),
    http.get(at('/object/:bucket/*'), ({ request, params }) => {
      const file = bucketOf(params)?.get(nameOf(request));
      if (!isOwner(mock, request) || file === undefined) return refusal('404', 'not_found', 'Object not found');
      return new HttpResponse(Buffer.from(file.content), {
        headers: { 'Content-Type': file.mediaType, 'Cache-Control': file.cacheControl },
      });
    }),
    http.delete(at('/object/:bucket'), async ({ request, params }) => {
      const bucket = bucketOf(params);
      if (!isOwner(mock, request) || bucket === undefined) return refusal('404', 'Bucket not found', 'Bucket not found');
      const { prefixes } = recordOf(await request.json());
      const gone = (Array.isArray(prefixes) ? prefixes : []).filter((name) => bucket.delete(String(name)));
      return HttpResponse.json(gone.map((name) => ({ name })));
    }),
  ];
}

function isOwner(mock: MockBackend, request: Request): boolean {
  return request.headers.get('apikey') === mock.settings.secretKey;
}

/** The service answers 400 and says the status in its body. */
function refusal(statusCode: string, error: string, message: string) {
  return HttpResponse.json({ statusCode, error, message }, { status: 400 });
}
