import { z } from 'zod';

const reason = z.string({ error: 'required' }).trim().max(500);
const password = z.string({ error: 'required' }).max(1024);

/** Stopping everything: why, the workspace's name typed, and the password. `command` says which of the page's two forms was sent. */
export function haltSchema(workspaceName: string) {
  return z.object({
    command: z.literal('halt'),
    reason,
    confirmation: z
      .string({ error: 'required' })
      .max(120)
      .refine((typed) => sameName(typed, workspaceName), { error: 'typeWorkspaceName' }),
    password,
  });
}

export const releaseSchema = z.object({ command: z.literal('release'), reason, password });

/** A slip of case or a space too many is not what the question guards against. */
function sameName(typed: string, name: string): boolean {
  const plain = (text: string) => text.trim().replaceAll(/\s+/g, ' ').normalize('NFC').toLocaleLowerCase('en');
  return plain(typed) === plain(name);
}
