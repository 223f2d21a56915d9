import { z } from 'zod';
import { proofFields } from '#app/components/form/proof/proof-schema.ts';

const reason = z.string({ error: 'required' }).trim().max(500);

/** Stopping everything: why, the workspace's name typed, and a proof. `command` says which of the page's two forms was sent. */
export function haltSchema(workspaceName: string) {
  return z.object({
    command: z.literal('halt'),
    reason,
    confirmation: z
      .string({ error: 'required' })
      .max(120)
      .refine((typed) => sameName(typed, workspaceName), { error: 'typeWorkspaceName' }),
    ...proofFields,
  });
}

export const releaseSchema = z.object({ command: z.literal('release'), reason, ...proofFields });

/** A slip of case or a space too many is not what the question guards against. */
function sameName(typed: string, name: string): boolean {
  const plain = (text: string) => text.trim().replaceAll(/\s+/g, ' ').normalize('NFC').toLocaleLowerCase('en');
  return plain(typed) === plain(name);
}
