import type { z } from 'zod';
import type { AuditAction } from '#app/contracts/audit-actions.ts';
import type { Db } from '#app/contracts/db.ts';
import type { Principal } from '#app/contracts/principals.ts';
import { AppError } from '#app/domain/errors.ts';
import { assertPermission } from '#app/domain/people/roles.ts';
import { Refusal } from '#app/domain/refusal.ts';
import type { Command, CommandDeps, InstanceCommand, Person, PersonalCommand, Refusals } from '#app/engine/commands/command.ts';
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
  const given = parse(command.input, input);
  const first = await command.earlier?.(principal, given);
  if (first != null) return first;
  try {
    return await principal.change((db) => command.change({ ...deps, db: db.withPlugin(onlyChanges(command.changes)), principal }, given));
  } catch (error) {
    // Two calls with one key at the same moment: the other was first, and this one was refused for what the other did.
    const other = error instanceof AppError ? await command.earlier?.(principal, given) : null;
    if (other != null) return other;
    throw refusedBy(command.refusals ?? {}, error);
  }
}

type InstanceDeps = Pick<CommandDeps, 'newId' | 'now'> & { access: { asNobody<T>(work: (db: Db) => Promise<T>): Promise<T> } };

/**
 * Performs a command in a transaction as nobody, in which functions of the database alone can write.
 * @throws Refusal for what a person can put right, AppError `invalid_input`, or what the function refuses
 */
export async function performAsNobody<Input extends z.ZodType, Result>(
  command: InstanceCommand<Input, Result>,
  { access, newId, now }: InstanceDeps,
  input: z.input<Input>,
): Promise<Result> {
  const given = parse(command.input, input);
  try {
    return await access.asNobody((db) => command.change({ newId, now, db: db.withPlugin(onlyChanges([])) }, given));
  } catch (error) {
    throw refusedBy(command.refusals ?? {}, error);
  }
}

/** Performs a change of the person's own settings or marks. @throws AppError `unauthenticated`, `forbidden`, `invalid_input` */
export async function performAsPerson<Input extends z.ZodType, Result>(
  command: PersonalCommand<Input, Result>,
  { userId, write }: Person,
  { newId, now }: Pick<CommandDeps, 'newId' | 'now'>,
  input: z.input<Input>,
): Promise<Result> {
  const given = parse(command.input, input);
  return write((db) => command.change({ newId, now, userId, db: db.withPlugin(onlyChanges(command.changes)) }, given));
}

function parse<Input extends z.ZodType>(schema: Input, input: z.input<Input>): z.output<Input> {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw invalidInput(parsed.error);
  return parsed.data;
}

/** @throws AppError `forbidden`: the member lacks the permission, or the key the scope */
export function requireAllowed({ permission, scope }: Pick<Command, 'permission' | 'scope'>, { roles, scopes }: Principal): void {
  if (permission !== null) assertPermission(roles, permission);
  if (scopes !== null && (scope === null || !scopes.includes(scope)))
    throw new AppError('forbidden', { values: scope === null ? {} : { scope } });
}

function invalidInput(error: z.ZodError): AppError {
  const fields = [...new Set(error.issues.map(({ path }) => path.join('.')))].join(', ');
  return new AppError('invalid_input', { cause: error, values: { fields } });
}

function refusedBy(refusals: Refusals, error: unknown): unknown {
  if (error instanceof Refusal) return error;
  const code = error instanceof AppError ? error.code : null;
  const [, text] = Object.entries(refusals).find(([known]) => known === code || isSqlState(error, known)) ?? [];
  return text === undefined ? error : new Refusal(text, error);
}
