import type { RouterContextProvider } from 'react-router';
import type { z } from 'zod';
import type { AuditAction } from '#app/contracts/audit-actions.ts';
import { directoryContext, servicesContext } from '#app/contracts/request-context.ts';
import type { Command } from '#app/engine/commands/command.ts';
import { perform } from '#app/engine/commands/perform.ts';
import { directoryPrincipal } from '#app/engine/directory/directory-principal.ts';

/** Performs a command as the directory of this request. */
export function performAsDirectory<Input extends z.ZodType, Result, Action extends AuditAction>(
  context: Readonly<RouterContextProvider>,
  command: Command<Input, Result, Action>,
  input: z.input<Input>,
): Promise<Result> {
  return perform(command, directoryPrincipal(context.get(directoryContext)), context.get(servicesContext), input);
}
