/** A process that holds an embedded database until it is told to end: what tests kill. Says `ready` when it stands. */
import { startEmbeddedPostgres } from '#app/platform/embedded/postgres-server.server.ts';
import { quietLog } from '#tests/support/quiet-log.ts';

const directory = process.argv[2];
if (!directory) throw new Error('a data directory is needed');
const server = await startEmbeddedPostgres({ dataDir: directory, log: quietLog });
process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)));
process.stdout.write(`ready ${JSON.stringify(server.owner)}\n`);
setInterval(() => undefined, 60_000);
