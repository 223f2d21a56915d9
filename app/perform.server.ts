import type { RouterContextProvider } from 'react-router';
import type { z } from 'zod';
import type { AuditAction } from '#app/contracts/audit-actions.ts';
import { keyContext, memberContext, servicesContext } from '#app/contracts/request-context.ts';
import type { Command, PersonalCommand } from '#app/engine/commands/command.ts';
import { memberPrincipal } from '#app/engine/commands/member-principal.ts';
import { perform, performAsPerson } from '#app/engine/commands/perform.ts';
import { keyPrincipal } from '#app/engine/serving/caller.ts';

/** Performs a command as the member of this request. */
export function performAsMember<Input extends z.ZodType, Result, Action extends AuditAction>(
  context: Readonly<RouterContextProvider>,
  command: Command<Input, Result, Action>,
  input: z.input<Input>,
): Promise<Result> {
  return perform(command, memberPrincipal(context.get(memberContext)), context.get(servicesContext), input);
}

/** Performs a command as the API key of this request. */
export function performAsKey<Input extends z.ZodType, Result, Action extends AuditAction>(
  context: Readonly<RouterContextProvider>,
  command: Command<Input, Result, Action>,
  input: z.input<Input>,
): Promise<Result> {
  return perform(command, keyPrincipal(context.get(keyContext)), context.get(servicesContext), input);
}

/** Performs a change of their own settings or marks for the member of this request. */
export function performForSelf<Input extends z.ZodType, Result>(
  context: Readonly<RouterContextProvider>,
  command: PersonalCommand<Input, Result>,
  input: z.input<Input>,
): Promise<Result> {
  const { userId, sessionId, address, workspace } = context.get(memberContext).member;
  const services = context.get(servicesContext);
  const who = { userId, sessionId, address, workspaceId: workspace.id };
  return performAsPerson(command, { userId, write: (work) => services.access.asMember(who, work) }, services, input);
}
