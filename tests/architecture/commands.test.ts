import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AUDIT_ACTIONS, type AuditAction } from '#app/contracts/audit-actions.ts';
import { CONTROL_KINDS } from '#app/contracts/statuses.ts';
import { PERMISSIONS } from '#app/domain/people/roles.ts';
import type { Command, InstanceCommand, PersonalCommand, Repeat, Weakening } from '#app/engine/commands/command.ts';
import { root, sourceFiles } from '#tests/architecture/source-files.ts';
import { WEAKEN_NOTHING } from '#tests/architecture/weaken-nothing.ts';

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

const actionsOf = (command: AnyCommand): readonly AuditAction[] => ('actions' in command ? command.actions : []);
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
      const actions = actionsOf(command);
      if (actions.some((action) => !AUDIT_ACTIONS.includes(action))) return true;
      if (!isOfWorkspace(command)) return false;
      return actions.length === 0 || (command.permission !== null && !(command.permission in PERMISSIONS));
    });
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('weaken control only where another person is asked, and no API key may', () => {
    const weakening = commands.flatMap(({ name, command }) => (isOfWorkspace(command) && command.weakens ? [{ name, command }] : []));
    expect(weakening.length).toBeGreaterThan(5);
    expect(weakening.filter(({ command }) => command.scope !== null).map(({ name }) => name)).toEqual([]);
    const asking = commands.flatMap(({ text, name }) =>
      /\brequestControlChange\(|\bpublishVersion\(|\bpermitConnection\(|\brequestRelease\(/.test(text) ? [name] : [],
    );
    expect(weakening.map(({ name }) => name).sort()).toEqual(asking.sort());
    const covered = new Set(weakening.flatMap(({ command }) => command.weakens ?? []));
    expect([...CONTROL_KINDS, 'halt_lift'].filter((kind) => !covered.has(kind as Weakening))).toEqual([]);
  });

  it('are all judged: each that changes what is not named here may weaken control', () => {
    const judged = new Set([
      ...commands.flatMap(({ name, command }) => (isOfWorkspace(command) && command.weakens ? [name] : [])),
      ...WEAKEN_NOTHING,
    ]);
    const all = commands.filter(({ command }) => isOfWorkspace(command)).map(({ name }) => name);
    expect(all.filter((name) => !judged.has(name))).toEqual([]);
    expect([...judged].filter((name) => !all.includes(name))).toEqual([]);
  });

  it('have in their input what makes a second call the same one', () => {
    const needed = { byId: 'id', byRevision: 'revision', byRequestKey: 'requestKey' } as const;
    const wrong = commands.filter(
      ({ command }) => command.repeat in needed && !fieldsOf(command.input).includes(needed[command.repeat as keyof typeof needed]),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('stand in the table of permissions, which --update writes again', async () => {
    await expect(permissionTable()).toMatchFileSnapshot(join(root, 'app/docs/commands.md'));
  });

  it('name every action of the log but those that the engine records on its own', () => {
    const named = new Set(commands.flatMap(({ command }) => actionsOf(command)));
    expect(AUDIT_ACTIONS.filter((action) => !named.has(action))).toEqual(WITHOUT_COMMAND);
  });
});

/** Recorded by the engine itself: the end of a run, an approval or a membership, whom it has told of one that is undecided, and what comes before it, the demo's connections, a sign-in that its issuer has ended, a log that its owner accepts again, the witnesses of a log. */
const WITHOUT_COMMAND: readonly AuditAction[] = [
  'approval.escalated',
  'approval.expired',
  'change.expired',
  'connection.created',
  'connection.signInLost',
  'humanTask.asked',
  'humanTask.expired',
  'log.accepted',
  'log.keyRotated',
  'member.ended',
  'run.asksWithdrawn',
  'run.cancelled',
  'run.cleanupStarted',
  'run.completed',
  'run.failed',
  'watcher.disagreed',
  'watcher.failed',
  'watcher.recovered',
];

function permissionTable(): string {
  const area = (path: string) => path.split('/').at(-2) ?? '';
  const areas = [...new Set(commands.map(({ path }) => area(path)))].map((name) => {
    const rows = commands.filter(({ path }) => area(path) === name).map(({ path, command }) => `| ${rowOf(path, command).join(' | ')} |`);
    return [
      `## ${name}`,
      '',
      '| Use case | Who may | API key | Recorded as | Second call | Another person agrees |',
      '| --- | --- | --- | --- | --- | --- |',
      ...rows,
    ].join('\n');
  });
  return `${[INTRODUCTION, ...areas].join('\n\n')}\n`;
}

const INTRODUCTION = `# Use cases

Made of the definitions in \`app/engine/commands\` by \`tests/architecture/commands.test.ts\`; with \`--update\` the test writes it again. The database
holds the same rules by row level security. 'Any principal' is a member or trigger of the workspace, 'anyone' whoever a
function of the database lets, 'oneself' the person whose settings they are. The test run of a draft needs \`authorWorkflow\` as well.`;

const MEANINGS: Record<Repeat, string> = {
  byRequestKey: 'returns the result of the first',
  byId: 'refused by its id',
  byRevision: 'refused by its revision',
  refused: 'refused: it is over',
  overwrites: 'writes the same again',
  repeats: 'makes another',
};

function rowOf(path: string, command: AnyCommand): string[] {
  const scope = isOfWorkspace(command) ? command.scope : null;
  const recorded = actionsOf(command)
    .map((action) => `\`${action}\``)
    .join(', ');
  const name = path.split('/').at(-1)?.replace('.ts', '') ?? '';
  const weakens = (isOfWorkspace(command) ? (command.weakens ?? []) : []).map((kind) => `\`${kind}\``).join(', ');
  return [`[${name}](../../${path})`, whoMay(command), scope === null ? '' : `\`${scope}\``, recorded, MEANINGS[command.repeat], weakens];
}

function whoMay(command: AnyCommand): string {
  if (!isOfWorkspace(command)) return 'actions' in command ? 'anyone' : 'oneself';
  return command.permission === null ? 'any principal' : `\`${command.permission}\`: ${PERMISSIONS[command.permission].join(', ')}`;
}
