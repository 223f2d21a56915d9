import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

let found: string | undefined;

/**
 * Folder that holds package.json and supabase/: files that ship beside the code are read from it, both when the sources
 * run directly and when the build in build/server does. Throws when the code has been moved away from them.
 */
export function projectRoot(): string {
  if (found) return found;
  let directory = import.meta.dirname;
  while (!existsSync(join(directory, 'supabase', 'migrations'))) {
    const parent = dirname(directory);
    if (parent === directory) throw new Error('supabase/migrations was not found beside the program');
    directory = parent;
  }
  found = directory;
  return directory;
}
