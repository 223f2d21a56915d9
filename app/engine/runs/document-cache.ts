import { LRUCache } from 'lru-cache';
import { type VersionDocument, versionDocumentSchema } from '#app/domain/workflows/agent.ts';
import type { ReadDocument } from '#app/engine/runs/run-execution.ts';
import type { RunStore } from '#app/engine/runs/run-store.ts';

const KEEP = 300;

/** Documents of versions, which never change. Null: the version holds none that this release can read. */
export function createDocumentCache(store: RunStore): ReadDocument {
  const documents = new LRUCache<string, Promise<VersionDocument | null>>({ max: KEEP });
  return (workspaceId, versionId) => {
    const key = `${workspaceId}/${versionId}`;
    const known = documents.get(key);
    if (known !== undefined) return known;
    const reading = store.readVersion(workspaceId, versionId).then((document) => {
      const parsed = versionDocumentSchema.safeParse(document);
      return parsed.success ? parsed.data : null;
    });
    documents.set(key, reading);
    reading.catch(() => documents.delete(key));
    return reading;
  };
}
