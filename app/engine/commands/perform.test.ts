import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AuditEntry } from '#app/contracts/audit-actions.ts';
import type { Principal } from '#app/contracts/principals.ts';
import type { Tables } from '#app/contracts/tables.ts';
import { AppError } from '#app/domain/errors.ts';
import { Refusal, refusal } from '#app/domain/refusal.ts';
import {
  type Command,
  type CommandDeps,
  defineCommand,
  defineInstanceCommand,
  definePersonalCommand,
} from '#app/engine/commands/command.ts';
import { perform, performAsNobody, performAsPerson } from '#app/engine/commands/perform.ts';

const db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (of) => new PostgresIntrospector(of),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});
const deps = { engine: {}, newId: () => 'an id', now: () => new Date(0) } as unknown as CommandDeps;

function principal(more: Partial<Principal> = {}): { principal: Principal; events: AuditEntry[] } {
  const events: AuditEntry[] = [];
  return {
    events,
    principal: {
      workspace: { id: 'w', name: 'Acme' },
      userId: 'u',
      name: 'Ada',
      roles: ['admin'],
      scopes: null,
      read: (work) => work(db),
      async change(work) {
        const { result, event } = await work(db);
        events.push(event);
        return result;
      },
      ...more,
    },
  };
}

const rename = defineCommand({
  permission: 'manageMembers',
  scope: null,
  input: z.object({ name: z.string().min(1) }),
  actions: ['workspace.configured'],
  changes: ['quorate.workspaces'],
  repeat: 'overwrites',
  async change({ db: within }, { name }) {
    await within.updateTable('quorate.workspaces').set({ name }).execute();
    return { result: name, event: { action: 'workspace.configured', resource: { kind: 'workspace', id: 'w', name } } };
  },
});
const failing = (error: unknown, refusals: Command['refusals'] = {}) => ({ ...rename, refusals, change: () => Promise.reject(error) });

describe('performing a command', () => {
  it('records its one event and answers its result', async () => {
    const { principal: admin, events } = principal();
    await expect(perform(rename, admin, deps, { name: 'Acme' })).resolves.toBe('Acme');
    expect(events.map(({ action }) => action)).toEqual(['workspace.configured']);
  });

  it('refuses a member without the permission before anything is done', async () => {
    const { principal: builder, events } = principal({ roles: ['builder'] });
    await expect(perform(rename, builder, deps, { name: '' })).rejects.toMatchObject({
      code: 'forbidden',
      values: { needs: 'manageMembers' },
    });
    expect(events).toEqual([]);
  });

  it('refuses an API key without the scope, and every key where no scope opens it', async () => {
    const key = principal({ scopes: ['runs:read'] }).principal;
    await expect(perform(rename, key, deps, { name: 'Acme' })).rejects.toMatchObject({ code: 'forbidden' });
    const scoped = { ...rename, scope: 'workflows:write' } as const;
    await expect(perform(scoped, key, deps, { name: 'Acme' })).rejects.toMatchObject({ values: { scope: 'workflows:write' } });
    const able = principal({ scopes: ['workflows:write'] }).principal;
    await expect(perform(scoped, able, deps, { name: 'Acme' })).resolves.toBe('Acme');
  });

  it('refuses input that does not fit, naming its fields', async () => {
    const { principal: admin } = principal();
    await expect(perform(rename, admin, deps, { name: '' })).rejects.toMatchObject({ code: 'invalid_input', values: { fields: 'name' } });
  });

  it('makes refusals of the failures that it names, and throws others on', async () => {
    const { principal: admin } = principal();
    const taken = { code: 'invalid_input', field: 'name', reasons: [{ key: 'nameTaken' }] } as const;
    const unique = new AppError('conflict', { cause: Object.assign(new Error('duplicate'), { code: '23505' }) });
    const refused = await perform(failing(unique, { '23505': taken }), admin, deps, { name: 'Acme' }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Refusal);
    expect(refused).toMatchObject({ field: 'name', reasons: taken.reasons, status: 400 });
    await expect(perform(failing(unique, { conflict: taken }), admin, deps, { name: 'Acme' })).rejects.toBeInstanceOf(Refusal);
    await expect(perform(failing(unique), admin, deps, { name: 'Acme' })).rejects.toBe(unique);
    const own = refusal('conflict', 'planAlready');
    await expect(perform(failing(own, { conflict: taken }), admin, deps, { name: 'Acme' })).rejects.toBe(own);
  });

  it('refuses a write to a table that the command does not name', async () => {
    const { principal: admin, events } = principal();
    const more = { ...rename, changes: ['quorate.members'] } as const;
    await expect(perform(more, admin, deps, { name: 'Acme' })).rejects.toThrow('quorate.workspaces');
    expect(events).toEqual([]);
  });
});

describe('performing a command as nobody', () => {
  const access = { asNobody: <T>(work: (within: typeof db) => Promise<T>) => work(db) };
  const rename = defineInstanceCommand({
    input: z.object({ name: z.string().min(1) }),
    actions: [],
    repeat: 'overwrites',
    refusals: { '23505': { code: 'invalid_input', field: 'name', reasons: [{ key: 'nameTaken' }] } },
    async change({ newId }, { name }) {
      if (name === 'taken') throw new AppError('conflict', { cause: Object.assign(new Error('duplicate'), { code: '23505' }) });
      return `${newId()} ${name}`;
    },
  });

  it('returns its result, and refuses input that does not fit', async () => {
    await expect(performAsNobody(rename, { ...deps, access }, { name: 'Acme' })).resolves.toBe('an id Acme');
    await expect(performAsNobody(rename, { ...deps, access }, { name: '' })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('makes refusals of the failures that it names', async () => {
    await expect(performAsNobody(rename, { ...deps, access }, { name: 'taken' })).rejects.toMatchObject({ field: 'name', status: 400 });
  });

  it('writes no table but by functions of the database', async () => {
    const writing = { ...rename, change: ({ db: within }: { db: typeof db }) => within.deleteFrom('quorate.workspaces').execute() };
    await expect(performAsNobody(writing, { ...deps, access }, { name: 'Acme' })).rejects.toThrow('quorate.workspaces');
  });
});

describe("performing a change of one's own settings", () => {
  const drop = definePersonalCommand({
    input: z.object({ table: z.enum(['quorate.saved_views', 'quorate.members']) }),
    changes: ['quorate.saved_views'],
    repeat: 'overwrites',
    async change({ db: within, userId }, { table }) {
      await within.deleteFrom(table).where('user_id', '=', userId).execute();
      return userId;
    },
  });
  const person = { userId: 'u', write: <T>(work: (within: typeof db) => Promise<T>) => work(db) };

  it('writes the tables that it names and no others', async () => {
    await expect(performAsPerson(drop, person, deps, { table: 'quorate.saved_views' })).resolves.toBe('u');
    await expect(performAsPerson(drop, person, deps, { table: 'quorate.members' })).rejects.toThrow('quorate.members');
  });
});
