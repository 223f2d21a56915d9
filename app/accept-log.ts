/**
 * `npm run accept-log -- WORKSPACE`: after a deliberate restore of a backup, lets the log of a workspace continue from the restored state.
 * Without a workspace it lists the marks. The running server records the acceptance in the log. Exit codes: 0 done, 1 there is no such
 * mark, 2 wrong call.
 */
import { copyFile, readdir, readFile } from 'node:fs/promises';
import { ownMarkFiles } from '#app/platform/log/log-mark-files.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const say = (line: string) => process.stdout.write(`${line}\n`);

const { directory, mark, accepted } = ownMarkFiles();
const [workspaceId, ...rest] = process.argv.slice(2);
const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

async function sizeOf(id: string): Promise<string> {
  return (await readFile(mark(id), 'utf8')).split('\n')[1] ?? 'an unreadable number of';
}

async function list(): Promise<void> {
  const names = await readdir(directory).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const ids = names.filter((name) => UUID.test(name));
  say(ids.length === 0 ? `No log was signed in ${directory} yet.` : 'Signed last, by workspace:');
  for (const id of ids) say(`  ${id}  ${await sizeOf(id)} entries`);
}

async function accept(id: string): Promise<void> {
  const size = await sizeOf(id);
  // A copy: if anything is signed before the server reads it, the two differ and the acceptance no longer counts.
  await copyFile(mark(id), accepted(id));
  say(`Accepted: the log of ${id} goes on from what the database holds, although ${size} entries of it were signed before.`);
  say('The server records this in the log as soon as it runs. Evidence and checkpoints made before the restore will not fit the new log.');
}

if (workspaceId === undefined) await list();
else if (rest.length > 0 || !UUID.test(workspaceId)) {
  process.stderr.write('Usage: npm run accept-log -- [WORKSPACE]\n');
  process.exitCode = 2;
} else
  await accept(workspaceId).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    process.stderr.write(`There is no mark of ${workspaceId} in ${directory}: its log goes on by itself.\n`);
    process.exitCode = 1;
  });
