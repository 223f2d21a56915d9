import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';

/** Null: there is none. */
export async function readText(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Whole or not at all, and on the disk: also the name, which stands in the directory. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const next = `${file}.next`;
  const handle = await open(next, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(next, file);
  const directory = await open(join(file, '..'), 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
