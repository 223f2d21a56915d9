import { LRUCache } from 'lru-cache';
import type { Caller } from '#app/engine/serving/caller.ts';
import { MOST_WORKFLOWS, readServedWorkflow, readServedWorkflows, type ServedWorkflow } from '#app/engine/serving/served-workflows.ts';
import { nameTools, RESERVED_TOOLS } from '#app/engine/serving/tool-names.ts';

/** The workflows in force of a workspace, and the names that they have as tools. */
export type ServedCatalog = { workflows: ReadonlyMap<string, ServedWorkflow>; tools: ReadonlyMap<string, ServedWorkflow> };

/** Characters of documents that are kept of all workspaces together: some 50 MB once they are parsed. */
const MOST_CHARACTERS = 8_000_000;

/**
 * By workspace and the digest that the database tells in each call. The digest is made from what the key of that call may see, and from
 * all that changes: whoever has the same one sees the same workflows.
 */
const catalogs = new LRUCache<string, ServedCatalog>({ maxSize: MOST_CHARACTERS });

/** The workflows that the caller may start, as of this call. */
export async function readCatalog(caller: Caller): Promise<ServedCatalog> {
  const { id } = caller.key.workspace;
  const known = caller.servedRevision === null ? undefined : catalogs.get(`${id}/${caller.servedRevision}`);
  if (known !== undefined) return known;
  // The digest once more: something may have changed since the call came.
  const { revision, workflows } = await caller.read((db) => readServedWorkflows(db, id));
  const catalog = {
    workflows: new Map(workflows.map((workflow) => [workflow.id, workflow])),
    tools: nameTools(workflows, RESERVED_TOOLS),
  };
  catalogs.set(`${id}/${revision}`, catalog, { size: JSON.stringify(workflows).length });
  return catalog;
}

/** One workflow in force, or null. `id` is a UUID. */
export async function findServedWorkflow(caller: Caller, id: string): Promise<ServedWorkflow | null> {
  const { workflows } = await readCatalog(caller);
  const found = workflows.get(id.toLowerCase());
  if (found !== undefined || workflows.size < MOST_WORKFLOWS) return found ?? null;
  return caller.read((db) => readServedWorkflow(db, caller.key.workspace.id, id));
}
