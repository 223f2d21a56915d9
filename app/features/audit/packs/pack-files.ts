import { href } from 'react-router';
import type { PACK_FILES } from '#app/domain/control/evidence-export.ts';

export type PackFileName = (typeof PACK_FILES)[number];

/** The address of a file of the pack that answers a question. */
export function packFile(file: PackFileName, question: { framework: string; from: string; until: string; seed: string }): string {
  return `${href('/dashboard/audit/packs/:file', { file })}?${new URLSearchParams(question)}`;
}
