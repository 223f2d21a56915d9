import type { FileStore, StoredFile } from '#app/contracts/ports.ts';

/** A file store in memory. */
export function memoryFiles(): FileStore {
  const stored = new Map<string, StoredFile>();
  return {
    async put(file) {
      if (stored.has(file.name)) throw new Error('a name is written once');
      stored.set(file.name, file);
    },
    get: async (name) => stored.get(name) ?? null,
    async remove(names) {
      for (const name of names) stored.delete(name);
    },
    list: async (folder) => [...stored.keys()].filter((name) => name.startsWith(`${folder}/`)).sort(),
  };
}
