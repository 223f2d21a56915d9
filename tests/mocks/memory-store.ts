import type { DataFailure, MockStore, ProfileRow } from '#tests/mocks/mock-types.ts';

const DENIED: DataFailure = { status: 403, code: '42501', message: 'new row violates row-level security policy for table "profiles"' };
const COLUMNS = new Set(['id', 'role', 'display_name', 'updated_at']);

/** Profiles in memory, with the rules that the database has for them: for tests that need no database. */
export function createMemoryStore(now: () => Date): MockStore {
  const profiles = new Map<string, ProfileRow>();
  const sessions = new Set<string>();
  return {
    keepUser: async () => undefined,
    factorIds: async () => null,
    removeUser: async (userId) => void profiles.delete(userId),
    keepSession: async ({ id }) => void sessions.add(id),
    endSessions: async (ids) => {
      for (const id of ids) sessions.delete(id);
    },
    readProfile: async (caller, userId) =>
      caller?.userId === userId && sessions.has(caller.sessionId) ? (profiles.get(userId) ?? null) : null,
    upsertProfile: async (caller, row) => {
      const unknown = Object.keys(row).find((column) => !COLUMNS.has(column));
      if (unknown !== undefined)
        return { status: 400, code: 'PGRST204', message: `Could not find the '${unknown}' column of 'profiles' in the schema cache` };
      if (caller === null || row.id !== caller.userId || !sessions.has(caller.sessionId)) return DENIED;
      const before = profiles.get(caller.userId);
      const role = row.role ?? before?.role ?? 'user';
      if (role !== (before?.role ?? 'user')) return { ...DENIED, message: 'profile role is set by the server alone' };
      const name = 'display_name' in row ? row.display_name : before?.display_name;
      const next = {
        id: caller.userId,
        role: String(role),
        display_name: typeof name === 'string' ? name : null,
        updated_at: now().toISOString(),
      };
      profiles.set(next.id, next);
      return next;
    },
  };
}
