import type { z } from 'zod';
import type { AuditAction } from '#app/domain/audit-event.ts';
import { AppError } from '#app/domain/errors.ts';
import { Refusal, type RefusalText } from '#app/domain/refusal.ts';
import { demand } from '#app/domain/roles.ts';
import type { Command, CommandDeps, Principal } from '#app/engine/commands/command.ts';
import { onlyChanges } from '#app/engine/commands/only-changes.ts';
import { isSqlState } from '#app/engine/sql-state.ts';

/**
 * Performs a command: checks permission, scope and input, then commits what it changes together with its one event.
 * @throws Refusal for what a person can put right, AppError `forbidden`, `invalid_input`, or what the command throws
 */
export async function perform<Input extends z.ZodType, Result, Action extends AuditAction>(
  command: Command<Input, Result, Action>,
  principal: Principal,
  deps: CommandDeps,
  input: z.input<Input>,
): Promise<Result> {
  requireAllowed(command, principal);
  const parsed = command.input.safeParse(input);
  if (!parsed.success) throw invalidInput(parsed.error);
  try {
    return await principal.change((db) =>
      command.change({ ...deps, db: db.withPlugin(onlyChanges(command.changes)), principal }, parsed.data),
    );
  } catch (error) {
    throw refusedBy(command.refusals ?? {}, error);
  }
}

/** @throws AppError `forbidden`: the member lacks the permission, or the key the scope */
export function requireAllowed({ permission, scope }: Pick<Command, 'permission' | 'scope'>, { roles, scopes }: Principal): void {
  if (permission !== null) demand(roles, permission);
  if (scopes !== null && (scope === null || !scopes.includes(scope)))
    throw new AppError('forbidden', { values: scope === null ? {} : { scope } });
}

function invalidInput(error: z.ZodError): AppError {
  const fields = [...new Set(error.issues.map(({ path }) => path.join('.')))].join(', ');
  return new AppError('invalid_input', { cause: error, values: { fields } });
}

function refusedBy(refusals: Readonly<Record<string, RefusalText>>, error: unknown): unknown {
  if (error instanceof Refusal) return error;
  const code = error instanceof AppError ? error.code : null;
  const [, text] = Object.entries(refusals).find(([known]) => known === code || isSqlState(error, known)) ?? [];
  return text === undefined ? error : new Refusal(text, error);
}
