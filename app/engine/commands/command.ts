import { z } from 'zod';
import type { AuditAction, AuditEntry } from '#app/contracts/audit-actions.ts';
import type { Db } from '#app/contracts/db.ts';
import type { Engine } from '#app/contracts/engine.ts';
import type { ApiKeyScope } from '#app/contracts/people.ts';
import type { Principal } from '#app/contracts/principals.ts';
import type { ControlKind } from '#app/contracts/statuses.ts';
import type { Tables } from '#app/contracts/tables.ts';
import type { Permission } from '#app/domain/people/roles.ts';
import type { RefusalText } from '#app/domain/refusal.ts';

export type CommandDeps = { engine: Pick<Engine, 'enqueueRun' | 'admitRun' | 'sealer'>; newId(): string; now(): Date };
export type CommandCall = CommandDeps & { db: Db; principal: Principal };

/** The event of a command: it can name none but the command's own actions. */
export type EventOf<Action extends AuditAction> = Omit<AuditEntry, 'action'> & { action: Action };

/**
 * The effect of a second call with the same input. `byRequestKey`: the input names a key, and the result of the first call is returned. `byId`: the input holds the id of what is made, and the database refuses it twice.
 * `byRevision`: the input names the revision that was seen, which has passed. `refused`: what was to be ended is over. `overwrites`: the
 * same state is written and recorded again. `repeats`: it makes another.
 */
export type Repeat = 'byRequestKey' | 'byId' | 'byRevision' | 'refused' | 'overwrites' | 'repeats';

/** Failures that a person can put right, by the SQLSTATE of the database's refusal or the code of the error. */
export type Refusals = Readonly<Record<string, RefusalText>>;

/** A kind of control change, or the release of a halt. */
export type Weakening = ControlKind | 'halt_lift';

/** One use case for every door: form, API, MCP, A2A, trigger and demo. */
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
  /** How it weakens or moves control, each of which another person agrees to first; absent: in no way. */
  weakens?: readonly Weakening[];
  refusals?: Refusals;
  /**
   * The result of an earlier call with the same request key, or null. Asked before the change, which then does not happen, and after one
   * that failed. Only where `repeat` is `byRequestKey`.
   */
  earlier?(principal: Principal, input: z.output<Input>): Promise<Result | null>;
  /** Runs in the transaction; throw to undo it. No outgoing call may happen inside. */
  change(call: CommandCall, input: z.output<Input>): Promise<{ result: Result; event: EventOf<Action> }>;
};

/**
 * A use case that is open before anyone is a member, or that reaches across workspaces. A function of the database does it: it checks who
 * asks, and records its events itself.
 */
export type InstanceCommand<Input extends z.ZodType = z.ZodType, Result = unknown> = {
  input: Input;
  /** The events that the function records; none for what the log does not hold. */
  actions: readonly AuditAction[];
  repeat: Repeat;
  refusals?: Refusals;
  change(call: Pick<CommandDeps, 'newId' | 'now'> & { db: Db }, input: z.output<Input>): Promise<Result>;
};

/** The signed-in person, and one transaction as them. */
export type Person = { userId: string; write<T>(work: (db: Db) => Promise<T>): Promise<T> };

/** A change of one's own settings and marks: row level security keeps them to their owner, and they are no event of the log. */
export type PersonalCommand<Input extends z.ZodType = z.ZodType, Result = unknown> = {
  input: Input;
  /** The tables that it writes. */
  changes: readonly (keyof Tables)[];
  repeat: Repeat;
  change(call: Pick<CommandDeps, 'newId' | 'now'> & { db: Db; userId: string }, input: z.output<Input>): Promise<Result>;
};

/** Lets the compiler find input, result and actions of a command in its definition. */
export function defineCommand<Input extends z.ZodType, Result, const Action extends AuditAction, const Scope extends ApiKeyScope | null>(
  command: Command<Input, Result, Action, Scope>,
): Command<Input, Result, Action, Scope> {
  return command;
}

export function defineInstanceCommand<Input extends z.ZodType, Result>(command: InstanceCommand<Input, Result>) {
  return command;
}

export function definePersonalCommand<Input extends z.ZodType, Result>(command: PersonalCommand<Input, Result>) {
  return command;
}

/** An id from an address. One that is not a UUID finds nothing: the database refuses it (22P02), which becomes `not_found`. */
export const idSchema = z.string().max(64);

/** The bytes of a hash, a sealed credential or the like. */
export const bytesSchema = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
