import { LRUCache } from 'lru-cache';

const SEEN_EVERY_MS = 60_000;
const REMEMBERED_SESSIONS = 10_000;
const lastSeen = new LRUCache<string, { workspaceId: string; at: number }>({ max: REMEMBERED_SESSIONS });

/** True once a minute for each session, and at once in another workspace: every other request costs one lookup in a map. */
export function isSightingDue(sessionId: string, workspaceId: string, now: number): boolean {
  const last = lastSeen.get(sessionId);
  if (last !== undefined && last.workspaceId === workspaceId && now - last.at < SEEN_EVERY_MS) return false;
  lastSeen.set(sessionId, { workspaceId, at: now });
  return true;
}
