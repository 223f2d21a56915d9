import { createClient } from '@supabase/supabase-js';
import type { FileStore } from '#app/contracts/ports.ts';

/** The page size of Supabase Storage. */
export const LIST_LIMIT = 100;
const CACHE_SECONDS = '3600';
const BUCKET = 'quorate';
const BUCKET_MAX_BYTES = 10_485_760;

/** Files in a private bucket of the project, reached with its secret key: no browser ever is. The bucket is made with the first file. */
export function createSupabaseFiles(options: { url: string; secretKey: string; fetch: typeof fetch }): FileStore {
  const { storage } = createClient(options.url, options.secretKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch: options.fetch },
  });
  const bucket = storage.from(BUCKET);

  return {
    async put({ name, mediaType, content }) {
      const upload = () =>
        bucket.upload(name, Buffer.from(content), { contentType: mediaType, cacheControl: CACHE_SECONDS, upsert: false });
      const first = await upload();
      if (first.error === null) return;
      if (!isMissing(first.error)) throw first.error;
      const made = await storage.createBucket(BUCKET, { public: false, fileSizeLimit: BUCKET_MAX_BYTES });
      // Another process may have made it meanwhile: the upload tells.
      const second = await upload();
      if (second.error !== null) throw made.error ?? second.error;
    },
    async get(name) {
      const { data, error } = await bucket.download(name);
      if (error !== null) {
        if (isMissing(error)) return null;
        throw error;
      }
      return { mediaType: data.type, content: new Uint8Array(await data.arrayBuffer()) };
    },
    async remove(names) {
      if (names.length === 0) return;
      const { error } = await bucket.remove([...names]);
      if (error !== null) throw error;
    },
    async list(folder, { limit = LIST_LIMIT, offset = 0 } = {}) {
      const { data, error } = await bucket.list(folder, { limit, offset, sortBy: { column: 'name', order: 'asc' } });
      if (error !== null) {
        if (isMissing(error)) return [];
        throw error;
      }
      return data.map((file) => `${folder}/${file.name}`);
    },
  };
}

/** The service answers 400 with 404 in its body for a bucket or a file that is not there. */
function isMissing(error: Error): boolean {
  const { status, statusCode } = error as { status?: unknown; statusCode?: unknown };
  return String(status) === '404' || String(statusCode) === '404' || /not.?found/i.test(error.message);
}
