/**
 * `npm run rotate-log-key`: lets another key sign the logs of this instance from the next start on. The key before signs the new one and the
 * new one the key before: verifiers and witnesses that know the old key follow. Exit codes: 0 done, 2 wrong call, or not written.
 */
import { addLogKey } from '#app/platform/log/log-key-salts.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

if (process.argv.length > 2) {
  process.stderr.write('Usage: npm run rotate-log-key\n');
  process.exitCode = 2;
} else
  try {
    const { file, setting } = addLogKey();
    if (file === null) {
      say('Set this in every process, and keep it as secret as QUORATE_SECRET_KEY:');
      say(`QUORATE_LOG_KEYS=${setting}`);
    } else say(`Written to ${file}. It belongs into the backup of the data directory.`);
    say(
      'Restart the server and all workers: from then on the new key signs, and each log records it. One that still runs with the old key signs nothing more.',
    );
    say(
      'The new public key is in log-key.pub then. Whoever has pinned the old one need not do anything; witnesses of npm run witness follow by themselves.',
    );
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  }
