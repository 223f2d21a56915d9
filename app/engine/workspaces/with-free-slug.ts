import { isSqlState, UNIQUE_VIOLATION } from '#app/engine/sql-state.ts';
import { slugFor } from '#app/engine/workspaces/slug-for.ts';

const SLUG_TRIES = 5;

/** Makes a workspace by the short name that its name gives, and by others where another workspace has that. */
export async function withFreeSlug(name: string, make: (slug: string) => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await make(slugFor(name, attempt > 1));
      return;
    } catch (error) {
      if (attempt >= SLUG_TRIES || !isSqlState(error, UNIQUE_VIOLATION)) throw error;
    }
  }
}
