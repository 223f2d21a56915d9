import { type RunFile, runFileSchema } from '#app/domain/documents/run-file.ts';

/** A file that was sent before, as a form posts it back; null: there is none. */
export function readKeptFile(text: string | undefined): RunFile | null {
  if (text === undefined || text === '') return null;
  try {
    return runFileSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
