import { z } from 'zod';
import type { ApiKeyScope } from '#app/domain/api-key-scopes.ts';
import type { AuditAction, AuditEntry } from '#app/domain/audit-event.ts';
import type { RefusalText } from '#app/domain/refusal.ts';
import type { Permission, Role } from '#app/domain/roles.ts';
import type { Tables } from '#app/domain/tables.ts';
import type { Db } from '#app/engine/db.ts';
import type { Engine } from '#app/engine/engine.ts';

/** The member or API key that performs a command, and its access to the data. */
export type Principal = {
  workspace: { id: string; name: string };
  userId: string;
  name: string;
  roles: readonly Role[];
  /** Of an API key; null for a member at a screen. */
  scopes: readonly ApiKeyScope[] | null;
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** One transaction that commits the work together with its one event. */
  change<T>(work: (db: Db) => Promise<{ result: T; event: AuditEntry }>): Promise<T>;
};

export type CommandDeps = { engine: Pick<Engine, 'enqueueRun' | 'sealer'>; newId(): string; now(): Date };
export type CommandCall = CommandDeps & { db: Db; principal: Principal };

/** The event of a command: it can name none but the command's own actions. */
export type EventOf<Action extends AuditAction> = Omit<AuditEntry, 'action'> & { action: Action };

/**
 * The effect of a second call with the same input. `byId`: the input holds the id of what is made, and the database refuses it twice.
 * `byRevision`: the input names the revision that was seen, which has passed. `refused`: what was to be ended is over. `overwrites`: the
 * same state is written and recorded again. `repeats`: it makes another.
 */
export type Repeat = 'byId' | 'byRevision' | 'refused' | 'overwrites' | 'repeats';

/** One use case, for every door: form, API, MCP, A2A, trigger and demo perform it alike. */
export type Command<
  Input extends z.ZodType = z.ZodType,
  Result = unknown,
  Action extends AuditAction = AuditAction,
  Scope extends ApiKeyScope | null = ApiKeyScope | null,
> = {
  /** Null: any member, as far as row level security lets them. */
  permission: Permission | null;
  /** The scope that an API key needs beside its member's permission. Null: no key may. */
  scope: Scope;
  input: Input;
  actions: readonly Action[];
  /** The tables that it writes. Through the query builder it can write no others. */
  changes: readonly (keyof Tables)[];
  repeat: Repeat;
  /** Failures that a person can put right, by the SQLSTATE of the database's refusal or the code of the error. */
  refusals?: Readonly<Record<string, RefusalText>>;
  /** Runs in the transaction; throw to undo it. No outgoing call may happen inside. */
  change(call: CommandCall, input: z.output<Input>): Promise<{ result: Result; event: EventOf<Action> }>;
};

/** Lets the compiler find input, result and actions of a command in its definition. */
export function defineCommand<Input extends z.ZodType, Result, const Action extends AuditAction, const Scope extends ApiKeyScope | null>(
  command: Command<Input, Result, Action, Scope>,
): Command<Input, Result, Action, Scope> {
  return command;
}

/** An id out of an address. One that is no UUID names nothing: the database refuses it (22P02), which becomes `not_found`. */
export const idSchema = z.string().max(64);
