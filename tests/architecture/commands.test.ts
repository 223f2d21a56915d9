import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AUDIT_ACTIONS } from '#app/domain/audit-event.ts';
import { PERMISSIONS } from '#app/domain/roles.ts';
import type { Command, InstanceCommand, PersonalCommand } from '#app/engine/commands/command.ts';
import { root, sourceFiles } from '#tests/architecture/source-files.ts';

const files = sourceFiles('app/engine/commands').filter(
  ({ path, text }) => !path.endsWith('.test.ts') && /= define(?:(?:Instance|Personal)?Command|Start)\(/.test(text),
);
type AnyCommand = Command | InstanceCommand | PersonalCommand;
const isCommand = (value: unknown): value is AnyCommand => typeof value === 'object' && value !== null && 'repeat' in value;
/** Those of a workspace, whose transaction commits exactly one event. */
const isOfWorkspace = (command: AnyCommand): command is Command => 'permission' in command;

const commands = (
  await Promise.all(
    files.map(async ({ path, text }) => {
      const module: Record<string, unknown> = await import(pathToFileURL(join(root, path)).href);
      return Object.entries(module).flatMap(([name, value]) => (isCommand(value) ? [{ path, text, name, command: value }] : []));
    }),
  )
).flat();

const fieldsOf = (schema: z.ZodType): string[] => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : []);
const kebabCased = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

describe('commands', () => {
  it('stand one to a file, which has their name', () => {
    expect(commands.length).toBeGreaterThan(10);
    expect(commands.map(({ path }) => path)).toEqual(files.map(({ path }) => path));
    expect(commands.filter(({ path, name }) => !path.endsWith(`/${kebabCased(name)}.ts`)).map(({ path }) => path)).toEqual([]);
  });

  it('name actions and permissions that there are', () => {
    const wrong = commands.filter(({ command }) => {
      const actions = 'actions' in command ? command.actions : [];
      if (actions.some((action) => !AUDIT_ACTIONS.includes(action))) return true;
      if (!isOfWorkspace(command)) return false;
      return actions.length === 0 || (command.permission !== null && !(command.permission in PERMISSIONS));
    });
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('have in their input what makes a second call the same one', () => {
    const needed = { byId: 'id', byRevision: 'revision', byRequestKey: 'requestKey' } as const;
    const wrong = commands.filter(
      ({ command }) => command.repeat in needed && !fieldsOf(command.input).includes(needed[command.repeat as keyof typeof needed]),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });
});
