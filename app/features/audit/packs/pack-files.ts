import { href } from 'react-router';

/** The signed pack, its records as a table, and OSCAL assessment results by themselves. */
export const PACK_FILES = ['pack.json', 'records.csv', 'oscal.json'] as const;
export type PackFileName = (typeof PACK_FILES)[number];

/** The address of a file of the pack that answers a question. */
export function packFile(file: PackFileName, question: { framework: string; from: string; until: string; seed: string }): string {
  return `${href('/dashboard/audit/packs/:file', { file })}?${new URLSearchParams(question)}`;
}
